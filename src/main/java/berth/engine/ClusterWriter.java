package berth.engine;

import berth.engine.BookingLimits.Entered;
import berth.engine.Ledger.Batch;
import berth.engine.Ledger.Outcome;
import berth.engine.Ledger.Standing;
import berth.intake.IntakeRequest;
import berth.reservation.AgendaItem;
import berth.reservation.ClusterId;
import berth.runtime.FailureStreak;
import berth.runtime.StorageUnavailable;
import berth.runtime.Threads;
import berth.scheduling.Basis;
import berth.scheduling.ClusterSchedule;
import berth.scheduling.Decision;
import berth.scheduling.Event;
import berth.scheduling.Event.RequestEvent;
import berth.scheduling.Leads;
import berth.scheduling.commands.AdvanceClock;
import berth.scheduling.places.WaitingPass;
import berth.sla.AccountName;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.function.ToLongFunction;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The work of a desk, one turn after another. It has no thread and waits only for the ledger; its caller waits between turns for the time
 * that the last turn returned.
 *
 * <p>If a batch could not be recorded, the schedule stays as it was and all its clients get that answer. That includes refused ones,
 * because the refusal may be due to a request that was not recorded. While the result of a commit is unknown, turns only ask the ledger for
 * it. After a failure, turns keep resolving it until that works, even without new commands, so the cluster recovers by itself.
 *
 * <p>Time never goes back: if the clock does, time stands still until the clock has caught up.
 */
final class ClusterWriter {

    /** The most commands in a batch, and the most clock events in a batch. */
    static final int MAX_BATCH = 512;

    /** After this time a batch takes no further command. */
    private static final Duration ENOUGH = Duration.ofMillis(500);

    private static final Duration RETRY = Duration.ofMillis(500);

    /** The pause before a waiting request is tried again whose account was in use by another decision. */
    private static final Duration SOON = Duration.ofMillis(50);

    private static final String NOT_RECORDED = "The decision could not be recorded; try again later.";

    /** The longest pause between turns of a cluster in which other things than the clock decide when there is work. */
    private static final Duration LONGEST_WAIT = Duration.ofSeconds(1);

    /** The longest pause of another cluster. {@link #isToWake} notices a clock that was set and changed leads. */
    private static final Duration LONGEST_REST = Duration.ofMinutes(1);

    /** How many seconds the clock may be behind the last event, because the clocks of two machines may differ. */
    static final long CLOCK_TOLERANCE = 60;

    private static final Logger log = LoggerFactory.getLogger(ClusterWriter.class);

    private final ClusterId cluster;
    private final Ledger ledger;
    private final Threads threads;
    private final InstantSource clock;
    private final RefusalCounts refusals;
    private final DeskMeters meters;
    private final Function<AccountName, Optional<Entered>> booking;
    private final ToLongFunction<AccountName> pendingElsewhere;
    private final Budgets budgets;
    private final FailureStreak steps;

    /** Since when it takes commands, in seconds since the epoch. */
    private final long heardSince;

    /** The requested leads. */
    private final Supplier<Leads.Requests> asked;

    /** Called when requests await their round. */
    private final Runnable collected;

    /** Called with each request that has ended without a reservation. */
    private final Consumer<IntakeRequest> turnedDown;

    /** The part of the requested leads that is already in effect. */
    private volatile Leads.Requests counted = Leads.Requests.NOTHING;

    /** The last applied schedule, which readers see. */
    private volatile ClusterSchedule current;

    private volatile boolean isRecording = true;

    /** Whether a turn has failed since, so that only the records tell what is true. */
    private volatile boolean hasFailed;

    /** The time of the last decision. */
    private volatile long now;

    /** The latest time of which {@link #isToWake} was told. */
    private volatile long seen;

    /** When the next thing is due, as far as the last turn knew. */
    private volatile long expected;

    // used only by the thread that takes the turns
    private long epoch;
    private long sequence;
    private boolean clockIsBehind;
    private boolean stepHasFailed;
    private boolean isUnanswered;
    private Optional<Doubt> doubt = Optional.empty();

    /** The last draft, which may hold amounts and accounts if its turn failed. */
    private Optional<Draft> underWay = Optional.empty();

    private WaitingPass pass = WaitingPass.BEGINNING;

    /**
     * A batch whose result is unknown.
     *
     * @param taken how many of the waiting commands are in it or were skipped
     */
    private record Doubt(Draft draft, Batch batch, int taken) {}

    /** The action that follows a turn. */
    sealed interface Next {

