/**
 * Paper 000 (Netto, Bubendorfer and Buyya, on advance reservations with flexible and adaptive time parameters): how much of
 * a machine advance reservations use, by the order in which the waiting queue is placed anew and by how flexible they are.
 */
@NullMarked
package berth.experiment.flexible;

import org.jspecify.annotations.NullMarked;
