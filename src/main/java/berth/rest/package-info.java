/**
 * The HTTP API: reads and checks requests, turns them into core values, and turns core values into responses. Every error is returned as a
 * problem document.
 */
@NullMarked
package berth.rest;

import org.jspecify.annotations.NullMarked;
