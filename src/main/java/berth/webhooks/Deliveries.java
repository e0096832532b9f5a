package berth.webhooks;

import berth.engine.Desks;
import berth.engine.Records;
import berth.engine.Records.RecordedEvent;
import berth.engine.Records.Whose;
import berth.outcome.Outcome;
import berth.outcome.Refusal;
import berth.reservation.ClusterId;
import berth.runtime.LastingWork;
import berth.runtime.Threads;
import berth.sla.AccountName;
import berth.webhooks.Webhook.DisabledFor;
import berth.webhooks.Webhook.Wish;
import berth.webhooks.WebhookStore.Place;
import berth.webhooks.WebhookStore.Position;
import io.micrometer.core.instrument.MeterRegistry;
import java.net.URI;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.UUID;
import java.util.concurrent.Semaphore;
import java.util.function.IntPredicate;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.context.SmartLifecycle;

/**
 * Delivers events to webhooks, on the active instance. Events are read once for all webhooks. Each webhook has a {@link Lane} for each
 * cluster, in which messages follow one another, so a slow or unreachable receiver delays no other. Positions are recorded once a second:
 * after a crash some messages are sent again with the same ids, and none is lost.
 */
public final class Deliveries implements SmartLifecycle {

    private static final Logger log = LoggerFactory.getLogger(Deliveries.class);

    private static final int MAX_AT_ONCE = 500;
    private static final int MAX_READ_BY_A_LANE = 100;
    private static final Duration LOOK = Duration.ofSeconds(1);

    /** How many lanes can read events from the database at one time. */
    private static final int READERS = 2;

    private final Webhooks webhooks;
    private final WebhookStore store;
    private final Desks desks;
    private final Records records;
    private final Messenger messenger;
    private final InstantSource clock;
    private final DeliveryMeters meters;
    private final Semaphore readers = new Semaphore(READERS, true);

    // guarded by this
    private final Map<Place, Lane> lanes = new HashMap<>();
    private Map<ClusterId, Long> told = Map.of();
    private Map<ClusterId, Long> notedTold = Map.of();
    private final List<Place> gone = new ArrayList<>();
    private final SplittableRandom random = new SplittableRandom();

    // used only by the thread that reads events
    private long seen;
    private long notedAt = System.nanoTime();

    private volatile boolean isLoaded;
    private volatile boolean isRunning;
    private Thread thread = Thread.ofVirtual().unstarted(this::work);

    Deliveries(
            Webhooks webhooks,
            WebhookStore store,
            Desks desks,
            Records records,
            Messenger messenger,
            InstantSource clock,
            MeterRegistry registry) {
        this.webhooks = webhooks;
        this.store = store;
        this.desks = desks;
        this.records = records;
        this.messenger = messenger;
        this.clock = clock;
        this.meters = new DeliveryMeters(
                registry,
                this::lag,
                why -> webhooks.list(Optional.empty()).stream()
                        .filter(webhook ->
                                webhook.state() instanceof Webhook.State.Disabled(var found, var _) && found == why)
                        .count());
    }

    // ---- calls of clients

    /** Creates a webhook, which receives events from now on. */
    public Outcome<Webhook, Refusal> create(AccountName owner, Wish wish) {
        var positions = webhooks.lastSequences();
        synchronized (this) {
            load();
            boolean isFirst = Listeners.of(webhooks).isNobody();
            var outcome = webhooks.create(owner, wish, positions);
            if (outcome instanceof Outcome.Done(var webhook)) {
                if (isFirst) {
                    beginAt(positions);
                }
                positions.forEach((cluster, sequence) -> {
                    var lane = new Lane(webhook.id(), cluster, sequence);
                    lane.noted = lane.position();
                    lanes.put(lane.place(), lane);
                });
            }
            return outcome;
        }
    }

    /**
     * Changes a webhook. Messages that did not arrive are sent again at once. Events that happened while the webhook was disabled are sent
     * once it is enabled.
     */
    public Outcome<Webhook, Refusal> change(UUID id, IntPredicate versions, Wish wish, boolean isEnabled) {
        var positions = webhooks.lastSequences();
        synchronized (this) {
            load();
            boolean isFirst = Listeners.of(webhooks).isNobody();
            boolean wasEnabled = webhooks.find(id).filter(Webhook::isEnabled).isPresent();
            var outcome = webhooks.change(id, versions, wish, isEnabled);
            if (outcome instanceof Outcome.Done(var after)) {
                if (!after.isEnabled()) {
                    stopAt(id);
                } else if (wasEnabled) {
                    lanesOf(id).filter(lane -> lane.thread != null).forEach(lane -> again(lane, lane.delivered));
                } else {
                    if (isFirst) {
                        beginAt(positions);
                    }
                    desks.clusters().forEach(cluster -> {
                        var lane = lane(id, cluster.id(), 0);
                        again(lane, lane.delivered);
                    });
                }
            }
            return outcome;
        }
    }

