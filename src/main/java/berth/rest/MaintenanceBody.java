package berth.rest;

import io.swagger.v3.oas.annotations.media.Schema;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * PEs that are out of service again and again.
 *
 * @param id made by the service; null: this one is only tried
 * @param pes how many PEs
 * @param peIds which; null: no particular ones
 * @param duration for how long each time
 * @param reason the operator's note
 * @param recurrence on which days, and since when
 * @param windows all of them that are not over, in the order of time
 * @param effects of one that is only tried: what it would do to what is booked; null of all others
 * @param createdAt when it was asked for
 */
@Schema(name = "Maintenance")
record MaintenanceBody(
        @Nullable UUID id,
        int pes,
        @Nullable String peIds,
        String duration,
        @Nullable String reason,
        RecurrenceBody recurrence,
        List<WindowBody> windows,
        @Nullable EffectsBody effects,
        Instant createdAt) {

    /** Where a window of a maintenance stands. */
    enum WindowState {
        /** It is recorded as an outage. */
        RECORDED,
        /** It is recorded before the horizon reaches it. */
        AHEAD,
        /** It could not be recorded, since the cluster has not as many PEs, or it was called off. */
        LEFT_OUT
    }

    /**
     * A window of a maintenance.
     *
     * @param date its day in the time zone of the recurrence
     * @param from since when
     * @param to until when
     * @param state where it stands
     * @param outage the outage; null unless it is recorded
     * @param longestBefore how long a run may be that begins now and needs its PEs; null once the window has begun, and where it is left out
     */
    @Schema(name = "MaintenanceWindow")
    record WindowBody(
            String date,
            Instant from,
            Instant to,
            WindowState state,
            @Nullable UUID outage,
            @Nullable String longestBefore) {}
}
