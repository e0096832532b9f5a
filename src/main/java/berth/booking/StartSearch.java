package berth.booking;

import berth.booking.AnyCluster.Probed;
import berth.booking.Coallocations.OtherStart;
import berth.booking.Coallocations.Remedies;
import berth.sla.Leeway;
import berth.time.Slot;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.TreeSet;
import java.util.function.LongFunction;
import java.util.stream.Stream;

/** Searches for common starts of the parts of a co-allocation, until the time is over or a cluster does not answer. Changes nothing. */
final class StartSearch {

    /** The earliest slot in a gap and the one that the cluster would choose. */
    private static final int SLOTS = 2;

    private final List<Part> parts;
    private final InstantSource clock;
    private final long end;
    private boolean isBrokenOff;

    /**
     * Creates the search.
     *
     * @param most the time limit
     */
    StartSearch(List<Part> parts, Duration most, InstantSource clock) {
        this.parts = parts;
        this.clock = clock;
        this.end = clock.millis() + most.toMillis();
    }

    /** A part on one cluster. */
    record Part(AnyCluster cluster, Request request) {

        /** Returns what fits its terms from that time on. */
        Probed from(long time) {
            return cluster.probe(request.from(time), SLOTS);
        }

        /** Returns what fits its terms. */
        Probed probe() {
            return cluster.probe(request, SLOTS);
        }

        private Part withoutDeadline() {
            return new Part(cluster, request.on(request.terms().withoutDeadline()));
        }
    }

    private boolean isOver() {
        return clock.millis() > end;
    }

    /** Whether the search ended before it knew everything. */
    boolean isBrokenOff() {
        return isBrokenOff;
    }

    /** Returns the earliest common start at or after a time; empty if there is none or the search ended early. */
    OptionalLong commonStart(long from) {
        return commonStart(parts, from);
    }

    private OptionalLong commonStart(List<Part> asked, long from) {
        return CommonStart.find(
                from,
                asked.stream()
                        .<LongFunction<OptionalLong>>map(part -> time -> earliest(part, time))
                        .toList());
    }

    private OptionalLong earliest(Part part, long time) {
        isBrokenOff |= isOver();
        if (isBrokenOff) {
            return OptionalLong.empty();
        }
        return switch (part.from(time)) {
            case Probed.Slots(var found) ->
                found.stream().mapToLong(each -> each.slot().start()).min();
            case Probed.NoRoom _, Probed.Never _ -> OptionalLong.empty();
            case Probed.Unavailable() -> {
                isBrokenOff = true;
                yield OptionalLong.empty();
            }
        };
    }

    /**
     * Returns other common starts. They come from the alternatives of each part (paper 000, Algorithm 2) and from the earliest common start
     * at or after the ready times, however late, if all other parts have room there and their clusters offer it. Starts close in time are
     * examined first, while there is time.
     *
     * @param first the first start that is not before any ready time and leaves enough time to confirm
     * @param limit the most starts to return
     */
    Remedies others(long first, Leeway leeway, int limit) {
        var open = parts.stream().map(Part::withoutDeadline).toList();
        var late = commonStart(open, first);
        var starts = new TreeSet<Long>();
        late.ifPresent(starts::add);
        boolean isTruncated = false;
        for (var part : parts) {
            var others = isOver() ? Counteroffer.NOT_LOOKED_FOR : part.cluster.others(part.request, leeway);
            others.places().forEach(place -> starts.add(place.slot().start()));
            isTruncated |= others.isTruncated();
        }
        long soonest = clock.instant().getEpochSecond() + lead(parts);
        starts.removeIf(start -> start < soonest);
        var found = new ArrayList<OtherStart>();
        for (long start : nearest(starts, first)) {
            if (found.size() < limit && !isOver()) {
                at(start)
                        .filter(other -> other.places().stream().allMatch(place -> leeway.takes(place.phi())))
                        .ifPresent(found::add);
            } else {
                isTruncated = true;
            }
        }
        found.sort(OtherStart.NEAREST_FIRST);
        return new Remedies(
                List.copyOf(found),
                isTruncated || isBrokenOff,
                late.isPresent() ? end(open, late.getAsLong()) : OptionalLong.empty());
    }

    /** Returns how far ahead every part must start, in seconds. */
    static long lead(List<Part> parts) {
        return parts.stream().mapToLong(part -> part.cluster.leadTime()).max().orElseThrow();
    }

    /** Orders starts by their distance from the common starts of all windows. */
    private List<Long> nearest(Collection<Long> starts, long first) {
        long last = lastStart();
        return starts.stream()
                .sorted(Comparator.comparingLong(start -> Math.max(first - start, start - last)))
                .toList();
    }

    /** Returns the last common start of all windows, on standard PEs. */
    private long lastStart() {
        return parts.stream()
                .map(part -> part.request.terms())
                .mapToLong(terms -> terms.deadline().orElse(Long.MAX_VALUE) - terms.duration())
                .min()
                .orElseThrow();
    }

    /** Returns the places of all parts at exactly that start; empty if a part has none. */
    private Optional<OtherStart> at(long start) {
        var places = new ArrayList<AlternativePlace>();
        for (int i = 0; i < parts.size() && places.size() == i; i++) {
            var part = parts.get(i);
            var place = part.cluster.at(part.request, start);
            isBrokenOff |= place.isTruncated();
            places.addAll(place.places());
        }
        return places.size() == parts.size()
                ? Optional.of(new OtherStart(start, List.copyOf(places)))
                : Optional.empty();
    }

    /** Returns the end of the last part if all begin then; empty if one cannot. */
    private static OptionalLong end(List<Part> asked, long start) {
        var slots = asked.stream().flatMap(part -> slot(part, start)).toList();
        return slots.size() == asked.size()
                ? slots.stream().mapToLong(Slot::end).max()
                : OptionalLong.empty();
    }

    private static Stream<Slot> slot(Part part, long start) {
        return part.from(start) instanceof Probed.Slots(var found)
                ? found.stream()
                        .map(AnyCluster.Found::slot)
                        .filter(slot -> slot.start() == start)
                        .limit(1)
                : Stream.empty();
    }
}
