/** The refused requests of the last weeks, for people who ask why a request was refused. */
@NullMarked
package berth.refusals;

import org.jspecify.annotations.NullMarked;
