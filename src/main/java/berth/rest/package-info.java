/** The HTTP contract: requests are checked and become core values, core values become responses, and every mistake is answered with a problem document. */
@NullMarked
package berth.rest;

import org.jspecify.annotations.NullMarked;
