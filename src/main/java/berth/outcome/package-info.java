/** What came of something that was asked for. */
@NullMarked
package berth.outcome;

import org.jspecify.annotations.NullMarked;
