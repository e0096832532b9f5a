package berth.reservation;

import berth.availability.PeSet;
import berth.sla.Part;
import berth.time.Slot;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/**
 * The PEs that a run which has begun has lost, and those that it will lose as far as is known. The run goes on with the others. Before it
 * begins, those that it {@linkplain Reservation#awaitsPes awaits}.
 *
 * @param lost the PE-seconds that it lost before {@code since}
 * @param since when it last lost PEs, got others or was told of a loss, in seconds since the epoch
 * @param lacks the PEs that it lacks from {@code since} on, in order of time; without numbers where it is not known which they will be
 */
public record Losses(long lost, long since, List<Part> lacks) {

    /** Nothing is lost. */
    public static final Losses NONE = new Losses(0, 0, List.of());

    public Losses {
        lacks = List.copyOf(lacks);
    }

    /** Returns {@link #NONE} for journal rows that are older than this field. */
    static Losses orNone(Losses read) {
        return Objects.requireNonNullElse(read, NONE);
    }

    /** Whether nothing is lost, and nothing will be. */
    public boolean areNone() {
        return lost == 0 && lacks.isEmpty();
    }

    /** Returns the PEs that it lacks since the last change; empty if it has all. */
    public Optional<Part> present() {
        return lacks.stream().findFirst().filter(lack -> lack.slot().start() <= since);
    }

    /** Returns what it lacks from {@code at} on. */
    public List<Part> from(long at) {
        return lacks.stream()
                .filter(lack -> lack.slot().end() > at)
                .map(lack -> lack.during(
                        new Slot(Math.max(at, lack.slot().start()), lack.slot().end())))
                .toList();
    }

    /** Returns the PE-seconds that it has lost by {@code at}. */
    public long lostBy(long at) {
        return lost
                + lacks.stream()
                        .filter(lack -> lack.slot().start() < at)
                        .mapToLong(lack -> lack.until(at).work())
                        .sum();
    }

    /** Returns the losses after it has turned out at {@code at} what the run lacks from then on. */
    public Losses at(long at, List<Part> lacking) {
        return new Losses(lostBy(at), at, lacking);
    }

    /** Returns the losses of a run that has these parts. */
    Losses within(List<Part> parts) {
        if (lacks.isEmpty()) {
            return this;
        }
        var rest = new ArrayList<Part>();
        for (var lack : lacks) {
            for (var part : parts) {
                if (part.slot().overlaps(lack.slot())) {
                    rest.add(lack.during(part.slot().and(lack.slot())));
                }
            }
        }
        return new Losses(lost, since, rest);
    }

    /** Returns when it next loses PEs or gets some back; {@link Long#MAX_VALUE} if it does not. */
    public long changesAt() {
        if (lacks.isEmpty()) {
            return Long.MAX_VALUE;
        }
        var first = lacks.getFirst().slot();
        return first.start() > since ? first.start() : first.end();
    }

    /** Returns what is left of a part, in order of time. */
    List<Part> leave(Part part) {
        var left = new ArrayList<Part>();
        long at = part.slot().start();
        for (var lack : lacks) {
            if (!lack.slot().overlaps(part.slot())) {
                continue;
            }
            var slot = lack.slot().and(part.slot());
            if (at < slot.start()) {
                left.add(part.during(new Slot(at, slot.start())));
            }
            if (part.pes() > lack.pes()) {
                left.add(without(part, lack).during(slot));
            }
            at = slot.end();
        }
        if (at < part.slot().end()) {
            left.add(part.during(new Slot(at, part.slot().end())));
        }
        return left;
    }

    /** Returns a part with those of its numbered PEs that are left throughout; as it is if it has no numbers, or if none are left. */
    Part leastOf(Part part) {
        var lost = lacks.stream()
                .filter(lack -> lack.slot().overlaps(part.slot()))
                .flatMap(lack -> lack.peIds().stream())
                .reduce(PeSet.NONE, PeSet::or);
        return part.peIds()
                .map(ids -> ids.minus(lost))
                .filter(ids -> !ids.isEmpty())
                .map(ids -> new Part(part.slot(), ids.size(), Optional.of(ids), part.steps()))
                .orElse(part);
    }

    /** Returns a part without the PEs that it lacks, which are not all. */
    static Part without(Part part, Part lack) {
        Optional<PeSet> others = part.peIds().flatMap(ids -> lack.peIds().map(ids::minus));
        return new Part(part.slot(), part.pes() - lack.pes(), others, part.steps());
    }
}
