package berth.booking.web;

/** The response to a request for other terms: the renegotiation, or what it would do. */
sealed interface RenegotiationOrDryRun permits RenegotiationBody, DryRunBody {}
