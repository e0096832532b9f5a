package berth.scheduling.places;

import berth.cluster.Binding;
import berth.cluster.Cluster;
import berth.reservation.ReservationId;
import berth.scheduling.PlainJuggling.Placed;
import berth.scheduling.PlainJuggling.Waiting;
import berth.scheduling.PlainPlace;
import berth.scheduling.PlainRoom;
import berth.sla.ServiceClass;
import berth.time.Slot;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.LongStream;
import java.util.stream.Stream;

/** The oracle for {@link LeastMoves}: second by second, for runs with one part and one shape, with every room newly built. */
public final class PlainLeastMoves {

    private final Cluster cluster;
    private final Supplier<PlainRoom> fixed;
    private final List<Waiting> queue;
    private final long now;
    private final int most;
    private int searches;

    /**
     * Creates the oracle.
     *
     * @param queue the queue in order
     */
    public PlainLeastMoves(Cluster cluster, Supplier<PlainRoom> fixed, List<Waiting> queue, long now) {
        this.cluster = cluster;
        this.fixed = fixed;
        this.queue = queue;
        this.now = now;
        most = cluster.policy().replanning().maxMoves().orElse(Integer.MAX_VALUE);
    }

    /** The present places; a reservation in neither map has none. */
    private record Lying(Map<Waiting, PlainPlace> stayed, Map<Waiting, PlainPlace> arrived) {

        Lying without(List<Waiting> those) {
            var rest = new LinkedHashMap<>(stayed);
            rest.keySet().removeAll(those);
            return new Lying(rest, arrived);
        }

        Lying with(Waiting one, PlainPlace place) {
            var all = new LinkedHashMap<>(arrived);
            all.put(one, place);
            return new Lying(stayed, all);
        }

        Lying back(Waiting one) {
            var all = new LinkedHashMap<>(stayed);
            all.put(one, one.place());
            return new Lying(all, arrived);
        }
    }

    /** Whether some are spared among equals. */
    private boolean spares() {
        return cluster.policy().replanning().moves().bounds().maxMoves().isPresent();
    }

    private record Way(PlainPlace place, Lying lying, List<Waiting> inTheWay) {

        private long premium() {
            return inTheWay.stream()
                    .filter(one -> one.serviceClass() == ServiceClass.PREMIUM)
                    .count();
        }

        private int moves() {
            return inTheWay.stream().mapToInt(Waiting::moves).sum();
        }

        private long work() {
            return inTheWay.stream()
                    .mapToLong(one -> one.terms().runTime() * one.terms().pes())
                    .sum();
        }
    }

    private PlainRoom room(Lying lying) {
        var room = fixed.get();
        Stream.of(lying.stayed(), lying.arrived())
                .forEach(some -> some.forEach(
                        (one, place) -> room.take(place.slot(), one.terms().pes(), place.peIds())));
        return room;
    }

    public Optional<Placed> admit(
            Waiting newcomer, OptionalLong start, Function<PlainRoom, Optional<PlainPlace>> look) {
        var asTheyLie = new LinkedHashMap<Waiting, PlainPlace>();
        queue.forEach(one -> asTheyLie.put(one, one.place()));
        var terms = newcomer.terms();
        long from = start.orElse(Math.max(now, terms.window().readyTime()));
        var ways = ways(new Lying(asTheyLie, Map.of()), newcomer, look, from, start.orElse(newcomer.latest()));
        for (int depth = 0; depth <= LeastMoves.DEEPEST; depth++) {
            for (var way : ways) {
                var end = replaced(way.lying(), way.inTheWay(), depth);
                if (end.isPresent()) {
                    var moves = new HashMap<ReservationId, PlainPlace>();
                    end.get().arrived().forEach((one, place) -> moves.put(one.id(), place));
                    moves.remove(newcomer.id());
                    var inOrder = new LinkedHashMap<ReservationId, PlainPlace>();
                    queue.stream()
                            .filter(one -> moves.containsKey(one.id()))
                            .filter(one -> !one.place().equals(moves.get(one.id())))
                            .forEach(one -> inOrder.put(one.id(), moves.get(one.id())));
                    return Optional.of(new Placed(way.place(), inOrder));
                }
            }
        }
        return Optional.empty();
    }

    private Optional<Lying> replaced(Lying before, List<Waiting> homeless, int depth) {
        var lying = Optional.of(before);
        for (var one : homeless) {
            lying = lying.flatMap(there -> anew(there, one, depth));
        }
        return lying;
    }

    private Optional<Lying> anew(Lying lying, Waiting one, int depth) {
        if (searches >= LeastMoves.MAX_SEARCHES) {
            return Optional.empty();
        }
        searches++;
        var place = again(room(lying), one);
        if (place.isPresent()) {
            return Optional.of(lying.with(one, place.get()));
        }
        if (depth == 0) {
            return Optional.empty();
        }
        for (var way : ways(lying, one, room -> again(room, one), earliest(one), one.latest())) {
            var next = replaced(way.lying(), way.inTheWay(), depth - 1);
            if (next.isPresent()) {
                return next;
            }
        }
        return Optional.empty();
    }

