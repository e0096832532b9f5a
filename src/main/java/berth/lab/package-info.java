/** The command line of the laboratory, which the service's jar does not contain. */
@NullMarked
package berth.lab;

import org.jspecify.annotations.NullMarked;
