package berth.rest;

import berth.desk.Desks;
import berth.desk.FailureStreak;
import berth.desk.Records;
import berth.desk.Records.RecordedEvent;
import berth.desk.Records.Whose;
import berth.desk.StorageUnavailable;
import berth.reservation.ClusterId;
import berth.reservation.Origin;
import berth.reservation.ReservationId;
import berth.scheduling.Event.RequestEvent;
import berth.scheduling.Event.ReservationEvent;
import berth.sla.AccountName;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.context.SmartLifecycle;
import org.springframework.stereotype.Component;
import tools.jackson.databind.json.JsonMapper;

/**
 * Tells listeners what happens, as soon as it can be read: it is read once, whoever listens, and not at all where nobody does. Safe
 * to use from any thread.
 */
@Component
final class EventFeed implements SmartLifecycle {

    private static final Logger log = LoggerFactory.getLogger(EventFeed.class);

    /** The most events that wait for one listener; whoever is further behind is cut off, and comes back for them. */
    private static final int MAX_WAITING = 1_000;

    private static final int MAX_AT_ONCE = 500;
    private static final Duration LOOK = Duration.ofSeconds(1);

    private final Records records;
    private final Desks desks;
    private final JsonMapper mapper;
    private final int mostInAll;
    private final int mostOfAnAccount;
    private final Counter cutOff;

    // guarded by this
    private final Set<Listener> listeners = new HashSet<>();
    private final Map<AccountName, Integer> ofAccounts = new HashMap<>();
    private Map<ClusterId, Long> positions = Map.of();

    private volatile boolean isRunning;
    private Thread thread = Thread.ofVirtual().unstarted(this::work);

    EventFeed(
            Records records,
            Desks desks,
            JsonMapper mapper,
            @Value("${berth.streams.in-all}") int mostInAll,
            @Value("${berth.streams.per-account}") int mostOfAnAccount,
            MeterRegistry registry) {
        RestConfiguration.requirePositive("berth.streams.in-all", mostInAll);
        RestConfiguration.requirePositive("berth.streams.per-account", mostOfAnAccount);
        this.records = records;
        this.desks = desks;
        this.mapper = mapper;
        this.mostInAll = mostInAll;
        this.mostOfAnAccount = mostOfAnAccount;
        Gauge.builder("berth.streams", this, EventFeed::listening)
                .description("Event streams that are open.")
                .baseUnit("listeners")
                .register(registry);
        cutOff = Counter.builder("berth.streams.cut.off")
                .description("Event streams that Berth closed because their client read too slowly.")
                .baseUnit("listeners")
                .register(registry);
    }

    /**
     * An event, and who hears of it.
     *
     * @param owner of the reservation that it is about; empty: it is about none
     * @param project what that is filed under
     * @param json the event as the contract writes it
     */
    record News(
            ClusterId cluster,
            long sequence,
            Optional<AccountName> owner,
            Optional<String> project,
            Optional<ReservationId> reservation,
            String type,
            String json) {}

    /** Somebody who hears all that is read from now on and concerns it. */
    final class Listener implements AutoCloseable {
        private final AccountName account;
        private final Predicate<News> concerns;
        private final Map<ClusterId, Long> since;
        private final BlockingQueue<News> waiting = new LinkedBlockingQueue<>(MAX_WAITING);
        private volatile boolean isCutOff;

        private Listener(AccountName account, Predicate<News> concerns, Map<ClusterId, Long> since) {
            this.account = account;
            this.concerns = concerns;
            this.since = since;
        }

        /** How far each cluster's history had been read when it began to listen. */
        Map<ClusterId, Long> since() {
            return since;
        }

        /** The next event; null if there is none within {@code patience}. */
        @Nullable
        News next(Duration patience) throws InterruptedException {
            return waiting.poll(patience.toNanos(), TimeUnit.NANOSECONDS);
        }

        /** Whether there is nothing to hear any more: it was too slow, or the service ends. */
        boolean isOver() {
            return isCutOff && waiting.isEmpty() || !isRunning || desks.closed().isPresent();
        }

        private void hear(News news) {
            if (!isCutOff && concerns.test(news) && !waiting.offer(news)) {
                isCutOff = true;
                cutOff.increment();
            }
        }