    private long earliest(Waiting one) {
        long ahead = Math.max(
                cluster.policy().notice(), one.terms().fixing().before().orElse(0));
        return Math.max(one.within().readyTime(), now + ahead);
    }

    private Optional<PlainPlace> again(PlainRoom room, Waiting one) {
        var terms = one.terms();
        int among = cluster.reservablePes();
        var start = room.choose(earliest(one), one.latest(), terms.runTime(), terms.pes(), among, now);
        return start.stream()
                .mapToObj(second -> Slot.of(second, terms.runTime()))
                .map(slot -> new PlainPlace(slot, room.bound(slot, terms.pes(), among)))
                .findFirst();
    }

    private List<Way> ways(
            Lying lying, Waiting who, Function<PlainRoom, Optional<PlainPlace>> look, long from, long latest) {
        long deadline = who.within().deadline();
        var others = queue.stream()
                .filter(lying.stayed()::containsKey)
                .filter(this::canGiveWay)
                .filter(one -> one.place().slot().start() < deadline
                        && from < one.place().slot().end())
                .toList();
        searches += 1 + others.size() / LeastMoves.LOOKS;
        if (look.apply(room(lying.without(others))).isEmpty()) {
            return List.of();
        }
        long length = who.terms().runTime();
        var without = room(lying.without(others));
        var there = room(lying);
        var edges = edges(others, without, from, deadline);
        return LongStream.rangeClosed(from, latest)
                .filter(start ->
                        start == from || start == latest || edges.contains(start) || edges.contains(start + length))
                .mapToObj(start -> Slot.of(start, length))
                .filter(stretch -> without.fewest(stretch) >= who.terms().pes())
                .sorted(Comparator.<Slot>comparingLong(stretch -> missing(there, stretch, who))
                        .thenComparingLong(Slot::start))
                .limit(LeastMoves.MAX_STRETCHES)
                .flatMap(stretch -> ways(lying, who, look, others, stretch).stream())
                .filter(way -> queue.size() - way.lying().stayed().size() <= most)
                .sorted(Comparator.<Way>comparingInt(way -> way.inTheWay().size())
                        .thenComparingLong(way -> spares() ? way.premium() : 0)
                        .thenComparingInt(way -> spares() ? way.moves() : 0)
                        .thenComparingLong(Way::work)
                        .thenComparingLong(way -> way.place().slot().start()))
                .toList();
    }

    private boolean canGiveWay(Waiting one) {
        return cluster.binding() == Binding.LATE ? earliest(one) < one.latest() : earliest(one) <= one.latest();
    }

    private static Set<Long> edges(List<Waiting> others, PlainRoom without, long from, long deadline) {
        var edges = new LinkedHashSet<Long>();
        others.forEach(one -> edges.addAll(
                List.of(one.place().slot().start(), one.place().slot().end())));
        LongStream.range(from + 1, deadline)
                .filter(second -> without.fewest(Slot.of(second, 1)) != without.fewest(Slot.of(second - 1, 1)))
                .forEach(edges::add);
        return edges;
    }

    private long missing(PlainRoom room, Slot stretch, Waiting who) {
        int wanted = who.terms().pes() + cluster.pes() - cluster.reservablePes();
        return LongStream.range(stretch.start(), stretch.end())
                .map(second -> Math.max(0, wanted - room.fewest(Slot.of(second, 1))))
                .sum();
    }

    private List<Way> ways(
            Lying lying,
            Waiting who,
            Function<PlainRoom, Optional<PlainPlace>> look,
            List<Waiting> others,
            Slot stretch) {
        var there = others.stream()
                .filter(one -> one.place().slot().overlaps(stretch))
                .toList();
        searches += 1 + there.size() / LeastMoves.LOOKS;
        var found = look.apply(room(lying.without(there)));
        if (found.isEmpty()) {
            return List.of();
        }
        var ways = new ArrayList<Way>();
        var smallest = new ArrayList<>(there);
        smallest.sort(Comparator.comparingInt(one -> one.terms().pes()));
        for (var comingBack : smallest.equals(there) ? List.of(there) : List.of(there, smallest)) {
            var then = lying.without(there).with(who, found.get());
            for (var one : comingBack) {
                then = mayStay(room(then), one) ? then.back(one) : then;
            }
            var staying = then.stayed().keySet();
            ways.add(new Way(
                    found.get(),
                    then,
                    there.stream().filter(one -> !staying.contains(one)).toList()));
        }
        return ways;
    }

    private boolean mayStay(PlainRoom room, Waiting one) {
        return room.has(one.place(), one.terms().pes())
                && room.isFree(one.place().slot(), one.terms().pes(), cluster.reservablePes());
    }
}
