package berth.lab.simulation;

import berth.cluster.Cluster;
import berth.lab.simulation.JobOutcome.Alternative;
import berth.reservation.Origin;
import berth.reservation.Reservation;
import berth.reservation.ReservationId;
import berth.scheduling.Event;
import berth.scheduling.Event.ReservationEvent;
import berth.scheduling.Rejection;
import berth.scheduling.Target;
import berth.scheduling.commands.Complete;
import berth.scheduling.commands.PullForward;
import berth.scheduling.commands.Reserve;
import berth.scheduling.places.Alternatives;
import berth.sla.AccountName;
import berth.sla.Customer;
import berth.sla.RequestedTerms;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.UUID;
import org.apache.commons.rng.UniformRandomProvider;
import org.apache.commons.rng.simple.RandomSource;

/**
 * One run of the core under simulated time. The clock jumps to the next event: a start or end on the schedule's agenda, the early end of a
 * run, or a request. At one instant the agenda comes first, then early ends, then pulling forward, then requests in the given order, so
 * anything released at an instant can be reserved at it.
 *
 * <p>Equal clusters, jobs and seeds give equal histories.
 */
public final class Simulation {
    private static final AccountName ACCOUNT = new AccountName("simulation");

    private final Map<ReservationId, Course> courses = new HashMap<>();
    private final Map<ReservationId, Job> jobs = new HashMap<>();
    private final SimulatedCluster simulated;

    private Simulation(Cluster cluster) {
        this.simulated = SimulatedCluster.empty(cluster, this::note);
    }

    /** The history so far of an accepted job. */
    private static final class Course {
        private final Job job;
        private final List<Reservation> places = new ArrayList<>();
        private Reservation latest;

        Course(Job job, Reservation accepted) {
            this.job = job;
            this.latest = accepted;
            places.add(accepted);
        }

        void goesOn(Event.Type type, Reservation after) {
            latest = after;
            if (type == Event.Type.MOVED) {
                places.add(after);
            }
        }
    }

    /**
     * Runs jobs on an empty cluster until all have ended.
     *
     * @param jobs the jobs in the order of submission
     * @throws BrokenRule if the history breaks a rule that every schedule keeps, see {@link History#check}
     */
    public static History run(Cluster cluster, List<Job> jobs) {
        return run(cluster, jobs, 0);
    }

    /** Runs jobs likewise. {@code seed} determines the ids of the reservations, on which only the order of a shuffled queue depends. */
    public static History run(Cluster cluster, List<Job> jobs, long seed) {
        History history = new Simulation(cluster).history(cluster, jobs, seed);
        history.check();
        return history;
    }

    private History history(Cluster cluster, List<Job> jobs, long seed) {
        UniformRandomProvider names = RandomSource.SPLIT_MIX_64.create(seed);
        List<Decided> decided = new ArrayList<>(jobs.size());
        for (Job job : jobs) {
            long now = job.request().submit();
            advanceTo(now);
            // later ids sort after earlier ones
            var id = new ReservationId(new UUID(decided.size(), names.nextLong()));
            decided.add(reserve(job, id, now));
        }
        advanceTo(Long.MAX_VALUE - 1);
        return new History(cluster, decided.stream().map(this::outcome).toList());
    }

    /** The result of a request. */
    private sealed interface Decided {
        record Granted(ReservationId id, Optional<Alternative> alternative) implements Decided {}

        record Denied(Job job, Rejection reason) implements Decided {}
    }

    private JobOutcome outcome(Decided decided) {
        return switch (decided) {
            case Decided.Denied(var job, var reason) -> new JobOutcome.Refused(job, reason);
            case Decided.Granted(var id, var alternative) -> {
                var course = course(id);
                yield new JobOutcome.Accepted(course.job, alternative, course.places, course.latest);
            }
        };
    }

    private Course course(ReservationId id) {
        return Optional.ofNullable(courses.get(id)).orElseThrow(() -> unknown(id));
    }

    private static BrokenRule unknown(ReservationId id) {
        return new BrokenRule("Reservation %s has no outcome.".formatted(id));
    }

    private Decided reserve(Job job, ReservationId id, long now) {
        jobs.put(id, job);
        var refusal = reserve(job, id, job.terms(), OptionalLong.empty(), now);
        if (refusal.isEmpty()) {
            return new Decided.Granted(id, Optional.empty());
        }
        var alternative = alternative(job, now);
        boolean isTaken = alternative.isPresent()
                && reserve(job, id, alternative.get().terms(), alternative.get().start(), now)
                        .isEmpty();
        return isTaken ? new Decided.Granted(id, alternative) : new Decided.Denied(job, refusal.get());
    }

    /** Returns the alternative that the job would accept. */
    private Optional<Alternative> alternative(Job job, long now) {
        int limit = job.choice() == Job.Choice.NEAREST ? 1 : Integer.MAX_VALUE;
        return job.maxPhi()
                .flatMap(most -> new Alternatives(job.terms(), new Customer(ACCOUNT, job.serviceClass()), most, limit)
                        .ask(simulated.schedule(), now).found().stream().reduce((nearer, farther) -> farther))
                .map(found -> new Alternative(found.terms(), found.start(), found.phi()));
    }

    /** Asks for a reservation with these terms and returns the reason if it was refused. */
    private Optional<Rejection> reserve(Job job, ReservationId id, RequestedTerms terms, OptionalLong start, long now) {
        var origin = new Origin(ACCOUNT, job.serviceClass());
        var command = new Reserve(id, origin, terms, start, OptionalLong.empty());
        return simulated.ask(command, now);
    }

    private void advanceTo(long time) {
        for (long next = simulated.next(); next <= time; next = simulated.next()) {
            var before = simulated.schedule();
            simulated.advanceTo(next);
            simulated.decide(new PullForward(before), next);
        }
    }

    /** Notes an event; the first event of a reservation begins its history. */
    private void note(Event event) {
        if (event instanceof ReservationEvent(var type, var reservation, var _, var _, var _, var _)) {
            var course = courses.get(reservation.id());
            if (course == null) {
                courses.put(reservation.id(), new Course(job(reservation.id()), reservation));
                return;
            }
            course.goesOn(type, reservation);
            if (type == Event.Type.STARTED || type == Event.Type.RESUMED) {
                noteEarlyEnd(course.job, reservation);
            }
        }
    }

    private Job job(ReservationId id) {
        return Optional.ofNullable(jobs.get(id)).orElseThrow(() -> unknown(id));
    }

    /** Plans an early end. The run may end in the part that has begun; later parts may still move. */
    private void noteEarlyEnd(Job job, Reservation running) {
        long end = job.end(running.parts());
        var part = running.parts().get(running.placement().begun() - 1);
        if (end <= part.slot().end() && end < running.slot().end()) {
            simulated.endsEarly(end, running.id().value(), new Complete(new Target(running.id(), OptionalInt.empty())));
        }
    }
}
