package berth.booking.web;

import berth.booking.terms.PartBody;
import berth.http.Texts;
import berth.sla.Part;
import berth.time.Slot;
import java.time.Instant;
import java.util.List;
import java.util.Objects;

/**
 * The time of a run and its PEs.
 *
 * @param start when it begins
 * @param end when it ends
 * @param runTime how long the run has PEs: the duration that the terms give its number of PEs, divided by the rating of the cluster; for a
 *     run in several parts, the sum of their lengths
 * @param pes the number of PEs; for a run in several parts, the largest number at one time
 */
record RunBody(Instant start, Instant end, String runTime, int pes) {

    static RunBody of(Slot slot, List<Part> parts) {
        return new RunBody(
                Texts.instant(slot.start()),
                Texts.instant(slot.end()),
                Texts.duration(
                        parts.stream().mapToLong(part -> part.slot().duration()).sum()),
                parts.stream().mapToInt(Part::pes).max().orElseThrow());
    }

    /** Computes the run time if another Berth does not report it. */
    RunBody completed(List<PartBody> parts) {
        return new RunBody(
                start, end, Objects.requireNonNullElseGet(runTime, () -> PartBody.runTime(parts, start, end)), pes);
    }
}
