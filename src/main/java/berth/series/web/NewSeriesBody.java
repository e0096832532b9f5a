package berth.series.web;

import berth.booking.terms.TermsBody;
import berth.http.Required;
import berth.reservation.ClientLabels;
import com.fasterxml.jackson.annotation.JsonUnwrapped;
import io.swagger.v3.oas.annotations.media.Schema;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A request for a series of reservations.
 *
 * @param cluster the id of a cluster of this Berth
 * @param terms the terms of each occurrence, without ready time and deadline
 * @param recurrence the days and the time of the occurrences
 * @param window how far from its planned start each occurrence may begin; if left out, each begins exactly then
 * @param onConflict how many of the occurrences within the cluster's horizon must be granted; all of them, if left out. Berth decides each
 *     later occurrence on its own, when the horizon reaches it
 * @param atLeast the smallest number of occurrences that must be granted, in place of {@code onConflict}
 * @param count the number of occurrences, unless the rule says where it ends
 * @param until the last day, unless the rule says where it ends
 * @param replaces the series on the same cluster that the new series replaces from a given day on. Berth replaces it in one step, or
 *     changes nothing
 * @param dryRun true to get the result for each occurrence without booking anything
 * @param users the users who may run jobs in the reservations, by their names on the machine, at most 50; the owner, if left out
 */
@Schema(
        name = "NewSeries",
        example = "{\"cluster\":\"demo\",\"terms\":{\"duration\":\"PT2H\",\"pes\":32},"
                + "\"recurrence\":{\"rrule\":\"FREQ=WEEKLY;BYDAY=TU\",\"dtstart\":\"2027-01-05T22:00\",\"zone\":\"Europe/Berlin\"},"
                + "\"count\":10,\"onConflict\":\"ANY\",\"name\":\"every Tuesday night\"}")
record NewSeriesBody(
        @Required @Nullable String cluster,
        @Required @Nullable TermsBody terms,
        @Required @Nullable RecurrenceBody recurrence,
        @Nullable SeriesWindowBody window,
        @Nullable OnConflict onConflict,
        @Nullable Integer atLeast,
        @Nullable Integer count,
        @Nullable String until,
        @Nullable ReplacesBody replaces,
        @Nullable Boolean dryRun,
        @JsonUnwrapped ClientLabels labels,
        @Nullable List<@Nullable String> users) {

    /** How many of the occurrences must be granted. */
    enum OnConflict {
        /** All occurrences; otherwise nothing is booked. */
        ALL,
        /** At least one occurrence; the response lists the others as refused. */
        ANY
    }

    /**
     * A series whose later occurrences the new series replaces.
     *
     * @param series the id of the replaced series
     * @param from the first day on which the replaced series has no occurrence any more
     */
    @Schema(name = "Replaces")
    record ReplacesBody(
            @Required @Nullable String series,
            @Required @Nullable String from) {}

    /**
     * How far from its planned start an occurrence may begin.
     *
     * @param earliest how long before the planned start; not before it, if left out
     * @param slack how long after the planned start; not after it, if left out
     */
    @Schema(name = "SeriesWindow")
    record SeriesWindowBody(
            @Nullable String earliest, @Nullable String slack) {}
}