        /** The next turn: with the next commands, or without any after that time, because something is due then. */
        record Turn(Duration within) implements Next {}

        /** A pause, even if commands wait, because something failed and will be tried again. */
        record Pause(Duration pause) implements Next {}

        /** A pause after a turn that failed, in which all commands are refused. */
        record Reopening(Duration pause) implements Next {}

        /** Nothing: the desk has ended. */
        record End(String why) implements Next {}
    }

    ClusterWriter(
            Ledger.Recovered recovered,
            Ledger ledger,
            Threads threads,
            InstantSource clock,
            Supplier<Leads.Requests> asked,
            Runnable collected,
            Consumer<IntakeRequest> turnedDown,
            RefusalCounts refusals,
            DeskMeters meters,
            Function<AccountName, Optional<Entered>> booking,
            ToLongFunction<AccountName> pendingElsewhere,
            Budgets budgets) {
        this.cluster = recovered.cluster().id();
        this.ledger = ledger;
        this.threads = threads;
        this.clock = clock;
        this.asked = asked;
        this.collected = collected;
        this.turnedDown = turnedDown;
        this.refusals = refusals;
        this.meters = meters;
        this.booking = booking;
        this.pendingElsewhere = pendingElsewhere;
        this.budgets = budgets;
        this.steps = new FailureStreak(
                log,
                "Cluster %s: an automatic step has failed and has no effect. Berth repeats it in each turn and goes on deciding requests."
                        .formatted(cluster));
        this.current = schedule(recovered);
        this.epoch = recovered.epoch();
        this.sequence = recovered.sequence();
        this.now = recovered.lastEventAt();
        budgets.opened(cluster, sequence);
        this.heardSince = clock.instant().getEpochSecond();
        heedLeads();
    }

    private static ClusterSchedule schedule(Ledger.Recovered recovered) {
        return ClusterSchedule.of(
                recovered.cluster(),
                recovered.live(),
                recovered.outages(),
                recovered.jobs(),
                recovered.requests(),
                recovered.lastEventAt());
    }

    /**
     * Applies changed leads from the last decision on, or from the latest time before the next due one if the cluster rested until then. By
     * then, everything due under the old leads has been announced.
     */
    private void heedLeads() {
        var present = asked.get();
        if (present != counted) {
            if (!present.equals(counted)) {
                current = current.announcing(current.leads()
                        .asking(present, Math.max(now, Math.min(seen, expected - 1))));
            }
            counted = present;
        }
    }

    ClusterSchedule schedule() {
        return current;
    }

    /** Whether the ledger records, as far as is known. */
    boolean isRecording() {
        return isRecording;
    }

    /** Returns by how many seconds the clock is behind the last event, which is how long time stands still; 0 if it is not behind. */
    long lag() {
        return Math.max(0, latest() - clock.instant().getEpochSecond());
    }

    /** Returns the time before which no decision is made any more. */
    private long latest() {
        return Math.max(now, seen);
    }

    /**
     * Notes the time while the cluster rests, and returns whether it needs a turn: something is due that the last turn did not expect yet,
     * because the clock was set; the clock is behind; or the leads have changed.
     */
    boolean isToWake(long time) {
        boolean isBehind = time < latest() - CLOCK_TOLERANCE;
        seen = Math.max(seen, time);
        return isBehind || time >= expected || asked.get() != counted;
    }

    Basis outlook() {
        long time = Math.max(latest(), clock.instant().getEpochSecond());
        var present = new Basis(current, time, pendingElsewhere);
        return present.on(
                new AdvanceClock(MAX_BATCH, heardSince).decide(present).next());
    }

    /**
     * Handles what is due, decides commands, records both and answers; or continues what could not be done before.
     *
     * @param waiting the waiting commands, in order; the turn removes those whose answers are known
     */
    Next turn(List<Pending> waiting) {
        if (doubt.isPresent()) {
            return resolve(doubt.get(), waiting);
        }
        return isRecording && !hasFailed ? decide(waiting) : recover(waiting);
    }

    /**
     * Notes that a turn has ended with an exception. Later turns resolve the batch that is in doubt, if there is one, read the cluster again
     * from the records, and go on with what they find.
     */
    void failed() {
        hasFailed = true;
        isRecording = false;
        if (doubt.isEmpty()) {
            underWay.ifPresent(Draft::drop);
        }
    }

    /** Whether the result of a batch is unknown; its commands must then stay at the head of the waiting ones. */
    boolean isInDoubt() {
        return doubt.isPresent();
    }

    /** Whether a turn has failed, and the cluster was not read again from the records since. */
    boolean hasFailed() {
        return hasFailed;
    }