        @Override
        public void close() {
            leave(this);
        }
    }

    private synchronized int listening() {
        return listeners.size();
    }

    /**
     * Begins to listen.
     *
     * @param concerns which events it hears of
     * @throws Problem if too many listen already
     */
    synchronized Listener listen(AccountName account, Predicate<News> concerns) {
        int own = ofAccounts.getOrDefault(account, 0);
        if (own >= mostOfAnAccount || listeners.size() >= mostInAll) {
            throw ProblemHandler.tooMany(
                    own >= mostOfAnAccount
                            ? "The account has %d streams open; close one, or list the events.".formatted(own)
                            : "As many streams are open as the service keeps; list the events, or try again later.");
        }
        if (listeners.isEmpty()) {
            positions = lastSequences();
        }
        var listener = new Listener(account, concerns, positions);
        listeners.add(listener);
        ofAccounts.merge(account, 1, Integer::sum);
        notifyAll();
        return listener;
    }

    private Map<ClusterId, Long> lastSequences() {
        var last = new HashMap<ClusterId, Long>();
        desks.clusters().forEach(cluster -> last.put(cluster.id(), records.lastSequence(cluster.id())));
        return last;
    }

    private synchronized void leave(Listener listener) {
        if (listeners.remove(listener)) {
            ofAccounts.computeIfPresent(listener.account, (_, number) -> number == 1 ? null : number - 1);
        }
    }

    private void work() {
        long seen = 0;
        var streak = new FailureStreak(log, "What happens could not be told; it is tried again.");
        while (isRunning) {
            try {
                awaitListeners();
                if (!tell()) {
                    seen = records.awaitMore(seen, LOOK);
                }
                streak.ended();
            } catch (InterruptedException e) {
                return;
            } catch (StorageUnavailable e) {
                log.debug("What happens cannot be read; it is told once it can.", e);
                rest();
            } catch (Throwable e) {
                streak.failed(e);
                rest();
            }
        }
    }

    private synchronized void awaitListeners() throws InterruptedException {
        while (listeners.isEmpty() && isRunning) {
            wait();
        }
    }

    private static void rest() {
        try {
            Thread.sleep(LOOK);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Tells what can be read by now; whether there may be more. */
    private boolean tell() {
        Map<ClusterId, Long> from;
        synchronized (this) {
            from = positions;
        }
        var events = records.events(from, Whose.ALL, MAX_AT_ONCE);
        var news = events.stream().map(this::news).toList();
        synchronized (this) {
            if (positions != from) {
                // nobody listened for a while, and who came since has begun elsewhere
                return true;
            }
            var next = new HashMap<>(from);
            events.forEach(event -> next.put(event.cluster(), event.sequence()));
            positions = Map.copyOf(next);
            news.forEach(each -> listeners.forEach(listener -> listener.hear(each)));
        }
        return events.size() == MAX_AT_ONCE;
    }

    /** An event as listeners hear it. */
    News news(RecordedEvent recorded) {
        var body = EventBody.of(recorded);
        var origin = recorded.origin();
        return new News(
                recorded.cluster(),
                recorded.sequence(),
                origin.map(Origin::owner),
                recorded.project(),
                reservation(recorded),
                body.type(),
                mapper.writeValueAsString(body));
    }

    private static Optional<ReservationId> reservation(RecordedEvent recorded) {
        return recorded instanceof RecordedEvent.Whole(var _, var _, var event)
                ? switch (event) {
                    case ReservationEvent(var _, var after, var _, var _, var _) -> Optional.of(after.id());
                    case RequestEvent(var _, var after, var _) -> Optional.of(after.id());
                    default -> Optional.empty();
                }
                : Optional.empty();
    }

    @Override
    public void start() {
        isRunning = true;
        thread = Thread.ofVirtual().name("event-feed").start(this::work);
    }

    /** Before the web server waits for the calls that are under way, and before the database is closed. */
    @Override
    public void stop() {
        isRunning = false;
        synchronized (this) {
            notifyAll();
        }
        try {
            var unused = thread.join(LOOK.multipliedBy(2));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public boolean isRunning() {
        return isRunning;
    }
}
