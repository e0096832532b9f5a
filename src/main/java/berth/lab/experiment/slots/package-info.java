/**
 * Paper 004 (Li and others, on slot-based reservations of parallel jobs with deadlines): how many requests seven placement policies accept
 * and how long these wait, depending on sizes, load and flexibility.
 */
@NullMarked
package berth.lab.experiment.slots;

import org.jspecify.annotations.NullMarked;
