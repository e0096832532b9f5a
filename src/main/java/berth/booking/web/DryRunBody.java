package berth.booking.web;

import io.swagger.v3.oas.annotations.media.Schema;
import org.jspecify.annotations.Nullable;

/**
 * What a call would do. Nothing has changed. The same call without {@code dryRun} does this if nothing else changes first.
 *
 * @param before the reservation as it is; null if the call would make it
 * @param after the reservation as it would be, with the price that it would owe
 * @param effects what the call would cost others
 */
@Schema(name = "DryRun")
record DryRunBody(@Nullable ReservationBody before, ReservationBody after, EffectsBody effects)
        implements ReservationOrDryRun, RenegotiationOrDryRun {}
