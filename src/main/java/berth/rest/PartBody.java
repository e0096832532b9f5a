package berth.rest;

import berth.availability.PeSet;
import berth.cluster.Nodes;
import berth.sla.Part;
import com.fasterxml.jackson.annotation.JsonInclude;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What of a run lies where: all of it, or a part of one that is split.
 *
 * @param start since when
 * @param end until when
 * @param pes how many PEs
 * @param peIds which, by their numbers; null until that is settled
 * @param nodes of these PEs, as Slurm writes them; left out where they have no names, and where a move or an offer is told
 */
record PartBody(
        Instant start,
        Instant end,
        int pes,
        @Nullable String peIds,

        @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable String nodes) {

    static List<PartBody> of(List<Part> parts) {
        return of(parts, Nodes.SINGLE_PES);
    }

    /** With the names of their nodes. */
    static List<PartBody> of(List<Part> parts, Nodes nodes) {
        return parts.stream().map(part -> of(part, nodes)).toList();
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
