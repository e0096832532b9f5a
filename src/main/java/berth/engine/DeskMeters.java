package berth.engine;

import static java.util.stream.Collectors.toUnmodifiableMap;

import berth.cluster.EnforcementRule;
import berth.engine.Ledger.Outcome;
import berth.reservation.ClusterId;
import berth.reservation.RefusalCode;
import berth.reservation.Reservation;
import berth.reservation.ReservationState;
import berth.scheduling.ClusterSchedule;
import berth.scheduling.Event;
import berth.scheduling.Event.DelayEvent;
import berth.scheduling.Event.RequestEvent;
import berth.scheduling.Event.ReservationEvent;
import berth.scheduling.commands.AdvanceClock;
import berth.scheduling.commands.Collect;
import berth.scheduling.commands.Command;
import berth.scheduling.commands.Reserve;
import berth.scheduling.commands.ReserveAt;
import berth.scheduling.commands.WaitForRoom;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.DistributionSummary;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Queue;
import java.util.function.Supplier;
import java.util.stream.Stream;

/**
 * The meters of a desk, tagged with its cluster. All meters are registered at the start, at zero. {@code docs/reference/metrics.md}
 * describes them.
 */
final class DeskMeters {

    private static final double[] BATCH_SIZES = {1, 2, 4, 8, 16, 32, 64, 128, 256, 512};

    private static final Duration[] COMMIT_TIMES = Stream.of(
                    1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000, 10_000)
            .map(Duration::ofMillis)
            .toArray(Duration[]::new);

    private static final String RESERVATIONS =
            "Requests for reservations, by outcome. unavailable: Berth could not decide or record the request and returned 503."
                    + " A repeated request that gets its first result again is not counted.";

    private static final String REFUSALS =
            "Commands of any kind (reserve, renegotiate, cancel, record an outage and so on) that the desk refused, by the code"
                    + " of the problem. Mistakes that Berth finds before it asks the desk are not counted.";

    private static final String WAITS =
            "Requests that have stopped waiting for room, by outcome. An expired request counts as refused, too.";

    private static final String COMMITS =
            "Time to record a batch, by outcome. failed: nothing was recorded. unknown: the desk reads back what happened."
                    + " fenced: another process is the writer now.";

    private final MeterRegistry registry;
    private final ClusterId cluster;

    private final Counter accepted;
    private final Counter refused;
    private final Counter unavailable;
    private final Counter waitGranted;
    private final Counter waitExpired;
    private final Counter waitWithdrawn;
    private final Map<Event.Type, Counter> approvals;
    private final Counter jobsDelayed;
    private final Map<RefusalCode, Counter> refusals;

    private final DistributionSummary batches;
    private final Counter failures;

    private final Timer committed;
    private final Timer failed;
    private final Timer unknown;
    private final Timer fenced;

    private final List<Gauge> gauges = new ArrayList<>();

    DeskMeters(MeterRegistry registry, ClusterId cluster) {
        this.registry = registry;
        this.cluster = cluster;
        this.accepted = reservations("accepted");
        this.refused = reservations("refused");
        this.unavailable = reservations("unavailable");
        this.waitGranted = waits("granted");
        this.waitExpired = waits("expired");
        this.waitWithdrawn = waits("withdrawn");
        this.approvals = Map.of(
                Event.Type.APPROVAL_ASKED, approvals("asked"),
                Event.Type.APPROVED, approvals("approved"),
                Event.Type.APPROVAL_DECLINED, approvals("declined"),
                Event.Type.EXPIRED, approvals("expired"));
        this.jobsDelayed = Counter.builder("berth.jobs.delayed")
                .description("Events job-delayed: waiting batch jobs whose planned start became later by reservations.")
                .baseUnit("jobs")
                .tag("cluster", cluster.value())
                .register(registry);
        this.refusals = Arrays.stream(RefusalCode.values()).collect(toUnmodifiableMap(code -> code, this::newRefusals));
        this.batches = DistributionSummary.builder("berth.desk.batch")
                .description("Commands decided together, at most 512. Changes that only time causes are not counted.")
                .baseUnit("commands")
                .tag("cluster", cluster.value())
                .serviceLevelObjectives(BATCH_SIZES)
                .register(registry);
        this.failures = Counter.builder("berth.desk.failures")
                .description(
                        "Failures of the desk or of one of its automatic steps (extend, wait, pull forward, start jobs) that"
                                + " nobody foresaw. The log has the cause; a desk that failed opens again by itself.")
                .tag("cluster", cluster.value())
                .register(registry);
        this.committed = commits("committed");
        this.failed = commits("failed");
        this.unknown = commits("unknown");
        this.fenced = commits("fenced");
    }

