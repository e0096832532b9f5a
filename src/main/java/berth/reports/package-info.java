/** The calls with which managers read figures of a period: utilisation, revenue, projects and owners. */
@NullMarked
package berth.reports;

import org.jspecify.annotations.NullMarked;
