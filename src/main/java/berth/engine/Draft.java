package berth.engine;

import berth.engine.Ledger.RecordedKey;
import berth.engine.Pending.Reach;
import berth.reservation.ClusterId;
import berth.reservation.RefusalCode;
import berth.runtime.Threads;
import berth.scheduling.Basis;
import berth.scheduling.ClusterSchedule;
import berth.scheduling.CreditReturns;
import berth.scheduling.Decision;
import berth.scheduling.Event;
import berth.scheduling.Event.RequestEvent;
import berth.scheduling.commands.Collect;
import berth.scheduling.commands.ExtendRuns;
import berth.scheduling.commands.FollowPrices;
import berth.scheduling.commands.GrantWaiting;
import berth.scheduling.commands.PullForward;
import berth.scheduling.commands.ReplaceLostPes;
import berth.scheduling.commands.Reserve;
import berth.scheduling.commands.ReserveAt;
import berth.scheduling.commands.StartJobs;
import berth.scheduling.commands.WaitForRoom;
import berth.scheduling.places.JobDelays;
import berth.scheduling.places.WaitingPass;
import berth.sla.AccountName;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.ToLongFunction;

/** A batch while it is being decided: the resulting schedule, and the answers to give once it is recorded. */
final class Draft {

    /** The number of events after which a batch takes no further command, because all its clients wait until everything is recorded. */
    static final int ENOUGH_EVENTS = 2_000;

    private final Threads threads;
    private final List<Pending> batch = new ArrayList<>();
    private final List<Event> events;
    private final List<RecordedKey> keys = new ArrayList<>();
    private final List<Runnable> answers = new ArrayList<>();
    private final List<RefusalCode> refused = new ArrayList<>();
    private final ClusterSchedule before;
    private final Allowances allowances;
    private final ToLongFunction<AccountName> pendingElsewhere;
    private final Purse purse;
    private ClusterSchedule schedule;
    private WaitingPass pass;
    private Optional<RuntimeException> failure = Optional.empty();

    /**
     * Starts a draft.
     *
     * @param before the schedule before {@code events}
     * @param schedule the schedule after them
     * @param events the events that were due
     * @param pass the pass over the waiting list before these events
     * @param allowances the allowances of accounts for automatic changes
     * @param pendingElsewhere how many reservations of an account wait for approval on other clusters
     * @param purse what projects can spend
     * @param threads measures how long the draft takes
     */
    Draft(
            ClusterSchedule before,
            ClusterSchedule schedule,
            List<Event> events,
            WaitingPass pass,
            Allowances allowances,
            ToLongFunction<AccountName> pendingElsewhere,
            Purse purse,
            Threads threads) {
        this.threads = threads;
        this.before = before;
        this.schedule = schedule;
        this.events = new ArrayList<>(events);
        this.pass = pass.after(before, schedule, events);
        this.allowances = allowances;
        this.pendingElsewhere = pendingElsewhere;
        this.purse = purse;
        purse.note(before, events);
        events.forEach(this::note);
    }

    /**
     * Decides everything for this instant, in this order: other PEs for lost ones, automatic extensions, the commands in order (each on the
     * schedule that the previous one leaves), again other PEs for lost ones, the waiting list, pulling forward, the batch jobs to start, which
     * waiting jobs this delays, and credits for returned time.
     * Runs that lack PEs thus come before requests, and requests before jobs that find room alongside them. Commands whose clients have
     * given up are skipped.
     *
     * @param enough the time after which no further command is begun, so that the first clients do not wait for all others
     * @return how many commands were handled; the others are unchanged
     */
    int decide(List<Pending> commands, Duration enough, long now, long sequence) {
        long began = threads.nanoTime();
        int due = events.size();
        add(now, new ReplaceLostPes()::decide);
        if (purse.isOpen()) {
            add(now, new ExtendRuns()::decide);
        }
        int next = 0;
        while (next < commands.size()
                && (batch.isEmpty()
                        || threads.nanoTime() - began < enough.toNanos() && events.size() < ENOUGH_EVENTS)) {
            var pending = commands.get(next++);
            if (pending.claim()) {
                batch.add(pending);
                decide(pending, now, sequence);
            }
        }
        add(now, new ReplaceLostPes()::decide);
        pass = pass.after(before, schedule, events.subList(due, events.size()));
        if (purse.isOpen()) {
            grantWaiting(now);
        }
        int granted = events.size();
        add(now, new PullForward(before)::decide);
        add(now, new FollowPrices(before)::decide);
        add(now, new StartJobs()::decide);
        add(now, new JobDelays(before, List.copyOf(events))::decide);
        pass = pass.after(before, schedule, events.subList(granted, events.size()));
        creditReturns(now);
        return next;
    }

