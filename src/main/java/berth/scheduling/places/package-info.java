/**
 * Where a request finds its place: the search, the moves of others that make room for it, what it costs them, and what else would fit.
 */
@NullMarked
package berth.scheduling.places;

import org.jspecify.annotations.NullMarked;
