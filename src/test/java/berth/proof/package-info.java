/**
 * Whether what the service said was true: what clients asked and heard, what the service tells in the end, and the checker that
 * compares the two. It knows neither HTTP nor a database, so that a simulation can be checked as real processes are.
 */
@NullMarked
package berth.proof;

import org.jspecify.annotations.NullMarked;
