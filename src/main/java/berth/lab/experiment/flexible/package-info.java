/**
 * Paper 000 (Netto, Bubendorfer and Buyya, on advance reservations with flexible and adaptive time parameters): the utilisation by advance
 * reservations, depending on the replan order and on how flexible requests are.
 */
@NullMarked
package berth.lab.experiment.flexible;

import org.jspecify.annotations.NullMarked;
