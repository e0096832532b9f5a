/** A cluster as its operator sets it up: its size, its nodes, its rules and its outages. */
@NullMarked
package berth.cluster;

import org.jspecify.annotations.NullMarked;
