package berth.rest;

import io.swagger.v3.oas.annotations.media.Schema;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A request for a series of reservations.
 *
 * @param cluster where, of this Berth
 * @param terms of each occurrence, without ready time and deadline
 * @param recurrence on which days, and when
 * @param window how far from that each occurrence may begin; exactly then, if left out
 * @param onConflict how many of the occurrences within the cluster's horizon must be granted; all of them, if left out. What lies beyond is decided
 *     as the horizon reaches it, each by itself
 * @param atLeast instead of that, so many of them
 * @param count how many occurrences there are, unless the rule says where it ends
 * @param until the last day, unless the rule says where it ends
 * @param replaces the series that this one takes over from, if any, on the same cluster: all or nothing, in one step
 * @param dryRun whether it is only told what would become of each occurrence, and nothing booked; it is booked, if left out
 * @param name the client's own label
 * @param project what the client files it under
 * @param users who may run jobs in it, by their names on the machine, at most 50; the owner, if left out
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
        @Nullable String name,
        @Nullable String project,
        @Nullable List<@Nullable String> users) {

    /** How many of the occurrences must be granted. */
    enum OnConflict {
        /** All, or nothing is booked. */
        ALL,
        /** One at least; the others are told to be refused. */
        ANY
    }

    /**
     * A series of which another one takes over the later occurrences.
     *
     * @param series which
     * @param from the first day of which it has no occurrence any more
     */
    @Schema(name = "Replaces")
    record ReplacesBody(
            @Required @Nullable String series,
            @Required @Nullable String from) {}

    /**
     * How far from its planned start an occurrence may begin.
     *
     * @param earliest how much before it; not before it, if left out
     * @param slack how much after it; not after it, if left out
     */
    @Schema(name = "SeriesWindow")
    record SeriesWindowBody(
            @Nullable String earliest, @Nullable String slack) {}
}
