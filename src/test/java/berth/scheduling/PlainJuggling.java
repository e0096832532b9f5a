package berth.scheduling;

import berth.cluster.Cluster;
import berth.cluster.Juggling;
import berth.cluster.ReplanOrder;
import berth.reservation.ReservationId;
import berth.scheduling.places.PlainLeastMoves;
import berth.sla.ServiceClass;
import berth.sla.Terms;
import berth.time.Slot;
import berth.time.Window;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * The oracle for juggling: paper 000, Algorithm 1, second by second, for runs with one part and one shape.
 *
 * @param fixed returns the room beside all immovable reservations, newly built each time
 * @param queue the movable reservations
 */
public record PlainJuggling(Cluster cluster, Supplier<PlainRoom> fixed, List<Waiting> queue, long now) {

    /** A movable reservation or a newcomer. */
    public record Waiting(
            ReservationId id,
            ServiceClass serviceClass,
            int moves,
            Terms terms,
            Window within,
            long acceptedAt,
            PlainPlace place) {

        /** Returns the latest start. */
        public long latest() {
            return within.deadline() - terms.runTime();
        }
    }

    /** Returns the time in which a run may be moved that was agreed in that slot. */
    public static Window within(Terms terms, Slot agreed) {
        var window = terms.window();
        long shift = terms.mobility().maxShift().orElse(Integer.MAX_VALUE);
        return new Window(
                Math.max(window.readyTime(), agreed.start() - shift),
                Math.min(window.deadline(), agreed.end() + shift));
    }

    /** Whether the bounds of the terms allow no move. */
    public static boolean isPut(Terms terms) {
        return terms.mobility().maxMoves().orElse(1) == 0;
    }

    /** The place of the newcomer and those of moved reservations, in the order of the queue. */
    public record Placed(PlainPlace newcomer, Map<ReservationId, PlainPlace> moves) {}

    /**
     * Admits a newcomer.
     *
     * @param newcomer the newcomer; its place is ignored, and {@code look} finds one
     * @param start its only acceptable start, if there is one
     */
    public Optional<Placed> admit(
            Waiting newcomer, OptionalLong start, Function<PlainRoom, Optional<PlainPlace>> look) {
        var waiting = inOrder(newcomer);
        return cluster.policy().juggling() == Juggling.LEAST_MOVES
                ? new PlainLeastMoves(cluster, fixed, waiting, now)
                        .admit(newcomer, start, look)
                        .or(() -> shifted(waiting, newcomer, look))
                : shifted(waiting, newcomer, look);
    }

    private List<Waiting> inOrder(Waiting newcomer) {
        var waiting = new ArrayList<>(queue);
        waiting.sort(order(cluster, newcomer.id(), now));
        return waiting;
    }

    /** Algorithm 1. */
    private Optional<Placed> shifted(
            List<Waiting> waiting, Waiting newcomer, Function<PlainRoom, Optional<PlainPlace>> look) {
        int most = cluster.policy().replanning().maxMoves().orElse(Integer.MAX_VALUE);
        int index = 0;
        var before = byTurn(cluster, newcomer.id(), now);
        while (index < waiting.size() && before.compare(waiting.get(index), newcomer) <= 0) {
            index++;
        }
        for (; ; index++) {
            var room = fixed.get();
            for (var one : waiting.subList(0, index)) {
                take(room, one, one.place());
            }
            var place = look.apply(room);
            if (place.isEmpty()) {
                return Optional.empty();
            }
            take(room, newcomer, place.get());
            var moves = new LinkedHashMap<ReservationId, PlainPlace>();
            while (index < waiting.size()) {
                var next = waiting.get(index);
                var again = again(room, next);
                boolean isMoved = again.isPresent() && !again.get().equals(next.place());
                if (again.isEmpty() || isMoved && moves.size() == most) {
                    break;
                }
                take(room, next, again.get());
                if (isMoved) {
                    moves.put(next.id(), again.get());
                }
                index++;
            }
            if (index == waiting.size()) {
                return Optional.of(new Placed(place.get(), moves));
            }
        }
    }

    private static void take(PlainRoom room, Waiting waiting, PlainPlace place) {
        room.take(place.slot(), waiting.terms().pes(), place.peIds());
    }

    /** Returns the order in which a newcomer finds the queue. */
    public static Comparator<Waiting> order(Cluster cluster, ReservationId newcomer, long now) {
        return byTurn(cluster, newcomer, now)
                .thenComparingLong(Waiting::acceptedAt)
                .thenComparing(one -> one.id().value());
    }

    private static Comparator<Waiting> byTurn(Cluster cluster, ReservationId newcomer, long now) {
        var byKey = Comparator.<Waiting>comparingLong(one -> key(cluster, one, newcomer, now));
        return cluster.policy().replanning().moves().bounds().maxMoves().isEmpty()
                ? byKey
                : byKey.thenComparing(one -> one.serviceClass() != ServiceClass.PREMIUM)
                        .thenComparingInt(one -> -one.moves());
    }

    private static long key(Cluster cluster, Waiting waiting, ReservationId newcomer, long now) {
        var terms = waiting.terms();
        long slack = terms.window().deadline() - terms.runTime();
        return switch (cluster.policy().replanning().order()) {
            case FIFO -> waiting.acceptedAt();
            case SHUFFLE -> ReplanOrder.SHUFFLE.rank(waiting.id(), terms, waiting.acceptedAt(), newcomer, now);
            case BIGGEST_JOB_FIRST -> -terms.runTime() * terms.pes();
            case LEAST_FLEXIBLE_FIRST -> slack - Math.max(terms.window().readyTime(), now);
            case EARLIEST_DEADLINE_FIRST -> terms.window().deadline();
            case MISSING_DEADLINE_FIRST -> slack - now;
        };
    }

    private Optional<PlainPlace> again(PlainRoom room, Waiting waiting) {
        var terms = waiting.terms();
        int among = cluster.reservablePes();
        long ahead = Math.max(cluster.policy().notice(), terms.fixing().before().orElse(0));
        long earliest = Math.max(waiting.within().readyTime(), now + ahead);
        var start = earliest > waiting.latest()
                ? OptionalLong.empty()
                : room.choose(earliest, waiting.latest(), terms.runTime(), terms.pes(), among, now);
        if (start.isPresent()) {
            var slot = Slot.of(start.getAsLong(), terms.runTime());
            return Optional.of(new PlainPlace(slot, room.bound(slot, terms.pes(), among)));
        }
        boolean mayKeep = room.has(waiting.place(), terms.pes())
                && (isInShare(room, waiting) || !isInShare(without(waiting), waiting));
        return mayKeep ? Optional.of(waiting.place()) : Optional.empty();
    }

    /** Returns the room beside all others in their present places. */
    private PlainRoom without(Waiting waiting) {
        var room = fixed.get();
        for (var other : queue) {
            if (!other.id().equals(waiting.id())) {
                take(room, other, other.place());
            }
        }
        return room;
    }

    private boolean isInShare(PlainRoom room, Waiting waiting) {
        long start = waiting.place().slot().start();
        return room.choose(
                        start,
                        start,
                        waiting.place().slot().duration(),
                        waiting.terms().pes(),
                        cluster.reservablePes(),
                        now)
                .isPresent();
    }
}
