package berth.desk;

import berth.desk.Ledger.RecordedKey;
import berth.scheduling.ClusterSchedule;
import berth.scheduling.Collect;
import berth.scheduling.Decision;
import berth.scheduling.Event;
import berth.scheduling.Event.RequestEvent;
import berth.scheduling.Reserve;
import berth.scheduling.StartJobs;
import java.util.ArrayList;
import java.util.List;

/** A batch while it is decided: where it leads if it can be recorded, and what everybody in it will hear then. */
final class Draft {

    private final List<Pending> batch;
    private final List<Event> events;
    private final List<RecordedKey> keys = new ArrayList<>();
    private final List<Runnable> answers = new ArrayList<>();
    private final List<String> refused = new ArrayList<>();
    private ClusterSchedule schedule;

    /**
     * @param schedule after {@code events}
     * @param events that have fallen due
     * @param batch to be decided
     */
    Draft(ClusterSchedule schedule, List<Event> events, List<Pending> batch) {
        this.schedule = schedule;
        this.events = new ArrayList<>(events);
        this.batch = batch;
    }

    /**
     * Decides the commands in order, each on the schedule that the one before it leaves, and then which batch jobs start: the
     * requests of this instant come before the jobs that find room beside them.
     */
    void decide(long now, long sequence) {
        decideCommands(now, sequence);
        var started = new StartJobs().decide(schedule, now);
        schedule = started.next();
        events.addAll(started.events());
    }

    private void decideCommands(long now, long sequence) {
        for (var pending : batch) {
            Decision decision;
            try {
                decision = pending.command().decide(schedule, now);
            } catch (RuntimeException e) {
                answers.add(() -> pending.answer().completeExceptionally(e));
                continue;
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
                    answers.add(() -> pending.answer().complete(new Answer.Done(granted)));
                }
                case Decision.Rejected(var reason) -> {
                    boolean isRequest = pending.command() instanceof Reserve || pending.command() instanceof Collect;
                    if (isRequest && pending.countsIfRefused()) {
                        refused.add(reason.code());
                    }
                    answers.add(() -> pending.answer().complete(new Answer.Refused(reason)));
                }
            }
        }
    }

    /** A request may also be refused after it was collected. */
    private void note(Event event) {
        if (event instanceof RequestEvent(var _, var request, var _)) {
            request.reason().ifPresent(refused::add);
        }
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
    List<String> refused() {
        return refused;
    }

    /** Tells everybody what was decided for them. */
    void answer() {
        answers.forEach(Runnable::run);
    }

    /** Tells everybody the same, whatever was decided. */
    void answerAll(Answer answer) {
        batch.forEach(pending -> pending.answer().complete(answer));
    }
}
