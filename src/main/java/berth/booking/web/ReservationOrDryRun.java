package berth.booking.web;

/** The response to an action on a reservation: the reservation after the action, or what the action would do. */
sealed interface ReservationOrDryRun permits ReservationBody, DryRunBody {}
