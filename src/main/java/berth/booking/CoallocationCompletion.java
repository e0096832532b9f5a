package berth.booking;

import static berth.booking.Coallocations.inOrder;

import berth.engine.Turns;
import berth.runtime.Threads;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Confirms or cancels the parts of recorded co-allocations, and notifies parts when another has failed. Whatever cannot be done is repeated
 * until it is known to be done. Thread-safe.
 */
final class CoallocationCompletion {

    private static final Logger log = LoggerFactory.getLogger(CoallocationCompletion.class);

    private final CoallocationStore store;
    private final Clusters clusters;
    private final Threads threads;
    private final InstantSource clock;

    /** How long to wait for another thread that works on the same co-allocation and may be waiting for other Berths. */
    private static final Duration PATIENCE = Duration.ofSeconds(10);

    /** Ensures that one thread at a time works on a co-allocation. */
    private final Turns<UUID> turns;

    /**
     * Parts that were held for a co-allocation that failed or may not be recorded. The key is the id of the co-allocation, or of its first
     * part if not all parts could be held.
     */
    private final Map<UUID, List<Coallocation.Part>> left = new ConcurrentHashMap<>();

    /** How often open co-allocations were expected in the store. */
    private final AtomicLong expected = new AtomicLong();

    /** The value of {@link #expected} at which nothing was open; before the first look at the store, a value that never comes. */
    private volatile long settled = -1;

    CoallocationCompletion(CoallocationStore store, Clusters clusters, Threads threads, InstantSource clock) {
        this.threads = threads;
        this.turns = new Turns<>(threads);
        this.store = store;
        this.clusters = clusters;
        this.clock = clock;
    }

    /** Cancels all parts of a confirmed co-allocation and returns its new state; empty if another thread works on it. */
    Optional<Coallocation> cancel(UUID id) {
        return inTurn(id, () -> {
            var present = store.find(id).orElseThrow();
            if (present.state() == CoallocationState.CONFIRMED) {
                try {
                    store.update(present.becomes(CoallocationState.CANCELLED, false, now()));
                } finally {
                    expectOpen();
                }
            }
            return completed(id);
        });
    }

    private <T> Optional<T> inTurn(UUID id, Supplier<T> work) {
        return turns.during(id, PATIENCE, work);
    }

    /**
     * Cancels the held parts of a co-allocation unless it is recorded, now or as soon as possible, so that they do not block a repetition
     * of the request.
     */
    void leave(UUID id, List<Coallocation.Part> parts) {
        left.put(id, parts);
        expectOpen();
        giveUpWhatIsLeft();
    }

    /** Cancels parts that were held in vain, as far as possible. */
    void giveUpWhatIsLeft() {
        left.forEach((id, parts) -> {
            try {
                boolean isDone = store.find(id).isPresent();
                if (!isDone) {
                    isDone = true;
                    for (var part : parts) {
                        isDone &= clusters.of(part.cluster()).giveUp(part.reservation());
                    }
                }
                if (isDone) {
                    left.remove(id);
                }
            } catch (RuntimeException e) {
                log.debug("The holds of co-allocation {} are not released yet; Berth tries again.", id, e);
            }
        });
    }

    private long now() {
        return clock.instant().getEpochSecond();
    }

    /** Makes the next {@link #workOnOpen} look into the store. Each co-allocation that is recorded needs this afterwards. */
    void expectOpen() {
        expected.incrementAndGet();
    }

    /**
     * Works on all co-allocations that are not finished or that are watched; what cannot be done now is left for the next call. Does
     * nothing if there was no such co-allocation at the last call and none is expected since.
     */
    void workOnOpen() {
        // what is recorded during the look is expected again
        long before = expected.get();
        if (before == settled) {
            return;
        }
        giveUpWhatIsLeft();
        if (left.isEmpty() && !store.isAnyOpen()) {
            settled = before;
        } else {
            completeAll();
            degradeAll();
        }
    }

    /** Handles each separately: its holds end, so it must not wait for the clusters of others. */
    private void completeAll() {
        threads.together(store.unfinished().stream()
                .<Runnable>map(unfinished -> () -> tryCompleting(unfinished.id()))
                .toList());
    }

    private void tryCompleting(UUID id) {
        try {
            complete(id);
        } catch (RuntimeException e) {
            log.debug("Co-allocation {} is not finished yet; Berth tries again.", id, e);
        }
    }

    /**
     * Notifies the live parts of co-allocations of which a part has failed, including failures while this service was down. Co-allocations
     * without parts left to notify are watched no longer.
     */
    private void degradeAll() {
        for (var broken : store.broken()) {
            try {
                degrade(broken);
            } catch (RuntimeException e) {
                log.debug(
                        "The parts of co-allocation {} are not notified of its failure yet; Berth tries again.",
                        broken.id(),
                        e);
            }
        }
    }

    private void degrade(Coallocation broken) {
        var unused = inTurn(broken.id(), () -> {
            boolean isDone = true;
            for (var part : broken.parts()) {
                isDone &= clusters.of(part.cluster()).degrade(part.reservation());
            }
            var present = store.find(broken.id()).orElseThrow();
            if (isDone && present.isWatched()) {
                store.update(present.unwatched());
            }
            return present;
        });
    }

    /** Confirms or cancels the parts of a co-allocation, as far as possible now. */
    Coallocation complete(UUID id) {
        return inTurn(id, () -> completed(id)).orElseGet(() -> store.find(id).orElseThrow());
    }

    private Coallocation completed(UUID id) {
        var present = store.find(id).orElseThrow();
        return present.isFinished() ? present : advanced(present);
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
                case DONE -> {
                    // continue with the next one
                }
                case UNKNOWN -> {
                    return held;
                }
                case GONE -> {
                    log.info(
                            "Co-allocation {} is abandoned, because reservation {} could not be confirmed.",
                            held.id(),
                            part);
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
