package berth.availability;

import berth.availability.Load.Booked;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.Random;

/**
 * A structure with a number of live reservations that come and go under a {@link Load}. Structures that give the same answers see the same
 * demands, because demands depend on the seed and on earlier results.
 */
final class SteadyState {

    private final Load load;
    private final int live;
    private final Structure structure;
    private final Random random;
    private final Queue<Booked> booked;
    private long now;

    private SteadyState(Load load, int live, Structure structure, long seed) {
        this.load = load;
        this.live = live;
        this.structure = structure;
        this.random = new Random(seed);
        this.booked = load.queue();
    }

    /** Returns a state that the structure itself has filled. */
    static SteadyState of(Load load, int live, Structure structure, long seed) {
        var state = new SteadyState(load, live, structure, seed);
        while (state.booked.size() < live) {
            state.book();
        }
        return state;
    }

    /** Returns a state with the reservations of {@code other}, whose structure gives the same answers and is faster to fill. */
    static SteadyState like(SteadyState other, Structure structure, long seed) {
        var state = new SteadyState(other.load, other.live, structure, seed);
        other.booked.forEach(structure::add);
        state.booked.addAll(other.booked);
        return state;
    }

    /** Makes a step: one search, one reservation added if there is room, one deleted if there are too many. */
    Optional<Booked> step() {
        var found = book();
        if (booked.size() > live) {
            var leaves = booked.remove();
            structure.delete(leaves);
            now = Math.max(now, load == Load.BACKLOG ? leaves.slot().end() : now);
        }
        return found;
    }

    private Optional<Booked> book() {
        var found = structure.find(load.next(random, live, now));
        found.ifPresent(one -> {
            structure.add(one);
            booked.add(one);
        });
        return found;
    }

    List<Booked> booked() {
        return List.copyOf(booked);
    }
}
