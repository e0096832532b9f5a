package berth.reservation;

import berth.availability.PeSet;
import berth.sla.Part;
import berth.time.Slot;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;

/**
 * Where a reservation lies, and how far its run has come there. A run begins and ends with each of its parts in turn:
 * between two that do not touch it has no PEs.
 *
 * @param parts what of it lies where, in order; one of a run that is not split
 * @param fixesAt from when on the provider does not move what has not begun, seconds since the epoch
 * @param turns how many beginnings and ends of parts lie behind it: odd while it has PEs
 */
public record Placement(List<Part> parts, long fixesAt, int turns) {

    /** @throws IllegalArgumentException if there are no parts, or not as many turns */
    public Placement {
        parts = List.copyOf(parts);
        if (parts.isEmpty() || turns < 0 || turns > 2 * parts.size()) {
            throw new IllegalArgumentException("There are not %d turns in %s.".formatted(turns, parts));
        }
    }

    /** A place where nothing has begun. */
    public static Placement of(List<Part> parts, long fixesAt) {
        return new Placement(parts, fixesAt, 0);
    }

    /** From the beginning of its first part to the end of its last. */
    public Slot slot() {
        return new Slot(parts.getFirst().slot().start(), parts.getLast().slot().end());
    }

    /** The most PEs it takes at one time. */
    public int pes() {
        return parts.stream().mapToInt(Part::pes).max().orElseThrow();
    }

    /** The PEs of a run that is not split, as far as they are settled. */
    public Optional<PeSet> peIds() {
        return parts.size() == 1 ? parts.getFirst().peIds() : Optional.empty();
    }

    /** What it takes, in PE-seconds. */
    public long work() {
        return parts.stream().mapToLong(Part::work).sum();
    }

    /** How many parts have begun. */
    public int begun() {
        return (turns + 1) / 2;
    }

    /** How many parts are over. */
    public int over() {
        return turns / 2;
    }

    /** Whether some parts have not begun. */
    public boolean hasPartsToCome() {
        return begun() < parts.size();
    }

    /** Whether that part has begun and not ended. */
    public boolean isRunning(int part) {
        return turns == 2 * part + 1;
    }

    /**
     * The next part begins, on these PEs.
     *
     * @param fixes from when on those after it are not moved
     */
    Placement begunOn(PeSet pes, long fixes) {
        int next = begun();
        var begun = IntStream.range(0, parts.size())
                .mapToObj(part -> part == next ? parts.get(part).on(pes) : parts.get(part))
                .toList();
        return new Placement(begun, fixes, turns);
    }

    /** The next part begins, or the one that runs ends. */
    Placement turned() {
        return new Placement(parts, fixesAt, turns + 1);
    }

    /** The same place, final from then on. */
    Placement fixed(long from) {
        return new Placement(parts, from, turns);
    }

    /** The parts that have begun, and after them these. */
    public Placement goingOn(List<Part> rest, long fixes) {
        var all = new ArrayList<>(parts.subList(0, begun()));
        all.addAll(rest);
        return new Placement(all, fixes, turns);
    }
}
