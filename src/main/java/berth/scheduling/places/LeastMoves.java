package berth.scheduling.places;

import berth.availability.CapacityProfile;
import berth.availability.PlacementPolicy;
import berth.cluster.Binding;
import berth.cluster.Reshaping;
import berth.scheduling.ClusterSchedule;
import berth.scheduling.Event.MoveReason;
import berth.scheduling.Event.ReservationEvent;
import berth.scheduling.FreePes;
import berth.scheduling.Moves;
import berth.scheduling.Place;
import berth.scheduling.ReplanQueue;
import berth.scheduling.places.PlaceSearch.Search;
import berth.sla.Part;
import berth.sla.ServiceClass;
import berth.sla.Shape;
import berth.sla.Terms;
import berth.time.Slot;
import berth.time.Window;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.pcollections.HashTreePMap;
import org.pcollections.PMap;

/**
 * Makes room for a newcomer by moving only the reservations in its way, and in turn those in their way. This is Berth's own method: paper
 * 000's Algorithm 1 replans everything behind the newcomer and so shifts a whole row where moving one reservation would be enough.
 *
 * <p>A <em>way</em> to make room is found as follows. If PEs are missing, the search considers stretches of the run's length. They begin at
 * the earliest start or where something ends, or end where something begins or at the deadline. Stretches with too little room even without
 * all reservations that can give way are excluded. Of the others it takes the few in which the fewest PE-seconds are missing, the earliest
 * among equals. All reservations that can give way leave the stretch, the newcomer takes its place, and the others return to their places
 * while there is room: once in the order of the queue, and once smallest first. A reservation whose place is then taken is in the way.
 *
 * <p>Ways are tried by the number of reservations in the way; then, if the cluster bounds the moves of each reservation, by how many of them
 * are PREMIUM and how often they were moved before; then by their PE-seconds, then by the start of the newcomer's place. Each
 * reservation in the way gets another place as by Algorithm 1, in the order of the queue, alongside the reservations in their places at
 * that time. First all ways are tried without further moves; then ways in which other reservations make room for those; then one step
 * further. No reservation moves twice. Of the PEs that no other reservation could get, a reservation keeps only those that it has already
 * and that are in no other's way.
 *
 * <p>A reservation can give way if it is movable and has another place to go to. On a cluster where PEs are interchangeable, a run with one
 * shape, one part and only one possible start cannot give way. The method makes at most {@link #MAX_SEARCHES} searches; {@link #LOOKS}
 * reservations that leave and return count as one more. Each takes O(log n + k), where k overlap its window, plus a cheap check of each of
 * the n in the queue. The result depends only on the schedule, the newcomer and the time.
 */
final class LeastMoves {

    /** The most stretches to consider. */
    static final int MAX_STRETCHES = 8;

    /** The most levels at which reservations make room for others that make room. */
    static final int DEEPEST = 2;

    /** The most searches; beyond them Algorithm 1 is faster. */
    static final int MAX_SEARCHES = 200;

    /** The number of reservations whose removal and return costs about as much as one search. */
    static final int LOOKS = 20;

    private final ClusterSchedule schedule;
    private final Newcomer newcomer;
    private final ReplanQueue queue;
    private final long now;
    private final long notice;
    private final int most;
    private int searches;

    LeastMoves(ClusterSchedule schedule, Newcomer newcomer, ReplanQueue queue, long now) {
        this.schedule = schedule;
        this.newcomer = newcomer;
        this.queue = queue;
        this.now = now;
        notice = schedule.cluster().policy().notice();
        most = schedule.cluster().policy().replanning().maxMoves().orElse(Integer.MAX_VALUE);
    }

    /** Returns the place of the newcomer and the moves in the order of the queue, without a replan memo; empty if there is none. */
    Optional<JugglingResult.Found> admit() {
        var ways = ways(new Lying(schedule.free(), HashTreePMap.empty(), new BitSet()), wish(newcomer));
        for (int depth = 0; depth <= DEEPEST; depth++) {
            for (var way : ways) {
                var lying = replaced(way.lying(), way.inTheWay(), depth);
                if (lying.isPresent()) {
                    return Optional.of(new JugglingResult.Found(
                            way.found(), moves(lying.get()), Optional.empty(), JugglingResult.Effort.ONE));
                }
            }
        }
        return Optional.empty();
    }