    private Next decide(List<Pending> waiting) {
        heedLeads();
        var due = advanceClock();
        // more is due than fits into a batch, for example after a long downtime; it is recorded before any command is
        // decided
        boolean isMoreDue = due.events().size() == MAX_BATCH;
        var draft = new Draft(
                current,
                due.next(),
                due.events(),
                pass,
                new Allowances(booking),
                pendingElsewhere,
                new Purse(budgets),
                threads);
        underWay = Optional.of(draft);
        int taken = 0;
        if (isMoreDue) {
            draft.creditReturns(now);
        } else {
            taken = decided(draft, waiting);
        }
        meters.batch(draft.size());
        if (draft.events().isEmpty()) {
            pass = draft.pass();
            answer(draft);
            return done(waiting, taken);
        }
        return record(draft, waiting, taken);
    }

    private int decided(Draft draft, List<Pending> waiting) {
        int taken = draft.decide(waiting, ENOUGH, now, sequence);
        stepHasFailed = draft.failure().isPresent();
        draft.failure().ifPresentOrElse(this::stepFailed, steps::ended);
        return taken;
    }

    private void stepFailed(RuntimeException failure) {
        meters.failed();
        steps.failed(failure);
    }

    private Next done(List<Pending> waiting, int taken) {
        waiting.subList(0, taken).clear();
        if (stepHasFailed && waiting.isEmpty()) {
            return new Next.Turn(RETRY);
        }
        boolean goesOn = pass.isUnderWay() && new Purse(budgets).isOpen();
        return new Next.Turn(waiting.isEmpty() && !goesOn ? untilNext() : Duration.ZERO);
    }

    /** Returns how long the desk has nothing to do, or how long it waits for other desks. */
    private Duration untilNext() {
        var due = untilNextDue();
        boolean waitsForOthers = pass.waitsForOthers() || pass.isUnderWay();
        return waitsForOthers && due.compareTo(SOON) > 0 ? SOON : due;
    }

    private Duration untilNextDue() {
        var most = current.waitsOnlyForTime() ? LONGEST_REST : LONGEST_WAIT;
        var due = current.nextDue();
        expected = due.map(AgendaItem::at).orElse(Long.MAX_VALUE);
        return due.map(item -> Duration.ofMillis(Math.clamp(item.at() * 1000 - clock.millis(), 0L, most.toMillis())))
                .orElse(most);
    }

    private Decision.Accepted advanceClock() {
        long time = clock.instant().getEpochSecond();
        now = latest();
        boolean behind = time < now - CLOCK_TOLERANCE;
        if (behind && !clockIsBehind) {
            log.warn(
                    "Cluster {}: the clock is {} s behind the last event; the cluster's time stands still until the clock has caught up.",
                    cluster,
                    now - time);
        }
        clockIsBehind = behind;
        now = Math.max(now, time);
        return new AdvanceClock(MAX_BATCH, heardSince).decide(new Basis(current, now));
    }

    private Next record(Draft draft, List<Pending> waiting, int taken) {
        var batch = new Batch(cluster, epoch, sequence, draft.events(), draft.keys());
        return switch (meters.commit(() -> appended(batch))) {
            case Outcome.Committed() -> applied(draft, batch, waiting, taken);
            case Outcome.Failed(var cause) -> {
                log.warn(
                        "Cluster {}: {} events could not be recorded, so their commands have no effect: {}",
                        cluster,
                        batch.events().size(),
                        cause.toString());
                log.debug("Cluster {}: the cause of the failed commit", cluster, cause);
                isRecording = false;
                yield notRecorded(draft, waiting, taken);
            }
            case Outcome.Fenced() -> {
                var end = fenced();
                draft.answerAll(new Answer.NotDecided(end.why()));
                yield end;
            }
            case Outcome.Unknown(var cause) -> {
                log.warn(
                        "Cluster {}: the outcome of a commit is unknown. Berth reads it from the database.",
                        cluster,
                        cause);
                doubt = Optional.of(new Doubt(draft, batch, taken));
                isRecording = false;
                yield resolve(doubt.get(), waiting);
            }
        };
    }

    /** Records a batch. If the ledger fails in a way that it does not know itself, nobody knows what is recorded. */
    private Outcome appended(Batch batch) {
        try {
            return ledger.append(batch);
        } catch (RuntimeException | Error e) {
            return new Outcome.Unknown(new IllegalStateException("The ledger has failed.", e));
        }
    }

