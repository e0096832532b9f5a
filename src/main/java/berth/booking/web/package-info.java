/** The calls that probe, reserve, change and renegotiate reservations, and how they are answered. */
@NullMarked
package berth.booking.web;

import org.jspecify.annotations.NullMarked;
