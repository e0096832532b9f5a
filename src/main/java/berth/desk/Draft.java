package berth.desk;

import berth.desk.Ledger.RecordedKey;
import berth.desk.Pending.Reach;
import berth.reservation.ClusterId;
import berth.reservation.RefusalCode;
import berth.scheduling.ClusterSchedule;
import berth.scheduling.Collect;
import berth.scheduling.Command;
import berth.scheduling.Decision;
import berth.scheduling.Event;
import berth.scheduling.Event.RequestEvent;
import berth.scheduling.ExtendRuns;
import berth.scheduling.GrantWaiting;
import berth.scheduling.PullForward;
import berth.scheduling.Reserve;
import berth.scheduling.ReserveAt;
import berth.scheduling.StartJobs;
import berth.scheduling.WaitForRoom;
import berth.scheduling.WaitingPass;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** A batch while it is decided: where it leads if it can be recorded, and what everybody in it will hear then. */
final class Draft {

    /** With so many events a batch takes no further command: those who wait for it wait until all are recorded. */
    static final int ENOUGH_EVENTS = 2_000;

    private final Threads threads;
    private final List<Pending> batch = new ArrayList<>();
    private final List<Event> events;
    private final List<RecordedKey> keys = new ArrayList<>();
    private final List<Runnable> answers = new ArrayList<>();
    private final List<RefusalCode> refused = new ArrayList<>();
    private final ClusterSchedule before;
    private final Allowances allowances;
    private final Purse purse;
    private ClusterSchedule schedule;
    private WaitingPass pass;

    /**
     * @param before the schedule before {@code events}
     * @param schedule after them
     * @param events that have fallen due
     * @param pass which of the requests that wait for room were to be tried before these events
     * @param allowances how much those may book that have them
     * @param purse what projects can spend
     * @param threads whose time tells how long it has been deciding
     */
    Draft(
            ClusterSchedule before,
            ClusterSchedule schedule,
            List<Event> events,
            WaitingPass pass,
            Allowances allowances,
            Purse purse,
            Threads threads) {
        this.threads = threads;
        this.before = before;
        this.schedule = schedule;
        this.events = new ArrayList<>(events);
        this.pass = pass.after(before, schedule, events);
        this.allowances = allowances;
        this.purse = purse;
        purse.note(before, events);
        events.forEach(this::note);
    }

    /**
     * Extends the runs that are to be, decides the commands in order, each on the schedule that the one before it leaves, then which of the requests that wait for room
     * get some, then who is pulled forward, and then
     * which batch jobs start: the requests of this instant come before the jobs that find room beside them. Those whose clients have given up are passed over.
     *
     * @param enough after that time no further command is begun, so that who was first does not wait for all the others
     * @return how many of the commands were come to; the others are left as they are
     */
    int decide(List<Pending> commands, Duration enough, long now, long sequence) {
        long began = threads.nanoTime();
        int due = events.size();
        if (purse.isOpen()) {
            add(new ExtendRuns(allowances::of), now);
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
        pass = pass.after(before, schedule, events.subList(due, events.size()));
        if (purse.isOpen()) {
            grantWaiting(now);
        }
        int granted = events.size();
        add(new PullForward(before), now);
        add(new StartJobs(), now);
        pass = pass.after(before, schedule, events.subList(granted, events.size()));
        return next;
    }

    private void grantWaiting(long now) {
        var waiting = new GrantWaiting(pass, allowances::of);
        var turns = new ArrayList<GrantWaiting.Turn>();
        add(
                purse.decide(schedule, now, funded -> {
                    turns.add(waiting.turn(funded, now));
                    return turns.getLast().granted();
                }),
                now);
        pass = turns.getLast().left();
    }

    /** Adds what comes of a command that is never refused. */
    private void add(Command command, long now) {
        add(purse.decide(schedule, now, funded -> command.decide(funded, now)), now);
    }

    private void add(Decision decision, long now) {
        if (decision instanceof Decision.Accepted(var happened, var next)) {
            schedule = next;
            events.addAll(happened);
            events.addAll(purse.low(now));
        }
    }

    private void decide(Pending pending, long now, long sequence) {
        Decision decision;
        try {
            decision = purse.decide(schedule, now, funded -> switch (pending.reach()) {
                case ALL -> pending.command().decide(funded, now);
                case AS_OTHERS_LIE -> pending.command().decideAsOthersLie(funded, now);
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
                // what changed nothing leaves nothing that its key could stand for
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

    /** A request may also be refused after it was collected, and has been if it has waited for room in vain. */
    private void note(Event event) {
        if (event instanceof RequestEvent(var type, var request, var _)) {
            request.reason().ifPresent(refused::add);
            if (type == Event.Type.WAIT_EXPIRED) {
                refused.add(RefusalCode.NO_SLOT);
            }
        }
    }

    /** Which of the requests that wait for room are still to be tried. */
    WaitingPass pass() {
        return pass;
    }

    /** How many commands are decided in it. */
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

    /** Why requests for a reservation were refused, one code each. */
    List<RefusalCode> refused() {
        return refused;
    }

    /** What was decided is recorded, up to that event of the cluster. */
    void recorded(ClusterId cluster, long sequence) {
        purse.recorded(cluster, sequence);
    }

    /** Tells everybody what was decided for them. */
    void answer() {
        answers.forEach(Runnable::run);
        allowances.release();
    }

    /** Tells everybody the same, whatever was decided. */
    void answerAll(Answer answer) {
        purse.dropped();
        batch.forEach(pending -> pending.answer().complete(answer));
        allowances.release();
    }
}
