package berth.simulation;

import berth.cluster.Cluster;
import berth.reservation.Due;
import berth.reservation.Origin;
import berth.reservation.Reservation;
import berth.reservation.ReservationId;
import berth.scheduling.AdvanceClock;
import berth.scheduling.Allowance;
import berth.scheduling.ClusterSchedule;
import berth.scheduling.Command;
import berth.scheduling.Complete;
import berth.scheduling.Decision;
import berth.scheduling.Event;
import berth.scheduling.Event.ReservationEvent;
import berth.scheduling.Rejection;
import berth.scheduling.Reserve;
import berth.scheduling.Target;
import berth.sla.RequestedTerms;
import berth.sla.ServiceClass;
import berth.workload.ReservationRequest;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.PriorityQueue;
import java.util.UUID;

/**
 * One run of the core under simulated time. The clock jumps to whatever is next: a start or end that the schedule has on
 * its agenda, the early end of a run, a request. Of these at one instant, the agenda comes first, then early ends, then
 * requests in the order given; so whatever is given back at an instant can be reserved at it.
 *
 * <p>Equal clusters and jobs give equal histories.
 */
public final class Simulation {
    private static final Origin ORIGIN =
            new Origin("simulation", ServiceClass.STANDARD, Optional.empty(), Optional.empty());

    private final Map<ReservationId, Job> accepted = new HashMap<>();
    private final Map<ReservationId, Reservation> latest = new HashMap<>();
    private final PriorityQueue<EarlyEnd> earlyEnds = new PriorityQueue<>(EarlyEnd.ORDER);
    private ClusterSchedule schedule;

    private Simulation(Cluster cluster) {
        this.schedule = ClusterSchedule.empty(cluster);
    }

    /** A run that ends before its slot does. */
    private record EarlyEnd(long at, ReservationId reservation) {
        static final Comparator<EarlyEnd> ORDER = Comparator.comparingLong(EarlyEnd::at)
                .thenComparing(end -> end.reservation().value());
    }

    /**
     * Lets {@code jobs} ask for their reservations on an empty cluster, and time pass until all have ended.
     *
     * @param jobs in the order of their submission
     * @throws BrokenRule if the history breaks a rule that every schedule keeps, see {@link History#check}
     */
    public static History run(Cluster cluster, List<Job> jobs) {
        History history = new Simulation(cluster).history(cluster, jobs);
        history.check();
        return history;
    }

    private History history(Cluster cluster, List<Job> jobs) {
        List<Decided> decided = new ArrayList<>(jobs.size());
        for (Job job : jobs) {
            long now = job.request().submit();
            advanceTo(now);
            ReservationId id = new ReservationId(new UUID(0, decided.size()));
            decided.add(new Decided(job, id, reserve(job, id, now)));
        }
        advanceTo(Long.MAX_VALUE - 1);
        return new History(cluster, decided.stream().map(this::outcome).toList());
    }

    private record Decided(Job job, ReservationId id, Optional<Rejection> refusal) {}

    private Outcome outcome(Decided decided) {
        return decided.refusal()
                .<Outcome>map(reason -> new Outcome.Refused(decided.job(), reason))
                .orElseGet(() -> {
                    var reservation = Optional.ofNullable(latest.get(decided.id()));
                    return new Outcome.Accepted(decided.job(), reservation.orElseThrow());
                });
    }

    private Optional<Rejection> reserve(Job job, ReservationId id, long now) {
        ReservationRequest request = job.request();
        var terms = RequestedTerms.of(
                OptionalLong.of(request.readyTime()),
                OptionalLong.of(request.deadline()),
                request.duration(),
                request.pes());
        var refusal = decide(
                new Reserve(id, ORIGIN, terms, OptionalLong.empty(), OptionalLong.empty(), Allowance.UNLIMITED), now);
        if (refusal.isEmpty()) {
            accepted.put(id, job);
        }
        return refusal;
    }

    private void advanceTo(long time) {
        for (long next = nextInstant(); next <= time; next = nextInstant()) {
            decide(new AdvanceClock(Integer.MAX_VALUE), next);
            for (var end = earlyEnds.peek(); end != null && end.at() == next; end = earlyEnds.peek()) {
                earlyEnds.remove();
                complete(end);
            }
        }
    }

    /** When something happens next by itself; {@link Long#MAX_VALUE} if nothing does. */
    private long nextInstant() {
        long due = schedule.nextDue().map(Due::at).orElse(Long.MAX_VALUE);
        var end = earlyEnds.peek();
        return end == null ? due : Math.min(due, end.at());
    }

    private void complete(EarlyEnd end) {
        var refusal = decide(new Complete(new Target(end.reservation(), OptionalInt.empty())), end.at());
        if (refusal.isPresent()) {
            throw new BrokenRule("Reservation %s could not be completed at %d: %s."
                    .formatted(end.reservation(), end.at(), refusal.get()));
        }
    }

    /** Decides and makes the next schedule current; answers why it was refused, if it was. */
    private Optional<Rejection> decide(Command command, long now) {
        return switch (command.decide(schedule, now)) {
            case Decision.Rejected(var reason) -> Optional.of(reason);
            case Decision.Accepted(var events, var next) -> {
                schedule = next;
                events.forEach(this::note);
                yield Optional.empty();
            }
        };
    }

    private void note(Event event) {
        if (event instanceof ReservationEvent(var type, var reservation, var at, var _)) {
            latest.put(reservation.id(), reservation);
            var job = accepted.get(reservation.id());
            if (type == Event.Type.STARTED
                    && job != null
                    && at + job.runTime() < reservation.slot().end()) {
                earlyEnds.add(new EarlyEnd(at + job.runTime(), reservation.id()));
            }
        }
    }
}