    /** Returns the number of searches so far. */
    int searches() {
        return searches;
    }

    /** Returns the moves. A reservation that is back in its old place has not moved. */
    private List<ReservationEvent> moves(Lying lying) {
        var moves = new ArrayList<ReservationEvent>();
        new TreeMap<>(lying.moved()).forEach((at, place) -> {
            if (!place.parts().equals(toCome(at))) {
                moves.add(Moves.to(place, queue.get(at), schedule, MoveReason.MADE_ROOM, now));
            }
        });
        return moves;
    }

    /**
     * The present places of all reservations.
     *
     * @param moved the new places, by index in the queue
     * @param out the indices of reservations that are not in their old places
     */
    private record Lying(FreePes free, PMap<Integer, Place> moved, BitSet out) {

        Lying moving(int at, Place to) {
            return new Lying(free, moved.plus(at, to), out);
        }

        Lying taking(Place place) {
            return new Lying(free.take(place.parts()), moved, out);
        }
    }

    /**
     * The needs of a newcomer or displaced reservation.
     *
     * @param look returns its place among given free PEs
     * @param from the earliest start
     * @param latest the latest start in the largest shape, if that fits at all
     * @param deadline the latest end
     */
    private record Wish(Function<FreePes, Search> look, Terms terms, long from, long latest, long deadline) {

        /** Returns the largest and the smallest shape. The search for the place tries those in between. */
        List<Shape> shapes() {
            return Stream.of(terms.shapes().getFirst(), terms.shapes().getLast())
                    .distinct()
                    .toList();
        }
    }

    private Wish wish(Newcomer who) {
        long from = who.start().orElse(Math.max(now, who.terms().window().readyTime()));
        return new Wish(
                who.look(),
                who.terms(),
                from,
                who.start().orElse(who.terms().latestStart()),
                who.terms().window().deadline());
    }

    private Wish wish(int at) {
        var waiting = queue.get(at);
        var cluster = schedule.cluster();
        long earliest = earliest(at);
        long deadline = ReplanQueue.deadline(waiting);
        var window = new Window(earliest, deadline);
        Reshaping reshaping = cluster.policy().replanning().reshaping();
        PlacementPolicy policy = cluster.policy().placement();
        return new Wish(
                free -> Search.of(
                        new ShapeSearch(free, policy, cluster.reservablePes(), now).again(waiting, window, reshaping),
                        waiting.price()),
                waiting.terms(),
                earliest,
                ReplanQueue.latestStart(waiting),
                deadline);
    }

    private long earliest(int at) {
        return queue.earliest(at, notice, now);
    }

    /**
     * A way to make room.
     *
     * @param lying all places, with the newcomer's taken and without those of reservations in the way
     * @param inTheWay the reservations that need another place, in the order of the queue
     * @param premium how many of these are PREMIUM; 0 if the cluster spares none
     * @param moves how often these were moved before; 0 if the cluster spares none
     * @param work the PE-seconds of these
     */
    private record Way(Search.Found found, Lying lying, List<Integer> inTheWay, long premium, long moves, long work) {

        private static final Comparator<Way> FEWEST_FIRST = Comparator.<Way>comparingInt(
                        way -> way.inTheWay().size())
                .thenComparingLong(Way::premium)
                .thenComparingLong(Way::moves)
                .thenComparingLong(Way::work)
                .thenComparingLong(way -> way.found().slot().start());
    }

    /** Finds other places for the displaced reservations. */
    private Optional<Lying> replaced(Lying before, List<Integer> homeless, int depth) {
        var lying = before;
        for (int at : homeless) {
            var next = anew(lying, at, depth);
            if (next.isEmpty()) {
                return Optional.empty();
            }
            lying = next.get();
        }
        return Optional.of(lying);
    }

