/**
 * Paper 000 (Netto, Bubendorfer and Buyya, on flexible reservations), section 3.2: how close replanning in a given order comes to an
 * optimal placement.
 */
@NullMarked
package berth.lab.experiment.juggling;

import org.jspecify.annotations.NullMarked;
