package berth.reservation;

import berth.availability.PeSet;
import berth.sla.Part;
import berth.time.Slot;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.IntStream;

/**
 * The place of a reservation and the progress of its run. The parts of a run start and end one after another. Between two parts that do not
 * touch, the run has no PEs.
 *
 * @param parts the parts in order; one if the run is not split
 * @param fixesAt when the parts that have not begun become final, in seconds since the epoch
 * @param turns how many starts and ends of parts have happened; odd while the run has PEs
 * @param losses the PEs of these parts that it has lost, and will lose, to outages. Journal rows older than this field lack it
 * @param former what a run in one part had before its owner returned PEs, in order of time; since then it has those of its part. Empty if
 *     its owner returned none. Journal rows older than this field lack it
 */
public record Placement(List<Part> parts, long fixesAt, int turns, Losses losses, List<Part> former) {

    /** Creates the placement of a run that has returned no PEs. */
    public Placement(List<Part> parts, long fixesAt, int turns, Losses losses) {
        this(parts, fixesAt, turns, losses, List.of());
    }

    /** Creates a placement without losses. */
    public Placement(List<Part> parts, long fixesAt, int turns) {
        this(parts, fixesAt, turns, Losses.NONE);
    }

    /** @throws IllegalArgumentException if there are no parts, or {@code turns} does not match them */
    public Placement {
        parts = List.copyOf(parts);
        // before the first part begins, nothing can be lost
        losses = turns == 0 && Losses.orNone(losses).lacks().isEmpty() ? Losses.NONE : Losses.orNone(losses);
        former = List.copyOf(Objects.requireNonNullElse(former, List.of()));
        if (parts.isEmpty() || turns < 0 || turns > 2 * parts.size()) {
            throw new IllegalArgumentException(
                    "%d turns do not fit the parts %s, each of which begins once and ends once."
                            .formatted(turns, parts));
        }
    }

    /** Returns a placement in which nothing has begun. */
    public static Placement of(List<Part> parts, long fixesAt) {
        return new Placement(parts, fixesAt, 0);
    }

    /** Returns the slot from the start of the first part to the end of the last. */
    public Slot slot() {
        return new Slot(parts.getFirst().slot().start(), parts.getLast().slot().end());
    }

    /** Returns the most PEs that it takes at one time. */
    public int pes() {
        return parts.stream().mapToInt(Part::pes).max().orElseThrow();
    }

    /** Returns the PEs of a run that is not split, if they have been chosen. */
    public Optional<PeSet> peIds() {
        return parts.size() == 1 ? parts.getFirst().peIds() : Optional.empty();
    }

    /** Returns the PE-seconds of all parts, with the PEs that each had at the time. */
    public long work() {
        return pieces().stream().mapToLong(Part::work).sum();
    }

    /** Returns the parts, in order of time; one whose owner returned PEs in pieces, each with the PEs that it had at the time. */
    public List<Part> pieces() {
        return pieces(parts);
    }

    private List<Part> pieces(List<Part> present) {
        if (former.isEmpty()) {
            return present;
        }
        var last = present.getLast();
        var all = new ArrayList<>(former);
        all.add(last.during(new Slot(former.getLast().slot().end(), last.slot().end())));
        return all;
    }

    /** Returns {@link #pieces}, the running part with the PEs that the run has now. */
    public List<Part> piecesNow() {
        return pieces(partsNow());
    }

    /**
     * Returns what the run has of a part that is not over: all of it, or what its losses leave, in order of time. Of the running part these
     * are the PEs since the last change, because it may have had others before.
     */
    public List<Part> has(int number) {
        var part = parts.get(number);
        if (losses.equals(Losses.NONE)) {
            return List.of(part);
        }
        return losses.leave(part.during(new Slot(from(number), part.slot().end())));
    }

    /** Whether the run has any of the PEs of a part, or they have no numbers yet. */
    public boolean hasSomeOf(int number) {
        return parts.get(number).peIds().isEmpty() || !has(number).isEmpty();
    }

