package berth.booking;

import berth.engine.Desks;
import berth.peers.Peers;
import java.util.concurrent.atomic.AtomicBoolean;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.scheduling.annotation.Scheduled;

/** Periodically completes co-allocations and sends what is owed to other Berths, also after a restart. */
final class BrokerTasks {
    private static final Logger log = LoggerFactory.getLogger(BrokerTasks.class);

    private final Desks desks;
    private final CoallocationCompletion coallocations;
    private final Mirrors mirrors;
    private final Peers peers;
    private final CoallocationStore store;
    private final AtomicBoolean refreshing = new AtomicBoolean();
    private final AtomicBoolean completing = new AtomicBoolean();
    private final AtomicBoolean paying = new AtomicBoolean();
    private final AtomicBoolean givingUp = new AtomicBoolean();

    BrokerTasks(
            Desks desks, CoallocationCompletion coallocations, Mirrors mirrors, Peers peers, CoallocationStore store) {
        this.desks = desks;
        this.coallocations = coallocations;
        this.mirrors = mirrors;
        this.peers = peers;
        this.store = store;
    }

    /** Refreshes the clusters of other Berths and the co-allocation parts there. A fixed-rate task, as {@link #complete}. */
    @Scheduled(initialDelayString = "PT30S", fixedRateString = "PT30S")
    void refresh() {
        once(refreshing, () -> {
            peers.refresh();
            mirrors.refresh(store.watchedElsewhere());
            store.forgetEnded();
            // in case the outcome of a record became known late
            coallocations.expectOpen();
            if (!hasPeers()) {
                // in case a request began while its peer was being deleted
                once(paying, mirrors::payAll);
                once(givingUp, mirrors::giveUpUnheard);
            }
        });
    }

    /** Whether something may be owed to other Berths: a peer to which something is owed cannot be deleted. */
    private boolean hasPeers() {
        return !peers.all().isEmpty();
    }

    /** A fixed-rate task has its own thread, so a call without an answer delays nothing else. */
    @Scheduled(fixedRateString = "PT2S")
    void complete() {
        once(completing, coallocations::workOnOpen);
    }

    @Scheduled(fixedRateString = "PT2S")
    void pay() {
        once(paying, () -> {
            if (hasPeers()) {
                mirrors.payAll();
            }
        });
    }

    @Scheduled(fixedRateString = "PT2S")
    void giveUp() {
        once(givingUp, () -> {
            if (hasPeers()) {
                mirrors.giveUpUnheard();
            }
        });
    }

    private void once(AtomicBoolean running, Runnable work) {
        if (!desks.isWorking() || !running.compareAndSet(false, true)) {
            return;
        }
        try {
            work.run();
        } catch (RuntimeException e) {
            log.debug("Unfinished calls to other Berths have failed; Berth tries again.", e);
        } finally {
            running.set(false);
        }
    }
}