    private Counter reservations(String outcome) {
        return Counter.builder("berth.reservations")
                .description(RESERVATIONS)
                .tag("cluster", cluster.value())
                .tag("outcome", outcome)
                .register(registry);
    }

    private Counter approvals(String outcome) {
        return Counter.builder("berth.approvals")
                .description(
                        "Reservations that must be approved, by what happened. approved: each approval, also if others must approve too.")
                .tag("cluster", cluster.value())
                .tag("outcome", outcome)
                .register(registry);
    }

    private Counter waits(String outcome) {
        return Counter.builder("berth.waits")
                .description(WAITS)
                .tag("cluster", cluster.value())
                .tag("outcome", outcome)
                .register(registry);
    }

    private Counter newRefusals(RefusalCode code) {
        return Counter.builder("berth.refusals")
                .description(REFUSALS)
                .tag("cluster", cluster.value())
                .tag("code", code.word())
                .register(registry);
    }

    private Timer commits(String outcome) {
        return Timer.builder("berth.desk.commit")
                .description(COMMITS)
                .tag("cluster", cluster.value())
                .tag("outcome", outcome)
                .serviceLevelObjectives(COMMIT_TIMES)
                .register(registry);
    }

    /** Registers gauges of the desk's state for as long as the desk exists; removes them while the cluster is retired. */
    void watch(Desk desk, Queue<?> waiting, InstantSource clock) {
        if (desk.schedule().cluster().isRetired()) {
            gauges.forEach(registry::remove);
            gauges.clear();
        } else if (gauges.isEmpty()) {
            addGauges(desk, waiting, clock);
        }
    }

    private void addGauges(Desk desk, Queue<?> waiting, InstantSource clock) {
        gauges.add(Gauge.builder("berth.desk.queue", waiting, Queue::size)
                .description("Commands that wait for their turn. A desk accepts 20,000 and refuses more with 503.")
                .baseUnit("commands")
                .tag("cluster", cluster.value())
                .register(registry));
        gauges.add(Gauge.builder("berth.desk.healthy", desk, it -> it.trouble().isEmpty() ? 1 : 0)
                .description(
                        "1 while the desk accepts commands and records them and time does not stand still, otherwise 0.")
                .tag("cluster", cluster.value())
                .register(registry));
        gauges.add(Gauge.builder("berth.desk.clock.lag", desk, Desk::lag)
                .description(
                        "How far the clock is behind the cluster's last event. Time stands still until it catches up.")
                .baseUnit("seconds")
                .tag("cluster", cluster.value())
                .register(registry));
        gauges.add(Gauge.builder(
                        "berth.reservations.live",
                        desk,
                        it -> it.schedule().reservations().size())
                .description("Reservations that are held, confirmed or running now.")
                .tag("cluster", cluster.value())
                .register(registry));
        gauges.add(Gauge.builder(
                        "berth.reservations.waiting",
                        desk,
                        it -> it.schedule().waiting().size())
                .description("Requests that wait for room now.")
                .tag("cluster", cluster.value())
                .register(registry));
        gauges.add(Gauge.builder("berth.reservations.degraded", desk, it -> degraded(it.schedule()))
                .description("Running reservations that lack PEs now.")
                .tag("cluster", cluster.value())
                .register(registry));
        gauges.add(Gauge.builder("berth.reservations.pending", desk, it -> pending(it.schedule()))
                .description("Reservations that wait for approval.")
                .tag("cluster", cluster.value())
                .register(registry));
        gauges.add(Gauge.builder("berth.reservations.unenforced", desk, it -> unenforced(it.schedule()))
                .description(
                        "Running reservations that are not in place on the machine, if policy.enforcement has an agent put them there.")
                .tag("cluster", cluster.value())
                .register(registry));
        gauges.add(Gauge.builder(
                        "berth.cluster.booked",
                        desk,
                        it -> bookedShare(it.schedule(), clock.instant().getEpochSecond()))
                .description("Share of the PEs that are taken now, 0 to 1.")
                .baseUnit("ratio")
                .tag("cluster", cluster.value())
                .register(registry));
    }