    /** Credits returned time for which others were charged in this draft. */
    void creditReturns(long now) {
        add(now, new CreditReturns(List.copyOf(events))::decide);
    }

    private void grantWaiting(long now) {
        var waiting = new GrantWaiting(pass);
        var left = new ArrayList<WaitingPass>();
        boolean isDone = add(now, basis -> {
            var turn = waiting.turn(basis);
            left.add(turn.left());
            return turn.granted();
        });
        if (isDone) {
            pass = left.getLast();
        }
    }

    /**
     * Adds the events of an automatic step, which is never refused. A step that fails has no effect, and everything else is decided as if
     * it had found nothing to do.
     */
    private boolean add(long now, Function<Basis, Decision> step) {
        Decision decision;
        try {
            decision = purse.decide(new Basis(schedule, now, allowances::of, pendingElsewhere), step);
        } catch (RuntimeException e) {
            failure = failure.or(() -> Optional.of(e));
            return false;
        }
        if (decision instanceof Decision.Accepted(var happened, var next)) {
            schedule = next;
            events.addAll(happened);
            events.addAll(purse.low(now));
        }
        return true;
    }

    /** Returns why an automatic step failed; empty if all succeeded. */
    Optional<RuntimeException> failure() {
        return failure;
    }

    private void decide(Pending pending, long now, long sequence) {
        Decision decision;
        try {
            decision = purse.decide(
                    new Basis(schedule, now, pendingElsewhere).within(pending.allowance()),
                    basis -> switch (pending.reach()) {
                        case ALL -> pending.command().decide(basis);
                        case AS_OTHERS_LIE -> pending.command().decideAsOthersLie(basis);
                    });
        } catch (RuntimeException e) {
            answers.add(() -> pending.answer().completeExceptionally(e));
            return;
        }
        switch (decision) {
            case Decision.Accepted(var granted, var next) -> {
                schedule = next;
                granted.forEach(this::note);
                events.addAll(granted);
                // a command without an event leaves no result for its key
                if (!granted.isEmpty()) {
                    pending.key().ifPresent(key -> keys.add(new RecordedKey(key, sequence + events.size())));
                }
                events.addAll(purse.low(now));
                answers.add(() -> pending.answer().complete(new Answer.Done(granted)));
            }
            case Decision.Rejected(var reason)
            when pending.reach() == Reach.AS_OTHERS_LIE && reason.lacksRoom() -> pending.leave();
            case Decision.Rejected(var reason) -> {
                boolean isRequest = switch (pending.command()) {
                    case Reserve _, Collect _, WaitForRoom _ -> true;
                    case ReserveAt _ -> !reason.lacksRoom();
                    default -> false;
                };
                if (isRequest && pending.countsIfRefused()) {
                    refused.add(reason.code());
                }
                answers.add(() -> pending.answer().complete(new Answer.Refused(reason)));
            }
        }
    }

    /** Counts the refusal of a collected request, or of one that waited for room until its time was over. */
    private void note(Event event) {
        if (event instanceof RequestEvent(var type, var request, var _)) {
            request.reason().ifPresent(refused::add);
            if (type == Event.Type.WAIT_EXPIRED) {
                refused.add(RefusalCode.NO_SLOT);
            }
        }
    }

    /** Returns the pass over the waiting list after this batch. */
    WaitingPass pass() {
        return pass;
    }

    /** Returns how many commands the batch decides. */
    int size() {
        return batch.size();
    }

    ClusterSchedule schedule() {
        return schedule;
    }

    List<Event> events() {
        return events;
    }

    List<RecordedKey> keys() {
        return keys;
    }

    /** Returns the codes of the refused requests for reservations. */
    List<RefusalCode> refused() {
        return refused;
    }

    /** Notes that the decisions are recorded, up to that event of the cluster. */
    void recorded(ClusterId cluster, long sequence) {
        purse.recorded(cluster, sequence);
    }

    /** Gives every client its answer. */
    void answer() {
        answers.forEach(Runnable::run);
        allowances.release();
    }

    /** Gives every client the same answer. */
    void answerAll(Answer answer) {
        batch.forEach(pending -> pending.answer().complete(answer));
        drop();
    }

    /** Gives back what the batch took, which will never be recorded. */
    void drop() {
        try {
            purse.dropped();
        } finally {
            allowances.release();
        }
    }
}
