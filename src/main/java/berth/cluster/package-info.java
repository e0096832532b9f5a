/** A cluster as its operator configures it: its size, nodes, rules and outages. */
@NullMarked
package berth.cluster;

import org.jspecify.annotations.NullMarked;
