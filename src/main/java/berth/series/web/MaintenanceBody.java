package berth.series.web;

import berth.booking.web.EffectsBody;
import io.swagger.v3.oas.annotations.media.Schema;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A recurring outage.
 *
 * @param id id that the service assigned; null in the response to a dry run
 * @param pes number of PEs out of service
 * @param peIds numbers of the PEs out of service; null if the maintenance names no particular ones
 * @param duration length of each window
 * @param reason the operator's note
 * @param recurrence the days on which it recurs, and the first start
 * @param windows all windows that are not over, in order of time
 * @param effects how it would affect reservations and jobs; null except in the response to a dry run
 * @param createdAt when the administrator asked for it
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

    /** State of a window of a maintenance. */
    enum WindowState {
        /** The window is recorded as an outage. */
        RECORDED,
        /** The window lies beyond the horizon. Berth records it before the horizon reaches it. */
        AHEAD,
        /** The window does not take place, because it was called off or its outage has been ended. */
        LEFT_OUT
    }

    /**
     * A window of a maintenance.
     *
     * @param date its day in the time zone of the recurrence
     * @param from start of the window
     * @param to end of the window
     * @param state state of the window
     * @param outage id of the outage; null unless the window is recorded
     * @param longestBefore the longest run that can start now on its PEs and end before the window, at most as long as the cluster's horizon;
     *     null if the window has begun or does not take place
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