    /** Deletes a webhook. */
    public Outcome<Webhook, Refusal> delete(UUID id, IntPredicate versions) {
        synchronized (this) {
            load();
            var outcome = webhooks.delete(id, versions);
            if (outcome instanceof Outcome.Done) {
                lanesOf(id).toList().forEach(this::remove);
                messenger.forget(id);
            }
            return outcome;
        }
    }

    /**
     * Sends a webhook again all events after these positions.
     *
     * @param positions the positions by cluster; for other clusters, all events that are still kept are sent
     * @return {@code false}, and nothing has changed, while the webhook receives the events of an earlier redelivery
     */
    public boolean redeliver(UUID id, Map<ClusterId, Long> positions) {
        synchronized (this) {
            load();
            if (lanesOf(id).anyMatch(Lane::isRepeating)) {
                return false;
            }
            desks.clusters().forEach(cluster -> {
                var lane = lane(id, cluster.id(), 0);
                lane.repeatedUpTo = Math.max(lane.delivered, told.getOrDefault(cluster.id(), 0L));
                again(lane, positions.getOrDefault(cluster.id(), 0L));
            });
            return true;
        }
    }

    /** Returns why a URL cannot be that of a receiver, as far as its text shows; empty if it can. */
    public Optional<String> objection(URI url) {
        return messenger.objection(url);
    }

    /** Sends a test message once. */
    public Attempt test(Webhook webhook) {
        return messenger.test(webhook);
    }

    /** Returns the results of the last attempts, newest first. */
    public List<Attempt> attempts(UUID webhook) {
        return messenger.attempts(webhook);
    }

    /**
     * Starts to read at these positions, because no webhook received events until now. Webhooks that are behind read earlier events in
     * their own lanes.
     */
    private void beginAt(Map<ClusterId, Long> positions) {
        told = Map.copyOf(positions);
    }

    private void again(Lane lane, long sequence) {
        lane.goBackTo(sequence);
        begin(lane);
    }

    private Stream<Lane> lanesOf(UUID id) {
        return lanes.values().stream().filter(lane -> lane.webhook.equals(id));
    }

    private Lane lane(UUID webhook, ClusterId cluster, long delivered) {
        return lanes.computeIfAbsent(new Place(webhook, cluster), _ -> new Lane(webhook, cluster, delivered));
    }

    private void remove(Lane lane) {
        lanes.remove(lane.place());
        lane.leave();
        if (lane.noted != null) {
            gone.add(lane.place());
        }
    }

    /** Remembers the position of a webhook that receives nothing for now. */
    private void stopAt(UUID id) {
        desks.clusters().forEach(cluster -> {
            var lane = lane(id, cluster.id(), told.getOrDefault(cluster.id(), 0L));
            if (lane.isIdle()) {
                lane.delivered = Math.max(lane.upTo, told.getOrDefault(cluster.id(), 0L));
            }
            again(lane, lane.delivered);
        });
    }

    // ---- events

    private void work() {
        LastingWork.repeat(log, "New events could not be handed to webhooks; Berth tries again.", LOOK, () -> {
            if (!isRunning) {
                return false;
            }
            if (desks.isWorking()) {
                tellMore();
            } else {
                Thread.sleep(LOOK.dividedBy(5));
            }
            return true;
        });
    }

    private void tellMore() throws InterruptedException {
        load();
        webhooks.resolve();
        boolean isMore = tell();
        if (System.nanoTime() - notedAt > LOOK.toNanos()) {
            note();
            webhooks.heedLeads();
            notedAt = System.nanoTime();
        }
        if (!isMore) {
            seen = records.awaitMore(seen, LOOK);
        }
    }

    /** Reads all positions before anything else happens. */
    private synchronized void load() {
        if (isLoaded) {
            return;
        }
        told = store.told();
        notedTold = told;
        store.positions().forEach(position -> {
            var lane = Lane.of(position);
            lanes.put(lane.place(), lane);
            begin(lane);
        });
        isLoaded = true;
    }

