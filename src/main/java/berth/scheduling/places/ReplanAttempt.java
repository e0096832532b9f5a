package berth.scheduling.places;

import berth.availability.PlacementPolicy;
import berth.cluster.Binding;
import berth.cluster.Reshaping;
import berth.reservation.Reservation;
import berth.scheduling.ClusterSchedule;
import berth.scheduling.Event.MoveReason;
import berth.scheduling.Event.ReservationEvent;
import berth.scheduling.FreePes;
import berth.scheduling.Moves;
import berth.scheduling.Place;
import berth.scheduling.Ranking;
import berth.scheduling.ReplanMemo;
import berth.scheduling.ReplanQueue;
import berth.scheduling.Stretches;
import berth.scheduling.places.PlaceSearch.Search;
import berth.sla.Part;
import berth.sla.Terms;
import berth.time.Window;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;

/**
 * One attempt to admit a newcomer by replanning the waiting queue with Algorithm 1 of paper 000, section 3.2. The queue holds all
 * reservations that the provider may still move, in the cluster's order; running, held and final ones stay. The newcomer takes its index.
 * It is placed around the reservations before it, and those after it are placed around it, one after another. If one of these finds no
 * place, all return to their old places, and the newcomer continues from the index after that one (the paper's fixqueue). If the newcomer
 * itself finds none, it is refused. Reservations before its last index thus stay where they are.
 *
 * <p>Berth adds rules. Among equals, the one accepted first comes first, and the newcomer last; if the cluster bounds the moves of each
 * reservation, PREMIUM comes first among equals, and then the one moved most. No move brings a start closer than the
 * cluster's or the owner's notice. A reservation that finds no other place may keep its own, even if a newcomer could not have it because
 * the notice or the reservable share has changed. At the last index the newcomer is placed alongside all others in their present places, so
 * one that fits there is not refused. Limits of accounts do not bind the provider's moves. If the cluster limits the moves for one request,
 * a reservation beyond the limit counts as one without a place: the newcomer continues from the index after it.
 *
 * <p>The result is the paper's, but not every place is searched for again. Reservations that are not placed yet stay in the schedule except
 * where they overlap another's search. With first fit, a {@linkplain ReplanMemo settled} reservation stays as long as nothing that has
 * moved or arrived overlaps the time from its earliest start to its end. With {@code n} reservations in the queue an attempt takes O(n)
 * cheap steps plus O(log n + k) for each search, where {@code k} overlap its window. Under the other policies, whose rectangles extend back
 * to the present, all reservations after the newcomer are searched for, which makes 2 n searches in all attempts. If the order differs for
 * every newcomer, only the fact that no reservation moves to before its earliest start is remembered.
 *
 * <p>An attempt ends after 100,000 passes, in which a run that can be split counts several times, and the newcomer is refused as if nothing
 * could move. That cannot happen with up to 50,000 unsplit reservations in the queue.
 */
final class ReplanAttempt {

    /** The number of passes that cost as much as one search. */
    private static final int LOOKS = 100;

    /** The most passes; beyond them the newcomer is refused, because other commands wait for the decision. */
    private static final long MAX_PASSES = 100_000;

    private final ClusterSchedule schedule;
    private final Newcomer newcomer;
    private final long now;
    private final boolean isFirstFit;
    private final long notice;
    private final Reshaping reshaping;
    private final int mostMoves;
    private final ReplanQueue queue;
    private final BitSet settled;
    private int searches;
    private long passes;

    ReplanAttempt(ClusterSchedule schedule, Newcomer newcomer, long now) {
        this.schedule = schedule;
        this.newcomer = newcomer;
        this.now = now;
        var cluster = schedule.cluster();
        notice = cluster.policy().notice();
        reshaping = cluster.policy().replanning().reshaping();
        mostMoves = cluster.policy().replanning().maxMoves().orElse(Integer.MAX_VALUE);
        isFirstFit = cluster.policy().placement() == PlacementPolicy.FIRST_FIT;
        if (isSteady()) {
            var present = schedule.memo().now(schedule, Ranking.of(cluster, newcomer.id(), now), now);
            queue = present.queue();
            settled = isFirstFit ? present.settled() : new BitSet();
        } else {
            queue = ReplanQueue.of(schedule.reservations(), Ranking.of(cluster, newcomer.id(), now), now);
            settled = new BitSet();
        }
        forgetTheMisplaced();
        markTheEarliest();
    }

    /** Excludes reservations that could not get their present places now because the notice has become longer. */
    private void forgetTheMisplaced() {
        for (int at = settled.nextSetBit(0); at >= 0; at = settled.nextSetBit(at + 1)) {
            if (queue.start(at) < earliest(at)) {
                settled.clear(at);
            }
        }
    }

    /**
     * Marks the reservations that cannot end earlier. If PEs are interchangeable and all may be reserved, none can start before its
     * earliest place, nor end earlier in another shape than in the largest.
     */
    private void markTheEarliest() {
        var cluster = schedule.cluster();
        if (isFirstFit && cluster.binding() == Binding.LATE && cluster.reservablePes() == cluster.pes()) {
            for (int at = 0; at < queue.size(); at++) {
                if (queue.start(at) == earliest(at)
                        && queue.isWhole(at)
                        && (reshaping == Reshaping.WHERE_NEEDED || queue.isInLargestShape(at))) {
                    settled.set(at);
                }
            }
        }
    }