    /** Finds another place for one reservation. Others may make room for it if {@code depth} is above 0. */
    private Optional<Lying> anew(Lying lying, int at, int depth) {
        if (searches >= MAX_SEARCHES) {
            return Optional.empty();
        }
        searches++;
        var wish = wish(at);
        if (wish.look().apply(lying.free()) instanceof Search.Found found) {
            return Optional.of(lying.taking(found.place()).moving(at, found.place()));
        }
        if (depth > 0) {
            for (var way : ways(lying, wish)) {
                var next = replaced(way.lying().moving(at, way.found().place()), way.inTheWay(), depth - 1);
                if (next.isPresent()) {
                    return next;
                }
            }
        }
        return Optional.empty();
    }

    /** Returns the ways to make room, in the order in which to try them. */
    private List<Way> ways(Lying lying, Wish wish) {
        var others = whoCanGiveWay(lying, wish);
        searches += 1 + others.size() / LOOKS;
        var without = without(lying.free(), others);
        if (!(wish.look().apply(without) instanceof Search.Found)) {
            return List.of();
        }
        return stretches(lying.free().profile(), without.profile(), others, wish).stream()
                .flatMap(stretch -> ways(lying, wish, others, stretch))
                .filter(way -> way.lying().out().cardinality() <= most)
                .sorted(Way.FEWEST_FIRST)
                .toList();
    }

    private FreePes without(FreePes free, List<Integer> those) {
        var rest = free;
        for (int at : those) {
            rest = rest.giveBack(toCome(at));
        }
        return rest;
    }

    private List<Part> toCome(int at) {
        return ReplanQueue.toCome(queue.get(at));
    }

    private List<Integer> whoCanGiveWay(Lying lying, Wish wish) {
        var all = new ArrayList<Integer>();
        for (int at = 0; at < queue.size(); at++) {
            boolean isThere = queue.start(at) < wish.deadline() && wish.from() < queue.end(at);
            if (isThere && !lying.out().get(at) && canGiveWay(at)) {
                all.add(at);
            }
        }
        return all;
    }

    private boolean canGiveWay(int at) {
        var terms = queue.get(at).terms();
        long latest = ReplanQueue.latestStart(queue.get(at));
        boolean isOnlyElsewhere =
                schedule.cluster().binding() == Binding.LATE && terms.shapes().size() == 1 && queue.isWhole(at);
        return isOnlyElsewhere ? earliest(at) < latest : earliest(at) <= latest;
    }

    /** Returns the stretches to consider, fewest missing PE-seconds first. */
    private List<Slot> stretches(CapacityProfile free, CapacityProfile without, List<Integer> others, Wish wish) {
        int spared = schedule.cluster().pes() - schedule.cluster().reservablePes();
        var window = new Slot(wish.from(), wish.deadline());
        var all = new ArrayList<Missing>();
        for (var shape : wish.shapes()) {
            long length = Math.min(shape.runTime(), window.duration());
            var missing = new Lack(free, window, shape.pes() + spared);
            var never = new Lack(without, window, shape.pes());
            LongStream.concat(
                            LongStream.of(wish.from(), wish.latest()),
                            edges(window, without, others).flatMap(edge -> LongStream.of(edge, edge - length)))
                    .filter(start -> wish.from() <= start && start <= wish.latest())
                    .filter(start -> start + length <= wish.deadline())
                    .sorted()
                    .distinct()
                    .mapToObj(start -> Slot.of(start, length))
                    .filter(stretch -> never.in(stretch) == 0)
                    .forEach(stretch -> all.add(new Missing(stretch, missing.in(stretch))));
        }
        return all.stream()
                .sorted(Missing.FEWEST_FIRST)
                .limit(MAX_STRETCHES)
                .map(Missing::stretch)
                .toList();
    }