    /** Passes on the events that can be read by now; returns whether there may be more. */
    private boolean tell() {
        if (Listeners.of(webhooks).isNobody()) {
            return false;
        }
        Map<ClusterId, Long> from;
        synchronized (this) {
            from = told;
        }
        var events = records.events(from, Whose.ALL, MAX_AT_ONCE);
        synchronized (this) {
            if (told != from) {
                // the present webhooks begin after these events
                return true;
            }
            // webhooks that were created during the read receive the events too
            var present = Listeners.of(webhooks);
            var next = new HashMap<>(from);
            for (var event : events) {
                next.put(event.cluster(), event.sequence());
                present.of(event).forEach(webhook -> {
                    var lane = lane(webhook.id(), event.cluster(), event.sequence() - 1);
                    lane.offer(event);
                    begin(lane);
                });
            }
            told = Map.copyOf(next);
        }
        return events.size() == MAX_AT_ONCE;
    }

    /** Records all positions. A webhook without undelivered events is at the position up to which events were read. */
    private void note() {
        var changed = new ArrayList<Position>();
        List<Place> over;
        Map<ClusterId, Long> now;
        synchronized (this) {
            now = told;
            for (var lane : List.copyOf(lanes.values())) {
                if (lane.isIdle() && lane.upTo <= told.getOrDefault(lane.cluster, 0L)) {
                    remove(lane);
                } else if (!lane.position().equals(lane.noted)) {
                    changed.add(lane.position());
                }
            }
            over = List.copyOf(gone);
            if (changed.isEmpty() && over.isEmpty() && now.equals(notedTold)) {
                return;
            }
        }
        store.note(now, changed, over);
        synchronized (this) {
            notedTold = now;
            gone.removeAll(over);
            changed.forEach(position -> {
                var lane = lanes.get(new Place(position.webhook(), position.cluster()));
                if (lane == null) {
                    gone.add(new Place(position.webhook(), position.cluster()));
                } else {
                    lane.noted = position;
                }
            });
        }
    }

    /** Returns the age of the oldest message that is being sent, in seconds. */
    private synchronized double lag() {
        long now = clock.instant().getEpochSecond();
        return lanes.values().stream()
                .filter(lane -> lane.thread != null && lane.headAt > 0)
                .mapToLong(lane -> Math.max(0, now - lane.headAt))
                .max()
                .orElse(0);
    }

    // ---- lanes

    private void begin(Lane lane) {
        boolean hasMore = lane.isBehind || !lane.waiting.isEmpty();
        if (isRunning && hasMore && lane.thread == null && isTold(lane.webhook)) {
            lane.thread = Thread.ofVirtual().name("webhook-" + lane.webhook).unstarted(() -> work(lane));
            lane.thread.start();
        }
    }

    private boolean isTold(UUID webhook) {
        return webhooks.find(webhook).filter(Webhook::isEnabled).isPresent();
    }

    private void work(Lane lane) {
        var message = "The delivery of events to webhook %s has failed; Berth tries again.".formatted(lane.webhook);
        LastingWork.repeat(log, message, LOOK, () -> {
            var event = next(lane);
            if (event.isPresent()) {
                tell(lane, event.get());
            }
            return event.isPresent();
        });
    }

    /** Returns the next event of a lane; if there is none, returns empty and the lane's thread ends. */
    private Optional<RecordedEvent> next(Lane lane) throws InterruptedException {
        while (true) {
            long from;
            int turn;
            synchronized (this) {
                boolean isThere = lanes.get(lane.place()) == lane;
                if (!isRunning || !isThere || !desks.isWorking() || !isTold(lane.webhook)) {
                    return over(lane);
                }
                var event = lane.waiting.poll();
                if (event != null) {
                    lane.headAt = at(event);
                    return Optional.of(event);
                }
                if (!lane.isBehind) {
                    return over(lane);
                }
                from = lane.upTo;
                turn = lane.turn;
            }
            var found = read(lane, from);
            synchronized (this) {
                if (lane.turn == turn) {
                    take(lane, found);
                }
            }
        }
    }

    private Optional<RecordedEvent> over(Lane lane) {
        lane.thread = null;
        lane.headAt = 0;
        return Optional.empty();
    }

    private List<RecordedEvent> read(Lane lane, long from) throws InterruptedException {
        readers.acquire();
        try {
            return records.events(lane.cluster, from, Whose.ALL, MAX_READ_BY_A_LANE);
        } finally {
            readers.release();
        }
    }