    /** Returns how many running reservations lack PEs. O(n) for n live reservations. */
    private static long degraded(ClusterSchedule schedule) {
        return schedule.reservations().stream().filter(Reservation::lacksPes).count();
    }

    /** Returns how many reservations wait for approval. O(n) for n live reservations. */
    private static long pending(ClusterSchedule schedule) {
        return schedule.reservations().stream()
                .filter(reservation -> reservation.state() == ReservationState.PENDING)
                .count();
    }

    /** Returns how many running reservations are not in place; 0 on a cluster without an agent. O(n) for n live reservations. */
    private static long unenforced(ClusterSchedule schedule) {
        return schedule.cluster().policy().enforcement() == EnforcementRule.NONE
                ? 0
                : schedule.reservations().stream()
                        .filter(reservation -> reservation.state() == ReservationState.RUNNING)
                        .filter(reservation -> !reservation.enforcement().isInPlace(reservation.currentPart()))
                        .count();
    }

    private static double bookedShare(ClusterSchedule schedule, long now) {
        int taken = schedule.inService().free(now) - schedule.profile().free(now);
        return (double) taken / schedule.cluster().pes();
    }

    /** Counts the answer to a client once it is known. Events of the clock are not counted. */
    void count(Pending pending) {
        if (!(pending.command() instanceof AdvanceClock)) {
            var unused = pending.answer().thenAccept(answer -> {
                if (!pending.isLeft()) {
                    count(pending.command(), answer);
                }
            });
        }
    }

    /** Counts the answer to a command. */
    void count(Command command, Answer answer) {
        if (answer instanceof Answer.Refused(var reason)) {
            if (command instanceof ReserveAt && reason.lacksRoom()) {
                return; // another place is searched for
            }
            count(reason.code());
        }
        if (answer instanceof Answer.Done(var events)) {
            events.forEach(this::count);
        }
        boolean isReserve = command instanceof Reserve || command instanceof ReserveAt;
        if (isReserve || command instanceof Collect || command instanceof WaitForRoom) {
            switch (answer) {
                case Answer.Done done -> {
                    if (isReserve) {
                        accepted.increment();
                    }
                }
                case Answer.Refused reason -> refused.increment();
                case Answer.NotDecided why -> unavailable.increment();
                case Answer.OutcomeUnknown why -> unavailable.increment();
                case Answer.KeyReused _, Answer.Declined _ -> {
                    // answered before it reaches a desk
                }
            }
        }
    }

    private void count(RefusalCode code) {
        Objects.requireNonNull(refusals.get(code)).increment();
    }

    /** Counts the recorded results of requests that waited for room, and the delays of jobs. */
    void recorded(List<Event> events) {
        for (var event : events) {
            if (event instanceof DelayEvent) {
                jobsDelayed.increment();
            }
            if (event instanceof ReservationEvent about
                    && about.reservation().status().approval().isPresent()) {
                Optional.ofNullable(approvals.get(about.type())).ifPresent(Counter::increment);
            }
            if (event instanceof RequestEvent(var type, var request, var _)
                    && request.ticket().isPresent()) {
                switch (type) {
                    case GRANTED -> {
                        waitGranted.increment();
                        accepted.increment();
                    }
                    case WAIT_EXPIRED -> {
                        waitExpired.increment();
                        refused.increment();
                        count(RefusalCode.NO_SLOT);
                    }
                    case WITHDRAWN -> waitWithdrawn.increment();
                    default -> {}
                }
            }
        }
    }

    /** Counts the result of a collected request. */
    private void count(Event event) {
        if (event instanceof RequestEvent(var type, var request, var _)) {
            if (type == Event.Type.GRANTED) {
                accepted.increment();
            }
            request.reason().ifPresent(code -> {
                refused.increment();
                count(code);
            });
        }
    }

    /** Counts a batch with commands of that many clients. */
    void batch(int commands) {
        if (commands > 0) {
            batches.record(commands);
        }
    }

    /** Counts a failure that nobody foresaw. */
    void failed() {
        failures.increment();
    }

    /** Times a commit. */
    Outcome commit(Supplier<Outcome> append) {
        var sample = Timer.start(registry);
        var outcome = append.get();
        sample.stop(
                switch (outcome) {
                    case Outcome.Committed() -> committed;
                    case Outcome.Failed cause -> failed;
                    case Outcome.Unknown cause -> unknown;
                    case Outcome.Fenced() -> fenced;
                });
        return outcome;
    }
}
