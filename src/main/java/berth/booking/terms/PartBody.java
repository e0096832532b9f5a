package berth.booking.terms;

import berth.availability.PeSet;
import berth.cluster.Nodes;
import berth.http.Texts;
import berth.sla.Part;
import com.fasterxml.jackson.annotation.JsonInclude;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A piece of a run with its time and PEs. A run that is not split has one part.
 *
 * @param start when the part begins
 * @param end when the part ends
 * @param pes the number of PEs
 * @param peIds the numbers of these PEs; null until they are settled
 * @param nodes the nodes of these PEs, in Slurm's notation; left out if the PEs have no names, and in moves, offers and events
 */
public record PartBody(
        Instant start,
        Instant end,
        int pes,
        @Nullable String peIds,

        @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable String nodes) {

    public static List<PartBody> of(List<Part> parts) {
        return of(parts, Nodes.SINGLE_PES);
    }

    /** Returns the parts with the names of their nodes. */
    public static List<PartBody> of(List<Part> parts, Nodes nodes) {
        return parts.stream().map(part -> of(part, nodes)).toList();
    }

    /** Returns the sum of the parts' lengths; if another Berth reports no parts, the time from {@code start} to {@code end}. */
    public static String runTime(@Nullable List<PartBody> parts, Instant start, Instant end) {
        return Texts.duration(
                parts == null || parts.isEmpty()
                        ? Duration.between(start, end).toSeconds()
                        : parts.stream()
                                .mapToLong(part ->
                                        Duration.between(part.start, part.end).toSeconds())
                                .sum());
    }

    private static PartBody of(Part part, Nodes nodes) {
        return new PartBody(
                Texts.instant(part.slot().start()),
                Texts.instant(part.slot().end()),
                part.pes(),
                Texts.orNull(part.peIds().map(PeSet::toString)),
                Texts.orNull(part.peIds().flatMap(nodes::list)));
    }
}