    private boolean isSteady() {
        return schedule.cluster().policy().replanning().order().isSteady();
    }

    private long earliest(int at) {
        return queue.earliest(at, notice, now);
    }

    /** Admits the newcomer by moving only the reservations in the way, see {@link LeastMoves}; empty if that is impossible. */
    Optional<JugglingResult.Found> admitMovingFew() {
        var few = new LeastMoves(schedule, newcomer, queue, now);
        var found = few.admit();
        searches += few.searches();
        passes += few.searches();
        return found.map(way -> new JugglingResult.Found(
                way.found(),
                way.moves(),
                isSteady() ? Optional.of(knownAfter(way.moves())) : Optional.empty(),
                effort()));
    }

    private ReplanMemo knownAfter(List<ReservationEvent> moves) {
        return ReplanMemo.of(queue, settled, now).afterMoves(schedule, moves);
    }

    /** Returns the place of the newcomer and the moves in the order of the queue; empty if it is refused. */
    Optional<JugglingResult.Found> admit() {
        int index = queue.countUpTo(newcomer.rank(schedule.cluster(), now), newcomer.turn(schedule.cluster()));
        var beside = new Room(schedule.free(), index);
        while (true) {
            beside.clear(
                    isFirstFit ? newcomer.terms().window().readyTime() : now,
                    newcomer.terms().window().deadline());
            searches += 1 + queue.size() / LOOKS;
            if (!(newcomer.look().apply(beside.free) instanceof Search.Found found)) {
                if (isSteady()) {
                    schedule.remember(ReplanMemo.of(queue, settled, now));
                }
                return Optional.empty();
            }
            var attempt = new Attempt(beside, found.place());
            int failed = attempt.placeAll();
            if (failed == queue.size()) {
                return Optional.of(attempt.accepted(found));
            }
            if (passes > MAX_PASSES) {
                return Optional.empty();
            }
            beside.leave(failed + 1);
        }
    }

    /** Returns the effort so far. */
    JugglingResult.Effort effort() {
        return new JugglingResult.Effort(searches, passes);
    }

    /** The free PEs while the reservations from an index on are replanned. In cleared time none of those has a place. */
    private final class Room {

        private FreePes free;
        private int index;
        private final BitSet cleared;
        /** The begin of the cleared time. Every reservation from the index on that overlaps that time is cleared. */
        private long clearFrom;

        private long clearTo;

        Room(FreePes free, int index) {
            this.free = free;
            this.index = index;
            cleared = new BitSet(queue.size());
        }

        Room(Room other) {
            free = other.free;
            index = other.index;
            cleared = (BitSet) other.cleared.clone();
            clearFrom = other.clearFrom;
            clearTo = other.clearTo;
        }

        /** Clears the places of the reservations that overlap {@code [from, to)}. */
        void clear(long from, long to) {
            if (clearFrom <= from && to <= clearTo) {
                return;
            }
            for (int at = index; at < queue.size(); at++) {
                if (queue.start(at) < to && from < queue.end(at) && !cleared.get(at)) {
                    free = free.giveBack(ReplanQueue.toCome(queue.get(at)));
                    cleared.set(at);
                }
            }
            boolean touch = from <= clearTo && clearFrom <= to;
            clearFrom = touch ? Math.min(clearFrom, from) : from;
            clearTo = touch ? Math.max(clearTo, to) : to;
        }

        /** Puts the reservations before that index back in their old places. */
        void leave(int next) {
            for (; index < next; index++) {
                if (cleared.get(index)) {
                    free = free.take(ReplanQueue.toCome(queue.get(index)));
                }
            }
        }
    }

    /** An attempt to place the reservations after the newcomer around it. */
    private final class Attempt {

        private final Room room;
        private final int first;
        private final TreeMap<Integer, Place> moved = new TreeMap<>();
        /** The reservations that keep their places because they find no other. */
        private final BitSet stuck = new BitSet();
        /** The time in which PEs have become free or were taken. */
        private final Stretches touched = new Stretches();

        Attempt(Room beside, Place newcomers) {
            room = new Room(beside);
            room.free = room.free.take(newcomers.parts());
            first = room.index;
            touch(newcomers.parts());
        }

        private void touch(List<Part> parts) {
            for (var part : parts) {
                touched.add(part.slot().start(), part.slot().end());
            }
        }

        /** Returns the index of the first reservation without a place; the size of the queue if all have one. */
        int placeAll() {
            for (int at = first; at < queue.size(); at++) {
                if (passes++ > MAX_PASSES) {
                    return at;
                }
                boolean isTouched = touched.overlap(earliest(at), queue.end(at));
                if (settled.get(at) && !isTouched) {
                    room.leave(at + 1);
                } else if (!placeAnew(at, isTouched)) {
                    return at;
                }
            }
            return queue.size();
        }

