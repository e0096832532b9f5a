/**
 * Paper 000 (Netto, Bubendorfer and Buyya, on flexible reservations), section 3.2: how near placing the waiting queue anew
 * in a given order comes to placing it as well as can be.
 */
@NullMarked
package berth.experiment.juggling;

import org.jspecify.annotations.NullMarked;
