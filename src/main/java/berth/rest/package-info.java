/**
 * The HTTP contract. It checks requests and turns them into core values, turns core values into responses, and reports every mistake by a
 * problem document.
 */
@NullMarked
package berth.rest;

import org.jspecify.annotations.NullMarked;
