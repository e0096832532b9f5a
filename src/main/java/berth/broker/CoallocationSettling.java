package berth.broker;

import static berth.broker.Coallocations.inOrder;

import berth.broker.AnyCluster.Confirmed;
import berth.desk.Threads;
import java.time.InstantSource;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Confirms the parts of recorded co-allocations, or gives them up, and tells them of one that has failed. What cannot be done is
 * done again until it is known to be done. Safe to use from any thread.
 */
final class CoallocationSettling {

    private static final Logger log = LoggerFactory.getLogger(CoallocationSettling.class);

    private final CoallocationStore store;
    private final Clusters clusters;
    private final Threads threads;
    private final InstantSource clock;

    /** One at a time works on each of them. */
    private final Map<UUID, Object> locks = new ConcurrentHashMap<>();

    CoallocationSettling(CoallocationStore store, Clusters clusters, Threads threads, InstantSource clock) {
        this.threads = threads;
        this.store = store;
        this.clusters = clusters;
        this.clock = clock;
    }

    /** Gives up all parts of one that was confirmed; answers it as it is then. */
    Coallocation cancel(UUID id) {
        synchronized (lock(id)) {
            var present = store.find(id).orElseThrow();
            if (present.state() == CoallocationState.CONFIRMED) {
                store.update(present.becomes(CoallocationState.CANCELLED, false, now()));
            }
            return settle(id);
        }
    }

    private long now() {
        return clock.instant().getEpochSecond();
    }

    private Object lock(UUID id) {
        return locks.computeIfAbsent(id, _ -> new Object());
    }

    /**
     * Does what is still to be done about those that are not settled; what cannot be done yet is left for the next time. Each is
     * settled by itself: its holds end, and it must not wait for the clusters of others.
     */
    void settleAll() {
        try (var settlers = Executors.newThreadPerTaskExecutor(threads.light())) {
            store.unsettled().forEach(unsettled -> settlers.execute(() -> trySettling(unsettled.id())));
        }
    }

    private void trySettling(UUID id) {
        try {
            settle(id);
        } catch (RuntimeException e) {
            log.debug("Co-allocation {} is not settled yet.", id, e);
        }
    }

    /**
     * Tells the live parts of those of which a part has failed, also of those whose part failed while this service was away.
     * What cannot be told now is told the next time; those with nothing left to tell are watched no longer.
     */
    void degradeAll() {
        for (var broken : store.broken()) {
            try {
                degrade(broken);
            } catch (RuntimeException e) {
                log.debug("The parts of co-allocation {} do not know yet.", broken.id(), e);
            }
        }
    }

    private void degrade(Coallocation broken) {
        synchronized (lock(broken.id())) {
            boolean isDone = true;
            for (var part : broken.parts()) {
                isDone &= clusters.of(part.cluster()).degrade(part.reservation());
            }
            var present = store.find(broken.id()).orElseThrow();
            if (isDone && present.isWatched()) {
                store.update(present.unwatched());
            }
            locks.remove(broken.id());
        }
    }

    /** Confirms the parts of one, or gives them up, as far as that can be done now. */
    Coallocation settle(UUID id) {
        synchronized (lock(id)) {
            var present = store.find(id).orElseThrow();
            var after = present.isSettled() ? present : advanced(present);
            if (after.isSettled()) {
                locks.remove(id);
            }
            return after;
        }
    }

    private Coallocation advanced(Coallocation present) {
        var after = present.state() == CoallocationState.CONFIRMING ? confirm(present) : present;
        boolean isToBeGivenUp =
                after.state() == CoallocationState.ABANDONED || after.state() == CoallocationState.CANCELLED;
        return isToBeGivenUp ? giveUp(after) : after;
    }

    private Coallocation confirm(Coallocation held) {
        for (var part : inOrder(held.parts(), each -> clusters.of(each.cluster()))) {
            switch (clusters.of(part.cluster()).confirm(part.reservation())) {
                case Confirmed.Done() -> {
                    // on to the next
                }
                case Confirmed.Unknown() -> {
                    return held;
                }
                case Confirmed.Gone() -> {
                    log.info("Co-allocation {}: {} could not be confirmed.", held.id(), part);
                    return updated(held.becomes(CoallocationState.ABANDONED, false, now()));
                }
            }
        }
        return updated(held.becomes(CoallocationState.CONFIRMED, true, now()));
    }

    private Coallocation giveUp(Coallocation given) {
        boolean isDone = true;
        for (var part : given.parts()) {
            isDone &= clusters.of(part.cluster()).giveUp(part.reservation());
        }
        return isDone ? updated(given.becomes(given.state(), true, now())) : given;
    }

    private Coallocation updated(Coallocation next) {
        store.update(next);
        return next;
    }
}