    private void take(Lane lane, List<RecordedEvent> found) {
        var listeners = Listeners.of(webhooks);
        for (var event : found) {
            if (listeners.of(event).anyMatch(webhook -> webhook.id().equals(lane.webhook))) {
                lane.waiting.add(event);
            }
        }
        if (!found.isEmpty()) {
            lane.upTo = found.getLast().sequence();
        }
        long read = told.getOrDefault(lane.cluster, 0L);
        if (found.size() < MAX_READ_BY_A_LANE && (lane.upTo >= read || found.isEmpty())) {
            // events that are not kept any more are skipped
            lane.upTo = Math.max(lane.upTo, read);
            lane.isBehind = false;
        }
        if (lane.waiting.isEmpty()) {
            lane.delivered = lane.upTo;
        }
    }

    /** Sends an event until it arrives. */
    private void tell(Lane lane, RecordedEvent event) throws InterruptedException {
        int turn = lane.turn;
        lane.await(turn, clock);
        var webhook = webhooks.find(lane.webhook).filter(Webhook::isEnabled);
        if (lane.turn != turn || webhook.isEmpty()) {
            return;
        }
        if (Listeners.of(webhooks, List.of(webhook.get())).of(event).findAny().isEmpty()) {
            // the owner may have lost access to it since it happened
            synchronized (this) {
                if (lane.turn == turn) {
                    lane.told(event.sequence());
                }
            }
            return;
        }
        switch (messenger.send(webhook.get(), event)) {
            case Messenger.Sent.Arrived() -> {
                meters.arrived();
                synchronized (this) {
                    if (lane.turn == turn) {
                        lane.told(event.sequence());
                    }
                }
            }
            case Messenger.Sent.Gone() -> {
                meters.gone();
                disable(lane, turn, webhook.get(), DisabledFor.GONE, "its receiver answered with status 410");
            }
            case Messenger.Sent.Failed(var retryAfter) -> {
                meters.failed();
                failed(lane, turn, webhook.get(), retryAfter);
            }
        }
    }

    private void failed(Lane lane, int turn, Webhook webhook, Optional<Duration> retryAfter) {
        boolean isOver;
        synchronized (this) {
            if (lane.turn != turn) {
                return;
            }
            lane.failures++;
            var pause = Retries.after(lane.failures, retryAfter, random);
            isOver = pause.isEmpty();
            lane.nextAt = clock.millis() + pause.orElse(Duration.ZERO).toMillis();
            // no events are kept in memory for a receiver that may be unreachable for days
            lane.forget();
        }
        if (isOver) {
            disable(lane, turn, webhook, DisabledFor.FAILED, "all attempts to deliver a message failed for three days");
        }
    }

    /** Disables a webhook, unless it was changed, or disabled through another lane, since the message was sent. */
    private void disable(Lane lane, int turn, Webhook webhook, DisabledFor why, String reason) {
        synchronized (this) {
            if (lane.turn != turn) {
                return;
            }
            // if this cannot be recorded, the message is sent again
            lane.forget();
            webhooks.disable(webhook.id(), why);
            stopAt(webhook.id());
        }
        meters.disabled(why);
        log.warn("Webhook {} of {} is disabled: {}.", webhook.id(), webhook.owner(), reason);
    }

    private static long at(RecordedEvent event) {
        return event instanceof RecordedEvent.Whole(var _, var _, var whole) ? whole.at() : 0;
    }

    // ---- life cycle

    @Override
    public void start() {
        isRunning = true;
        thread = Thread.ofVirtual().name("webhooks").start(this::work);
    }

    /** Stops before the database is closed. */
    @Override
    public void stop() {
        isRunning = false;
        var sending = new ArrayList<Thread>();
        synchronized (this) {
            for (var lane : lanes.values()) {
                lane.leave();
                if (lane.thread != null) {
                    sending.add(lane.thread);
                }
            }
        }
        sending.addFirst(thread);
        Threads.OF_THE_JVM.awaitEnd(sending, LOOK.multipliedBy(2));
        try {
            if (isLoaded && desks.closed().isEmpty()) {
                note();
            }
        } catch (RuntimeException e) {
            log.debug("The positions of webhooks were not recorded; some messages are sent again.", e);
        }
    }

    @Override
    public boolean isRunning() {
        return isRunning;
    }
}
