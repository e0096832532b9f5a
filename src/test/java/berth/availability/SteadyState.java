package berth.availability;

import berth.availability.Load.Booked;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.Random;

/**
 * A structure with a number of live reservations that come and go under a {@link Load}. Structures that answer alike see
 * the same demands, since these depend on the seed and on what was found before.
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

    /** Filled by the structure's own answers. */
    static SteadyState of(Load load, int live, Structure structure, long seed) {
        var state = new SteadyState(load, live, structure, seed);
        while (state.booked.size() < live) {
            state.book();
        }
        return state;
    }

    /** As {@code other}, whose structure answers alike and is quicker to fill. */
    static SteadyState like(SteadyState other, Structure structure, long seed) {
        var state = new SteadyState(other.load, other.live, structure, seed);
        other.booked.forEach(structure::add);
        state.booked.addAll(other.booked);
        return state;
    }

    /** One search, one reservation added if there is room, one deleted if there are too many. */
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
