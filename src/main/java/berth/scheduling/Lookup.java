package berth.scheduling;

import berth.batch.BatchJob;
import berth.batch.JobId;
import berth.batch.JobSource;
import berth.batch.JobState;
import berth.outcome.Outcome;
import berth.reservation.Reservation;
import berth.reservation.ReservationState;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.function.Function;

/** The reservation to which a command refers, or why the command cannot apply to it. */
public final class Lookup {

    private Lookup() {}

    /** Finds a live reservation in one of {@code states} and in the expected version. */
    public static Outcome<Reservation, Rejection> of(
            ClusterSchedule schedule, Target target, Set<ReservationState> states) {
        return schedule.find(target.reservation())
                .map(found -> of(found, target, states))
                .orElseGet(() -> new Outcome.NotDone<>(new Rejection.NotLive(target.reservation())));
    }

    private static Outcome<Reservation, Rejection> of(Reservation found, Target target, Set<ReservationState> states) {
        int version = found.version();
        if (!target.version().equals(OptionalInt.of(version))
                && target.version().isPresent()) {
            return new Outcome.NotDone<>(new Rejection.StaleVersion(version));
        }
        return states.contains(found.state())
                ? new Outcome.Done<>(found)
                : new Outcome.NotDone<>(new Rejection.WrongState(found.state()));
    }

    /** Decides a change that the owner requests for a reservation in one of {@code states}. */
    public static Decision change(
            ClusterSchedule schedule,
            Target target,
            Set<ReservationState> states,
            Function<Reservation, Optional<Event>> change) {
        return switch (of(schedule, target, states)) {
            case Outcome.NotDone(var reason) -> new Decision.Rejected(reason);
            case Outcome.Done(var reservation) ->
                change.apply(reservation)
                        .map(event -> Decision.Accepted.of(schedule, event))
                        .orElseGet(() -> Decision.Accepted.unchanged(schedule));
        };
    }

    /** Decides a change of one of Berth's own jobs, which must be in one of {@code states}. */
    public static Decision change(
            ClusterSchedule schedule, JobId id, Set<JobState> states, Function<BatchJob, Event> change) {
        var found = schedule.jobs().find(id);
        if (found.isEmpty()) {
            return new Decision.Rejected(new Rejection.JobNotLive(id));
        }
        var job = found.get();
        if (job.source() == JobSource.OUTSIDE) {
            return new Decision.Rejected(new Rejection.OtherSource(JobSource.OUTSIDE));
        }
        return states.contains(job.state())
                ? Decision.Accepted.of(schedule, change.apply(job))
                : new Decision.Rejected(new Rejection.WrongJobState(job.state()));
    }
}