    private LongStream edges(Slot window, CapacityProfile without, List<Integer> others) {
        var theirs = others.stream()
                .flatMap(at -> toCome(at).stream())
                .flatMapToLong(
                        part -> LongStream.of(part.slot().start(), part.slot().end()));
        var steps = without.steps(window).stream().mapToLong(step -> step.start());
        return LongStream.concat(theirs, steps);
    }

    private record Missing(Slot stretch, long peSeconds) {

        private static final Comparator<Missing> FEWEST_FIRST = Comparator.comparingLong(Missing::peSeconds)
                .thenComparingLong(missing -> missing.stretch().start());
    }

    /** The PE-seconds that are missing over time for a number of wanted PEs. */
    private static final class Lack {

        private final long[] starts;
        /** The missing PEs in each second from the time at the same index on. */
        private final long[] pes;
        /** The missing PE-seconds up to the time at the same index. */
        private final long[] peSeconds;

        Lack(CapacityProfile free, Slot window, int wanted) {
            var steps = free.steps(window);
            starts = new long[steps.size()];
            pes = new long[steps.size()];
            peSeconds = new long[steps.size()];
            for (int i = 0; i < steps.size(); i++) {
                starts[i] = steps.get(i).start();
                pes[i] = Math.max(0, wanted - steps.get(i).free());
                peSeconds[i] = i == 0 ? 0 : peSeconds[i - 1] + pes[i - 1] * (starts[i] - starts[i - 1]);
            }
        }

        long in(Slot slot) {
            return before(slot.end()) - before(slot.start());
        }

        private long before(long second) {
            int at = Arrays.binarySearch(starts, second);
            int step = at >= 0 ? at : -at - 2;
            return peSeconds[step] + pes[step] * (second - starts[step]);
        }
    }

    /** Returns the ways to make room in a stretch. */
    private Stream<Way> ways(Lying lying, Wish wish, List<Integer> others, Slot stretch) {
        var there = others.stream().filter(at -> lies(at, stretch)).toList();
        searches += 1 + there.size() / LOOKS;
        if (!(wish.look().apply(without(lying.free(), there)) instanceof Search.Found found)) {
            return Stream.empty();
        }
        var smallest = there.stream()
                .sorted(Comparator.comparingInt(at -> toCome(at).getFirst().pes()))
                .toList();
        return Stream.of(there, smallest).distinct().map(comingBack -> way(lying, found, comingBack));
    }

    private boolean lies(int at, Slot stretch) {
        return toCome(at).stream().anyMatch(part -> part.slot().overlaps(stretch));
    }

    private Way way(Lying lying, Search.Found found, List<Integer> comingBack) {
        var free = without(lying.free(), comingBack).take(found.place().parts());
        var out = (BitSet) lying.out().clone();
        var inTheWay = new ArrayList<Integer>();
        long work = 0;
        for (int at : comingBack) {
            if (mayStay(free, toCome(at))) {
                free = free.take(toCome(at));
            } else {
                out.set(at);
                inTheWay.add(at);
                work += work(toCome(at));
            }
        }
        inTheWay.sort(Comparator.naturalOrder());
        boolean spares = schedule.cluster().policy().replanning().moves().spare();
        return new Way(
                found,
                new Lying(free, lying.moved(), out),
                inTheWay,
                spares ? inTheWay.stream().filter(this::isPremium).count() : 0,
                spares ? inTheWay.stream().mapToLong(this::movesOf).sum() : 0,
                work);
    }

    private boolean isPremium(int at) {
        return queue.get(at).origin().serviceClass() == ServiceClass.PREMIUM;
    }

    private long movesOf(int at) {
        return queue.get(at).status().moves().count();
    }

    private static long work(List<Part> parts) {
        return parts.stream()
                .mapToLong(part -> part.slot().duration() * part.pes())
                .sum();
    }

    /** Whether a reservation may keep its place: when a newcomer arrives, none may lie outside the reservable share. */
    private boolean mayStay(FreePes free, List<Part> parts) {
        int among = schedule.cluster().reservablePes();
        return parts.stream()
                .allMatch(part -> free.hasRoomFor(part, false)
                        && free.at(part.slot(), part.pes(), among).isPresent());
    }
}
