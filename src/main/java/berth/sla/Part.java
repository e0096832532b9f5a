package berth.sla;

import berth.availability.PeSet;
import berth.time.Slot;
import java.util.Optional;

/**
 * A part of a run: PEs in one slot, for all steps of the run or some of them.
 *
 * @param slot the time
 * @param pes the number of PEs, at least 1
 * @param peIds the numbers of the PEs; empty if they are chosen when the part starts
 * @param steps how many steps of the run the part holds, at least 1; 1 if the run is not split
 */
public record Part(Slot slot, int pes, Optional<PeSet> peIds, int steps) {

    /** @throws IllegalArgumentException if there are no PEs or no steps, or if {@code peIds} does not have {@code pes} members */
    public Part {
        if (pes < 1 || steps < 1 || peIds.isPresent() && peIds.get().size() != pes) {
            throw new IllegalArgumentException(
                    "A part needs at least 1 step and 1 PE, and as many PE numbers as PEs; it has %d steps, %d PEs and the numbers %s."
                            .formatted(steps, pes, peIds));
        }
    }

    /** Returns a part that holds the whole run, on PEs that are chosen when it starts. */
    public static Part whole(Slot slot, int pes) {
        return new Part(slot, pes, Optional.empty(), 1);
    }

    /** Returns the same part on these PEs. */
    public Part on(PeSet ids) {
        return new Part(slot, pes, Optional.of(ids), steps);
    }

    /** Returns the same part with that many steps. */
    public Part of(int number) {
        return new Part(slot, pes, peIds, number);
    }

    /** Returns the same PEs in that slot. */
    public Part during(Slot other) {
        return new Part(other, pes, peIds, steps);
    }

    /** Returns the same part, ending at {@code end} at the latest, which must be after its start. */
    public Part until(long end) {
        return end >= slot.end() ? this : during(new Slot(slot.start(), end));
    }

    /** Returns the PE-seconds of the part. */
    public long work() {
        return Math.multiplyExact(slot.duration(), pes);
    }
}
