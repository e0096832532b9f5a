package berth.rest;

import berth.availability.PeSet;
import berth.sla.Part;
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
 */
record PartBody(
        Instant start, Instant end, int pes, @Nullable String peIds) {

    static List<PartBody> of(List<Part> parts) {
        return parts.stream().map(PartBody::of).toList();
    }

    private static PartBody of(Part part) {
        return new PartBody(
                Texts.instant(part.slot().start()),
                Texts.instant(part.slot().end()),
                part.pes(),
                Texts.orNull(part.peIds().map(PeSet::toString)));
    }
}
