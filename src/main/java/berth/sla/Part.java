package berth.sla;

import berth.availability.PeSet;
import berth.time.Slot;
import java.util.Optional;

/**
 * What of a run lies where: all of it, or some steps of one that may be split.
 *
 * @param slot when
 * @param pes how many PEs, at least 1
 * @param peIds which; empty: that is settled when the part starts
 * @param steps how many steps of the run it holds, at least 1; 1 where the run is not split
 */
public record Part(Slot slot, int pes, Optional<PeSet> peIds, int steps) {

    /** @throws IllegalArgumentException if it has no PEs or no steps, or names more or fewer PEs than it has */
    public Part {
        if (pes < 1 || steps < 1 || peIds.isPresent() && peIds.get().size() != pes) {
            throw new IllegalArgumentException(
                    "A part of %d steps on %d PEs, %s, is none.".formatted(steps, pes, peIds));
        }
    }

    /** All of a run, on PEs that are settled when it starts. */
    public static Part whole(Slot slot, int pes) {
        return new Part(slot, pes, Optional.empty(), 1);
    }

    /** The same part on these PEs. */
    public Part on(PeSet ids) {
        return new Part(slot, pes, Optional.of(ids), steps);
    }

    /** The same part, of that many steps. */
    public Part of(int number) {
        return new Part(slot, pes, peIds, number);
    }

    /** The same part, over by {@code end} at the latest, which lies after its start. */
    public Part until(long end) {
        return end >= slot.end() ? this : new Part(new Slot(slot.start(), end), pes, peIds, steps);
    }

    /** What it takes, in PE-seconds. */
    public long work() {
        return Math.multiplyExact(slot.duration(), pes);
    }
}
