/** The order in which requests that arrive together are decided (paper 002). */
@NullMarked
package berth.intake;

import org.jspecify.annotations.NullMarked;