    /** Whether the run has a piece of {@link #has} now. */
    public boolean holds(int number, Part piece) {
        return isRunning(number) && piece.slot().start() == from(number);
    }

    /** Returns the time from which it is known what the run has of a part. */
    private long from(int number) {
        var slot = parts.get(number).slot();
        return isRunning(number) && slot.contains(losses.since()) ? losses.since() : slot.start();
    }

    /**
     * Returns the parts with the PEs that the run has now: the running part without those that it lacks, any other as agreed. Before the
     * first part begins, each is without those that are awaited. A part is as agreed if these are all its PEs; a run that lacks all has
     * failed.
     */
    public List<Part> partsNow() {
        if (turns == 0 && !losses.lacks().isEmpty()) {
            return parts.stream().map(losses::leastOf).toList();
        }
        int running = begun() - 1;
        var lack = losses.present()
                .filter(missing ->
                        isRunning(running) && missing.pes() < parts.get(running).pes());
        if (lack.isEmpty()) {
            return parts;
        }
        var now = new ArrayList<>(parts);
        now.set(running, Losses.without(parts.get(running), lack.get()));
        return now;
    }

    /** Returns the PEs that the run has now; none before its start and between two parts. */
    public PeSet pesNow() {
        int running = begun() - 1;
        return isRunning(running) ? partsNow().get(running).peIds().orElseThrow() : PeSet.NONE;
    }

    /** Returns how many parts have begun. */
    public int begun() {
        return (turns + 1) / 2;
    }

    /** Returns how many parts have ended. */
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
     * Returns the placement in which the next part has these PEs. {@link #turned} then begins the part.
     *
     * @param fixes when the parts after it become final, in seconds since the epoch
     */
    Placement begunOn(PeSet pes, long fixes) {
        int next = begun();
        var begun = IntStream.range(0, parts.size())
                .mapToObj(part -> part == next ? parts.get(part).on(pes) : parts.get(part))
                .toList();
        return new Placement(begun, fixes, turns, losses, former);
    }

    /** Returns the placement after the next part has begun or the running part has ended. */
    Placement turned() {
        return new Placement(parts, fixesAt, turns + 1, losses, former);
    }

    /** Returns the same placement, final from {@code from} on. */
    Placement fixed(long from) {
        return new Placement(parts, from, turns, losses, former);
    }

    /** Returns the placement with the parts that have begun, followed by {@code rest}. */
    public Placement goingOn(List<Part> rest, long fixes) {
        var all = new ArrayList<>(parts.subList(0, begun()));
        all.addAll(rest);
        return new Placement(all, fixes, turns, losses.within(parts.subList(0, begun())), former);
    }

    /** Returns the placement with other parts, those that have begun from the same start, after a change that loses no PEs. */
    public Placement changed(List<Part> others, long fixes) {
        return new Placement(others, fixes, turns, losses.within(others), former);
    }

    /**
     * Returns the placement of a run in one part that goes on with fewer PEs from {@code at} on.
     *
     * @param part its part from the start on, with the PEs that it keeps
     * @param lacks the PEs of these that it lacks from {@code at} on
     */
    public Placement shrunk(Part part, List<Part> lacks, long at) {
        var had = former;
        var last = pieces().getLast();
        if (last.slot().start() < at) {
            had = new ArrayList<>(former);
            had.add(last.until(at));
        }
        return new Placement(List.of(part), fixesAt, turns, losses.areNone() ? losses : losses.at(at, lacks), had);
    }

    /** Returns the placement with the running part on these PEs, and with other losses. */
    public Placement goingOnWith(PeSet pes, Losses other) {
        int running = begun() - 1;
        var all = new ArrayList<>(parts);
        all.set(running, parts.get(running).on(pes));
        return new Placement(all, fixesAt, turns, other, former);
    }

    /** Returns the placement with other losses. */
    public Placement with(Losses other) {
        return new Placement(parts, fixesAt, turns, other, former);
    }
}
