/** The commands that a cluster's schedule decides. {@code decide} has no side effects: it returns events and the next schedule. */
@NullMarked
package berth.scheduling.commands;

import org.jspecify.annotations.NullMarked;
