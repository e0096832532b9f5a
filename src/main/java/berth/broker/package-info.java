/**
 * One request, many clusters: finds the clusters that could hold a request, chooses the best slot, and reserves on several clusters at one
 * start.
 */
@NullMarked
package berth.broker;

import org.jspecify.annotations.NullMarked;
