package berth.scheduling;

import berth.availability.CapacityProfile;
import berth.availability.PeSet;
import berth.cluster.Outage;
import berth.sla.Part;
import berth.time.Slot;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import java.util.stream.Stream;

/**
 * What outages claim together. Claims may overlap: out of service are the PEs that any outage names, and beside them as many as the others
 * claim, but never more than the cluster has. A PE therefore returns only when every outage that claims it has ended.
 *
 * @param outages the outages, in no particular order
 * @param pes the PEs of the cluster
 */
public record OutageClaims(Collection<Outage> outages, int pes) {

    /** The claims at one time: the PEs that are named, and how many more are claimed without names. */
    private record Sum(PeSet named, long unnamed) {

        Sum with(Outage outage, int pes) {
            return outage.peIdsBelow(pes)
                    .map(ids -> new Sum(named.or(ids), unnamed))
                    .orElseGet(() -> new Sum(named, unnamed + outage.pes()));
        }

        int out(int pes) {
            return (int) Math.min(pes, named.size() + unnamed);
        }

        /** Returns the numbers of the PEs; empty if some have none. */
        Optional<PeSet> peIds() {
            return unnamed == 0 ? Optional.of(named) : Optional.empty();
        }
    }

    private Sum at(long second) {
        var sum = new Sum(PeSet.NONE, 0);
        for (var outage : outages) {
            sum = outage.slot().contains(second) ? sum.with(outage, pes) : sum;
        }
        return sum;
    }

    /**
     * Returns how many PEs of a run are out of service during {@code slot}, in order, with numbers if it has some.
     *
     * @param most the PEs of the run
     * @param ids their numbers with early binding, otherwise empty
     */
    List<Part> on(int most, Optional<PeSet> ids, Slot slot) {
        var parts = new ArrayList<Part>();
        forEach(slot, (stretch, sum) -> {
            var lost = ids.map(sum.named::and);
            add(stretch, lost.map(PeSet::size).orElse(Math.min(most, sum.out(pes))), lost, parts);
        });
        return parts;
    }

    /** Returns the PEs that outages name in a second. */
    PeSet namedAt(long second) {
        return at(second).named;
    }

    /** Returns the beginnings of the stretches of {@code slot} in which the same outages hold, ascending. */
    List<Long> beginnings(Slot slot) {
        var changes = outages.stream()
                .flatMapToLong(
                        outage -> LongStream.of(outage.from(), outage.slot().end()));
        return LongStream.concat(LongStream.of(slot.start()), changes)
                .filter(slot::contains)
                .distinct()
                .sorted()
                .boxed()
                .toList();
    }

    /** Returns what is out of service, in order, with numbers where all of it has numbers. O(k log k) for k outages, of which few overlap. */
    List<Part> all() {
        if (outages.isEmpty()) {
            return List.of();
        }
        long from = outages.stream().mapToLong(Outage::from).min().orElseThrow();
        var slot = new Slot(from, Long.MAX_VALUE);
        var parts = new ArrayList<Part>();
        forEach(slot, (stretch, sum) -> add(stretch, sum.out(pes), sum.peIds(), parts));
        return parts;
    }

    /**
     * Returns what another outage takes out of service that these leave in service, in order, with numbers where all of it has numbers.
     * O(k log k) for k outages, of which few overlap.
     */
    public List<Part> left(Outage other) {
        var parts = new ArrayList<Part>();
        forEach(other.slot(), (stretch, sum) -> {
            var both = sum.with(other, pes);
            add(stretch, both.out(pes) - sum.out(pes), both.peIds().map(ids -> ids.minus(sum.named)), parts);
        });
        return parts;
    }

    private interface Stretch {
        void accept(Slot stretch, Sum sum);
    }

    private void forEach(Slot slot, Stretch then) {
        var beginnings = beginnings(slot);
        var toCome = new ArrayDeque<>(
                outages.stream().sorted(Comparator.comparingLong(Outage::from)).toList());
        var present = new ArrayList<Outage>();
        for (int i = 0; i < beginnings.size(); i++) {
            long start = beginnings.get(i);
            while (!toCome.isEmpty() && toCome.peek().from() <= start) {
                present.add(toCome.poll());
            }
            present.removeIf(outage -> outage.slot().end() <= start);
            var sum = new Sum(PeSet.NONE, 0);
            for (var outage : present) {
                sum = sum.with(outage, pes);
            }
            then.accept(new Slot(start, i + 1 < beginnings.size() ? beginnings.get(i + 1) : slot.end()), sum);
        }
    }

    private static void add(Slot slot, int pes, Optional<PeSet> ids, List<Part> parts) {
        if (pes > 0) {
            parts.add(new Part(slot, pes, ids, 1));
        }
    }

    /** Returns the PEs that remain in service over time. */
    public CapacityProfile inService() {
        var rest = CapacityProfile.of(pes);
        for (var part : all()) {
            rest = rest.take(part.slot(), part.pes());
        }
        return rest;
    }

    /** Returns the PEs that no outage names in any second of {@code slot}. */
    public PeSet unnamed(Slot slot) {
        return PeSet.range(0, pes)
                .minus(named(outages.stream().filter(outage -> outage.slot().overlaps(slot))));
    }

    /** Returns the PEs that any outage names. */
    PeSet named() {
        return named(outages.stream());
    }

    private static PeSet named(Stream<Outage> some) {
        return some.flatMap(outage -> outage.peIds().stream()).reduce(PeSet.NONE, PeSet::or);
    }

    /** Returns these claims and another one. */
    OutageClaims with(Outage outage) {
        return new OutageClaims(
                Stream.concat(outages.stream(), Stream.of(outage)).collect(Collectors.toList()), pes);
    }
}