        private boolean placeAnew(int at, boolean isTouched) {
            var waiting = queue.get(at);
            var found = again(waiting, at);
            boolean keepsIts = found.filter(place -> place.parts().equals(ReplanQueue.toCome(waiting)))
                    .isPresent();
            if (found.isEmpty()) {
                room.clear(queue.start(at), queue.end(at));
                if (!mayKeep(ReplanQueue.toCome(waiting))) {
                    return false;
                }
                stuck.set(at);
            } else if (!keepsIts && moved.size() == mostMoves) {
                return false;
            } else if (!keepsIts) {
                moved.put(at, found.get());
                touch(ReplanQueue.toCome(waiting));
                touch(found.get().parts());
            } else if (!isTouched && maySettle(at)) {
                settled.set(at);
            }
            passes += weight(waiting.terms(), found);
            room.free = room.free.take(found.map(Place::parts).orElse(ReplanQueue.toCome(waiting)));
            room.index = at + 1;
            return true;
        }

        /**
         * Returns how many passes a reservation counts beyond the first. A shape that is kept is searched for step by step, and so are all
         * other shapes if it is not kept or need not be.
         */
        private int weight(Terms terms, Optional<Place> found) {
            boolean keepsShape = terms.shapes().size() == 1
                    || reshaping == Reshaping.WHERE_NEEDED
                            && found.filter(place -> place.parts().stream()
                                                    .mapToInt(Part::pes)
                                                    .distinct()
                                                    .count()
                                            == 1)
                                    .isPresent();
            return (keepsShape ? 1 : terms.shapes().size()) * terms.steps() - 1;
        }

        /** Returns a place for the reservation, another one or the same. */
        private Optional<Place> again(Reservation waiting, int at) {
            long deadline = ReplanQueue.deadline(waiting);
            if (earliest(at) >= deadline) {
                return Optional.empty();
            }
            var window = new Window(earliest(at), deadline);
            if (isFirstFit && waiting.terms().mostParts() == 1) {
                // the other reservations may still be in their old places, so the search cannot find too early a place
                room.clear(earliest(at), queue.end(at));
                var near = again(waiting, window).filter(place -> isNear(place, waiting, at));
                if (near.isPresent()) {
                    return near;
                }
            }
            room.clear(isFirstFit ? earliest(at) : now, deadline);
            return again(waiting, window);
        }

        private Optional<Place> again(Reservation waiting, Window window) {
            return search().again(waiting, window, reshaping);
        }

        private boolean isNear(Place place, Reservation waiting, int at) {
            return place.slot().end() <= queue.end(at)
                    && (reshaping == Reshaping.ALWAYS
                            || place.parts().getFirst().pes()
                                    == waiting.placement().pes());
        }

        private ShapeSearch search() {
            searches++;
            var cluster = schedule.cluster();
            return new ShapeSearch(room.free, cluster.policy().placement(), cluster.reservablePes(), now);
        }

        /** Whether parts outside the reservable share may be kept, which is so only if the reservation had them before. */
        private boolean mayKeep(List<Part> parts) {
            return parts.stream().allMatch(part -> room.free.hasRoomFor(part, false))
                    && (isInShare(room.free, parts)
                            || !isInShare(schedule.free().giveBack(parts), parts));
        }

        private boolean isInShare(FreePes free, List<Part> parts) {
            int most = schedule.cluster().reservablePes();
            return parts.stream()
                    .allMatch(part -> free.at(part.slot(), part.pes(), most).isPresent());
        }

        JugglingResult.Found accepted(Search.Found found) {
            var moves = new ArrayList<ReservationEvent>();
            moved.forEach(
                    (at, place) -> moves.add(Moves.to(place, queue.get(at), schedule, MoveReason.MADE_ROOM, now)));
            return new JugglingResult.Found(
                    found, moves, isSteady() ? Optional.of(known(moves)) : Optional.empty(), effort());
        }

        /**
         * Returns the replan memo after the attempt. It lists a replanned reservation as settled, with three exceptions: the reservation
         * can be split, the placement policy is not first fit, or no other place than its own was found.
         */
        private ReplanMemo known(List<ReservationEvent> moves) {
            var all = (BitSet) settled.clone();
            for (int at = first; at < queue.size(); at++) {
                all.set(at, maySettle(at) && !stuck.get(at));
            }
            boolean isTheSameQueue =
                    !schedule.cluster().policy().replanning().moves().spare()
                            && moves.stream()
                                    .allMatch(move -> move.reservation().isMovable(now));
            if (!isTheSameQueue) {
                // those that have moved may come earlier among equals now, or cannot move again
                var known = ReplanMemo.of(queue, all, now).afterMoves(schedule, moves);
                for (var move : moves) {
                    for (var part : move.reservation().parts()) {
                        known = known.freeing(part.slot());
                    }
                }
                return known;
            }
            var there = moves.stream().map(ReservationEvent::reservation).toList();
            return ReplanMemo.of(queue.moved(there, List.copyOf(moved.keySet())), all, now);
        }
    }

    private boolean maySettle(int at) {
        return isFirstFit && queue.isWhole(at);
    }
}
