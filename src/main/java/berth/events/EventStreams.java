package berth.events;

import berth.engine.Desks;
import berth.engine.Records;
import berth.engine.Records.RecordedEvent;
import berth.engine.Records.Whose;
import berth.http.LongPoll;
import berth.http.Problem;
import berth.http.ProblemHandler;
import berth.reservation.ClusterId;
import berth.reservation.ReservationId;
import berth.runtime.LastingWork;
import berth.runtime.SettingChecks;
import berth.runtime.Threads;
import berth.scheduling.Event.RequestEvent;
import berth.scheduling.Event.ReservationEvent;
import berth.sla.AccountName;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
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
 * Sends events to listeners as soon as they can be read. Each event is read once for all listeners, and nothing is read while there is no
 * listener. Safe to use from any thread.
 */
@Component
final class EventStreams implements SmartLifecycle {

    private static final Logger log = LoggerFactory.getLogger(EventStreams.class);

    /** The most events that wait for one listener. A slower listener is cut off and must reconnect for the rest. */
    private static final int MAX_WAITING = 1_000;

    private static final int MAX_AT_ONCE = 500;
    private static final Duration INTERVAL = Duration.ofSeconds(1);

    private final Records records;
    private final Desks desks;
    private final JsonMapper mapper;
    private final int mostInAll;
    private final int mostOfAnAccount;
    private final Counter cutOffs;

    // guarded by this
    private final Set<Listener> listeners = new HashSet<>();
    private final Map<AccountName, Integer> ofAccounts = new HashMap<>();
    private Map<ClusterId, Long> positions = Map.of();

    /** Used only by the thread. */
    private long seen;

    private volatile boolean isRunning;
    private Thread thread = Thread.ofVirtual().unstarted(this::work);

    EventStreams(
            Records records,
            Desks desks,
            JsonMapper mapper,
            @Value("${berth.streams.in-all}") int mostInAll,
            @Value("${berth.streams.per-account}") int mostOfAnAccount,
            MeterRegistry registry) {
        SettingChecks.requirePositive("berth.streams.in-all", mostInAll);
        SettingChecks.requirePositive("berth.streams.per-account", mostOfAnAccount);
        this.records = records;
        this.desks = desks;
        this.mapper = mapper;
        this.mostInAll = mostInAll;
        this.mostOfAnAccount = mostOfAnAccount;
        Gauge.builder("berth.streams", this, EventStreams::listening)
                .description("Event streams that are open.")
                .baseUnit("listeners")
                .register(registry);
        cutOffs = Counter.builder("berth.streams.cut.off")
                .description("Event streams that Berth closed because their client read too slowly.")
                .baseUnit("listeners")
                .register(registry);
    }

    /**
     * An event, with the data that decides which listeners receive it.
     *
     * @param owner owner of the reservation, request or delayed job that it is about; empty if it is about something else
     * @param project project that the reservation or request is filed under, or whose budget it is about; empty if there is none
     * @param json the event as the API returns it
     */
    record News(
            ClusterId cluster,
            long sequence,
            Optional<AccountName> owner,
            Optional<String> project,
            Optional<ReservationId> reservation,
            String type,
            String json) {}

    /** A listener, which receives every later event that concerns it. */
    final class Listener implements LongPoll.News {
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

        /** Returns how far each cluster's history had been read when this listener was added. */
        Map<ClusterId, Long> since() {
            return since;
        }

        /** Returns the next event; null if there is none within {@code patience}. */
        @Nullable
        News next(Duration patience) throws InterruptedException {
            return waiting.poll(patience.toNanos(), TimeUnit.NANOSECONDS);
        }

        @Override
        public boolean await(Duration patience) throws InterruptedException {
            return next(patience) != null;
        }

        /** Returns whether no more events will come: the listener was too slow, or the service is stopping. */
        @Override
        public boolean isOver() {
            return isCutOff && waiting.isEmpty() || !isRunning || desks.closed().isPresent();
        }

        private void receive(News news) {
            if (!isCutOff && concerns.test(news) && !waiting.offer(news)) {
                cutOff();
            }
        }

        /** Ends the delivery, because the client reads too slowly. */
        void cutOff() {
            synchronized (EventStreams.this) {
                if (!isCutOff) {
                    isCutOff = true;
                    cutOffs.increment();
                }
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
     * Adds a listener.
     *
     * @param concerns selects the events that it receives
     * @throws Problem if there are too many listeners already
     */
    synchronized Listener listen(AccountName account, Predicate<News> concerns) {
        int own = ofAccounts.getOrDefault(account, 0);
        if (own >= mostOfAnAccount || listeners.size() >= mostInAll) {
            throw ProblemHandler.tooMany(
                    own >= mostOfAnAccount
                            ? "The account has %d open streams, which is its limit. Close one, or list the events instead."
                                    .formatted(own)
                            : "The service has reached its limit of open streams. List the events instead, or try again later.");
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
        LastingWork.repeat(log, "Cannot read events for open streams. Trying again.", INTERVAL, () -> {
            if (!isRunning) {
                return false;
            }
            awaitListeners();
            if (!deliver()) {
                seen = records.awaitMore(seen, INTERVAL);
            }
            return true;
        });
    }

    private synchronized void awaitListeners() throws InterruptedException {
        while (listeners.isEmpty() && isRunning) {
            wait();
        }
    }

    /** Sends the events that can be read now. Returns whether there may be more. */
    private boolean deliver() {
        Map<ClusterId, Long> from;
        synchronized (this) {
            from = positions;
        }
        var events = records.events(from, Whose.ALL, MAX_AT_ONCE);
        var news = events.stream().map(this::news).toList();
        synchronized (this) {
            if (positions != from) {
                // the listeners left and new ones started from another position
                return true;
            }
            var next = new HashMap<>(from);
            events.forEach(event -> next.put(event.cluster(), event.sequence()));
            positions = Map.copyOf(next);
            news.forEach(each -> listeners.forEach(listener -> listener.receive(each)));
        }
        return events.size() == MAX_AT_ONCE;
    }

    /** Returns an event in the form that listeners receive. */
    News news(RecordedEvent recorded) {
        var body = EventBody.of(recorded);
        return new News(
                recorded.cluster(),
                recorded.sequence(),
                recorded.owner(),
                recorded.project(),
                reservation(recorded),
                body.type(),
                mapper.writeValueAsString(body));
    }

    private static Optional<ReservationId> reservation(RecordedEvent recorded) {
        return recorded instanceof RecordedEvent.Whole(var _, var _, var event)
                ? switch (event) {
                    case ReservationEvent(var _, var after, var _, var _, var _, var _) -> Optional.of(after.id());
                    case RequestEvent(var _, var after, var _) -> Optional.of(after.id());
                    default -> Optional.empty();
                }
                : Optional.empty();
    }

    @Override
    public void start() {
        isRunning = true;
        thread = Thread.ofVirtual().name("event-streams").start(this::work);
    }

    /** Stops, before the web server waits for calls in progress and before the database is closed. */
    @Override
    public void stop() {
        isRunning = false;
        synchronized (this) {
            notifyAll();
        }
        Threads.OF_THE_JVM.awaitEnd(List.of(thread), INTERVAL.multipliedBy(2));
    }

    @Override
    public boolean isRunning() {
        return isRunning;
    }
}