    private Next resolve(Doubt inDoubt, List<Pending> waiting) {
        var standing = standing();
        if (standing.isEmpty()) {
            return new Next.Pause(RETRY);
        }
        var batch = inDoubt.batch;
        // the result stays unknown to the clients if the cluster has gone on without this process
        if (!(standing.get() instanceof Standing.Writer(long newEpoch, long recorded))
                || recorded != batch.sequence() && recorded != batch.lastSequence()) {
            return fenced();
        }
        doubt = Optional.empty();
        recordsAgain(newEpoch);
        if (recorded == batch.lastSequence()) {
            log.info(
                    "Cluster {}: the commit whose outcome was unknown has succeeded; its decisions take effect.",
                    cluster);
            return applied(inDoubt.draft, batch, waiting, inDoubt.taken);
        }
        log.info("Cluster {}: the commit whose outcome was unknown has failed; its commands have no effect.", cluster);
        return notRecorded(inDoubt.draft, waiting, inDoubt.taken);
    }

    /** Tries to continue after a failure. Until the ledger records again, clients do not wait for it. */
    private Next recover(List<Pending> waiting) {
        var standing = standing();
        if (standing.isEmpty()) {
            return notYet(waiting);
        }
        if (!(standing.get() instanceof Standing.Writer(long newEpoch, long recorded)) || recorded != sequence) {
            return fenced();
        }
        if (isUnanswered) {
            log.info("Cluster {}: the database records again.", cluster);
        }
        recordsAgain(newEpoch);
        return hasFailed ? reopen(waiting) : decide(waiting);
    }

    /** Reads the cluster again from the records, after a turn that failed. */
    private Next reopen(List<Pending> waiting) {
        Ledger.Recovered recovered;
        try {
            recovered = ledger.takeOver(cluster);
        } catch (StorageUnavailable e) {
            log.debug("Cluster {}: the records cannot be read; Berth tries again.", cluster, e);
            isRecording = false;
            return notYet(waiting);
        }
        epoch = recovered.epoch();
        sequence = recovered.sequence();
        now = Math.max(now, recovered.lastEventAt());
        pass = WaitingPass.BEGINNING;
        counted = Leads.Requests.NOTHING;
        current = schedule(recovered);
        hasFailed = false;
        return decide(waiting);
    }

    /** Refuses the waiting commands, because nothing can be recorded at present. */
    private static Next notYet(List<Pending> waiting) {
        waiting.forEach(pending -> pending.drop(NOT_RECORDED));
        waiting.clear();
        return new Next.Turn(RETRY);
    }

    /** Returns the ledger's state of the cluster, which takes a write; empty if the ledger does not answer. */
    private Optional<Standing> standing() {
        try {
            return Optional.of(ledger.resolve(cluster));
        } catch (StorageUnavailable e) {
            // logged once for each failure
            if (!isUnanswered) {
                log.warn("Cluster {}: the database records nothing; Berth tries again until it does.", cluster, e);
            }
            isUnanswered = true;
            return Optional.empty();
        }
    }

    private void recordsAgain(long newEpoch) {
        epoch = newEpoch;
        isUnanswered = false;
        isRecording = true;
    }

    private Next applied(Draft draft, Batch batch, List<Pending> waiting, int taken) {
        sequence = batch.lastSequence();
        draft.recorded(cluster, sequence);
        current = draft.schedule();
        pass = draft.pass();
        if (!current.requests().isEmpty()) {
            collected.run();
        }
        meters.recorded(draft.events());
        draft.events().forEach(this::report);
        answer(draft);
        return done(waiting, taken);
    }

    private void report(Event event) {
        if (event instanceof RequestEvent(var _, var request, var _)
                && (request.state() == IntakeRequest.State.REJECTED
                        || request.state() == IntakeRequest.State.EXPIRED)) {
            turnedDown.accept(request);
        }
    }

    private void answer(Draft draft) {
        refusals.add(draft.refused(), now);
        draft.answer();
    }

    /** Handles a batch that was not recorded. A batch without clients is not repeated at once. */
    private Next notRecorded(Draft draft, List<Pending> waiting, int taken) {
        draft.answerAll(new Answer.NotDecided(NOT_RECORDED));
        waiting.subList(0, taken).clear();
        if (draft.size() == 0) {
            return new Next.Pause(RETRY);
        }
        return new Next.Turn(waiting.isEmpty() ? RETRY : Duration.ZERO);
    }

    private Next.End fenced() {
        var reason = "Another process has taken over cluster %s; this one must be restarted.".formatted(cluster);
        log.error(reason);
        return new Next.End(reason);
    }
}
