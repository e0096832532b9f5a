package berth.lab.simulation;

import berth.batch.BatchJob;
import berth.batch.JobId;
import berth.cluster.Cluster;
import berth.lab.workload.MixedWorkload;
import berth.lab.workload.MixedWorkload.Refused;
import berth.lab.workload.QueuedJob;
import berth.lab.workload.ReservationRequest;
import berth.outcome.Outcome;
import berth.reservation.Origin;
import berth.reservation.Reservation;
import berth.reservation.ReservationId;
import berth.scheduling.ClusterSchedule;
import berth.scheduling.Event;
import berth.scheduling.Event.ClusterEvent;
import berth.scheduling.Event.JobEvent;
import berth.scheduling.Event.ReservationEvent;
import berth.scheduling.commands.CompleteJob;
import berth.scheduling.commands.PullForward;
import berth.scheduling.commands.Reserve;
import berth.scheduling.commands.StartJobs;
import berth.scheduling.commands.SubmitJob;
import berth.scheduling.places.Preference;
import berth.scheduling.places.Probe;
import berth.scheduling.places.Probe.Offer;
import berth.sla.AccountName;
import berth.sla.Customer;
import berth.sla.Part;
import berth.sla.RequestedTerms;
import berth.sla.ServiceClass;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.UUID;
import java.util.function.Consumer;

/**
 * One run of the core under simulated time, with batch jobs and reservations. The clock jumps to the next event. At one instant events
 * happen in this order: the schedule's agenda, jobs that end before their estimates, submissions of jobs, requests for reservations (which
 * may become jobs if refused), pulling reservations forward, and starts of jobs. The head of the queue thus has its place before requests
 * are decided, and other jobs get theirs afterwards: the scheduling event of paper 001, section 2.
 *
 * <p>A request is handled as by that paper's reservation service (section 3) with one cluster: probe, take the slot with the highest
 * availability, the earliest among equals, and after a failure drop it and probe again.
 *
 * <p>Equal clusters and workloads give equal histories. Not thread-safe.
 */
public final class QueueSimulation {
    private static final AccountName OWNER = new AccountName("simulation");
    private static final Customer CUSTOMER = new Customer(OWNER, ServiceClass.STANDARD);
    private static final int SLOTS = 1000;
    private static final Comparator<Offer> BEST_FIRST = Comparator.comparingDouble(Offer::availability)
            .reversed()
            .thenComparingLong(offer -> offer.slot().start());

    private final List<QueuedJob> jobs;
    private final List<ReservationRequest> requests;
    private final Refused refused;
    private final Consumer<Moment> onlooker;

    private final Map<JobId, BatchJob> ended;
    private final Map<JobId, Long> promised;
    private final Map<ReservationId, Reservation> reservations;
    private final List<DecidedRequest> asked = new ArrayList<>();
    private final SimulatedCluster simulated;
    private int submitted;

    private QueueSimulation(Cluster cluster, MixedWorkload workload, Consumer<Moment> onlooker) {
        this.jobs = new ArrayList<>(workload.jobs());
        this.requests = workload.requests();
        this.refused = workload.refused();
        this.onlooker = onlooker;
        this.ended = new HashMap<>();
        this.promised = new HashMap<>();
        this.reservations = new HashMap<>();
        this.simulated = SimulatedCluster.empty(cluster, this::note);
    }

    /** Copies the run, without further requests and without jobs beyond {@code jobs}. */
    private QueueSimulation(QueueSimulation other, int jobs) {
        this.jobs = other.jobs.subList(0, jobs);
        this.requests = List.of();
        this.refused = other.refused;
        this.onlooker = _ -> {};
        this.ended = new HashMap<>(other.ended);
        this.promised = new HashMap<>(other.promised);
        this.reservations = new HashMap<>(other.reservations);
        this.simulated = other.simulated.fork(this::note);
        this.submitted = other.submitted;
    }

    /** A decided request. */
    private record DecidedRequest(ReservationRequest request, double backlog, Optional<ReservationId> granted) {}

    /** A request that is about to be decided. Questions about it change nothing. Valid only during the call of the onlooker. */
    public final class Moment {
        private final ReservationRequest request;

        private Moment(ReservationRequest request) {
            this.request = request;
        }

        public ReservationRequest request() {
            return request;
        }

        /** Returns the slots that the cluster would offer under other rules for availability, by start. */
        public List<Offer> offers(Cluster rules) {
            return offers(rules, request);
        }

        /** Returns whether the cluster would offer the slot that begins at {@code start} if it were the only one considered. */
        public boolean isOfferedAt(long start, Cluster rules) {
            var exactly = new ReservationRequest(
                    request.job(),
                    request.submit(),
                    start,
                    start + request.duration(),
                    request.duration(),
                    request.pes());
            return !offers(rules, exactly).isEmpty();
        }

        private List<Offer> offers(Cluster rules, ReservationRequest asked) {
            var ruled = simulated.schedule().with(new ClusterEvent(rules, request.submit()));
            return QueueSimulation.offers(ruled, Job.asReserved(asked).terms(), request.submit());
        }

        /**
         * Returns the results of all jobs submitted by {@code until}, assuming that there are no more requests.
         *
         * @param start the start of a reservation for this request; empty if it gets none
         * @throws BrokenRule if that slot is not free, or a rule is broken that every schedule keeps
         */
        public List<JobRun> goesOn(OptionalLong start, long until) {
            int coming = submitted;
            while (coming < jobs.size() && jobs.get(coming).submit() <= until) {
                coming++;
            }
            var fork = new QueueSimulation(QueueSimulation.this, coming);
            if (start.isPresent() && !fork.reserves(id(), request, start.getAsLong())) {
                throw new BrokenRule("The slot at %d was offered to request %d, but is not free."
                        .formatted(start.getAsLong(), request.job()));
            }
            fork.startsJobs(request.submit());
            fork.runsOn();
            return fork.runs();
        }
    }

    /**
     * Runs a workload on an empty cluster until everything has ended.
     *
     * @throws BrokenRule if the head of the queue ever has to wait longer than planned, or the history breaks a rule that every schedule
     *     keeps, see {@link QueueHistory#check}
     */
    public static QueueHistory run(Cluster cluster, MixedWorkload workload) {
        return run(cluster, workload, _ -> {});
    }

    /** Runs a workload likewise, and calls {@code onlooker} before each request is decided. */
    public static QueueHistory run(Cluster cluster, MixedWorkload workload, Consumer<Moment> onlooker) {
        var simulation = new QueueSimulation(cluster, workload, onlooker);
        simulation.runsOn();
        var history = new QueueHistory(cluster, simulation.runs(), simulation.bookings());
        history.check();
        return history;
    }

    private List<JobRun> runs() {
        List<JobRun> runs = new ArrayList<>(jobs.size());
        for (int i = 0; i < jobs.size(); i++) {
            var job = jobs.get(i);
            var end = Optional.ofNullable(ended.get(jobId(i)))
                    .orElseThrow(() -> new BrokenRule("Job %d never ended.".formatted(job.number())));
            runs.add(new JobRun(job, end));
        }
        return runs;
    }

    private List<SimulatedBooking> bookings() {
        return asked.stream()
                .map(one -> new SimulatedBooking(
                        one.request(),
                        one.backlog(),
                        one.granted()
                                .map(id -> Optional.ofNullable(reservations.get(id))
                                        .orElseThrow())))
                .toList();
    }

    private static JobId jobId(int index) {
        return new JobId(new UUID(0, index));
    }

    private static int index(JobId job) {
        return (int) job.value().getLeastSignificantBits();
    }

    /** Processes events until nothing is left. */
    private void runsOn() {
        for (long now = next(); now < Long.MAX_VALUE; now = next()) {
            var before = simulated.schedule();
            simulated.advanceTo(now);
            submits(now);
            notePromise();
            asks(now);
            simulated.decide(new PullForward(before), now);
            startsJobs(now);
        }
    }

    /** Returns the time of the next event; {@link Long#MAX_VALUE} if there is none. */
    private long next() {
        long next = simulated.next();
        if (submitted < jobs.size()) {
            next = Math.min(next, jobs.get(submitted).submit());
        }
        return asked.size() < requests.size()
                ? Math.min(next, requests.get(asked.size()).submit())
                : next;
    }

    private void submits(long now) {
        while (submitted < jobs.size() && jobs.get(submitted).submit() == now) {
            var job = jobs.get(submitted);
            simulated.decide(new SubmitJob(jobId(submitted), OWNER, Optional.empty(), job.pes(), job.estimate()), now);
            submitted++;
        }
    }

    private void asks(long now) {
        while (asked.size() < requests.size() && requests.get(asked.size()).submit() == now) {
            var request = requests.get(asked.size());
            onlooker.accept(new Moment(request));
            double backlog = backlog(now);
            var granted = granted(request);
            asked.add(new DecidedRequest(request, backlog, granted));
            if (granted.isEmpty() && refused == Refused.QUEUED) {
                jobs.add(submitted, request.asJob());
            }
        }
        submits(now);
    }

    private void startsJobs(long now) {
        simulated.decide(new StartJobs(), now);
        notePromise();
    }

    private ReservationId id() {
        return new ReservationId(new UUID(1, asked.size()));
    }

    private Optional<ReservationId> granted(ReservationRequest request) {
        var id = id();
        var terms = Job.asReserved(request).terms();
        Set<Long> failed = new HashSet<>();
        for (var best = best(request, terms, failed); best.isPresent(); best = best(request, terms, failed)) {
            long start = best.get().slot().start();
            if (reserves(id, request, start)) {
                return Optional.of(id);
            }
            failed.add(start);
        }
        return Optional.empty();
    }

    private Optional<Offer> best(ReservationRequest request, RequestedTerms terms, Set<Long> failed) {
        return offers(simulated.schedule(), terms, request.submit()).stream()
                .filter(offer -> !failed.contains(offer.slot().start()))
                .min(BEST_FIRST);
    }

    private static List<Offer> offers(ClusterSchedule schedule, RequestedTerms terms, long now) {
        return switch (new Probe(terms, CUSTOMER, Preference.BEST_AVAILABILITY, SLOTS).ask(schedule, now)) {
            case Outcome.NotDone _ -> List.of();
            case Outcome.Done(Probe.Offers(var offers, var _)) -> offers;
        };
    }

    /** Reserves the slot that begins at {@code start} for the request, and returns whether that was granted. */
    private boolean reserves(ReservationId id, ReservationRequest request, long start) {
        var command = new Reserve(
                id,
                new Origin(OWNER, ServiceClass.STANDARD),
                Job.asReserved(request).terms(),
                OptionalLong.of(start),
                OptionalLong.empty());
        return simulated.ask(command, request.submit()).isEmpty();
    }

    /** Returns the backlog in seconds of the whole cluster. */
    private double backlog(long now) {
        var schedule = simulated.schedule();
        double area = 0;
        for (var job : schedule.jobs().waiting()) {
            area += (double) job.estimate() * job.pes();
        }
        for (var job : schedule.jobs().running()) {
            area += left(job.part(), now);
        }
        for (var reservation : schedule.reservations()) {
            for (var part : reservation.parts()) {
                area += left(part, now);
            }
        }
        return area / schedule.cluster().pes();
    }

    private static double left(Part part, long now) {
        long from = Math.max(now, part.slot().start());
        return (double) Math.max(0, part.slot().end() - from) * part.pes();
    }

    /** Checks that the head of the queue has a place and is never planned later than before. */
    private void notePromise() {
        simulated.schedule().jobs().head().map(BatchJob::id).ifPresent(head -> {
            long start = simulated.schedule().keptPlaces().stream()
                    .findFirst()
                    .orElseThrow(() -> new BrokenRule("Job %d is first in the queue, but no place is kept for it."
                            .formatted(jobs.get(index(head)).number())))
                    .slot()
                    .start();
            keepsPromise(head, start);
            promised.put(head, start);
        });
    }

    private void keepsPromise(JobId job, long start) {
        long before = promised.getOrDefault(job, Long.MAX_VALUE);
        if (start > before) {
            throw new BrokenRule("Job %d was first in the queue and planned to begin at %d, but later at %d."
                    .formatted(jobs.get(index(job)).number(), before, start));
        }
    }

    private void note(Event event) {
        if (event instanceof ReservationEvent(var _, var reservation, var _, var _, var _, var _)) {
            reservations.put(reservation.id(), reservation);
        }
        if (event instanceof JobEvent(var type, var job, var at)) {
            switch (type) {
                case JOB_STARTED -> begins(job, at);
                case JOB_COMPLETED -> ended.put(job.id(), job);
                default -> {}
            }
        }
    }

    private void begins(BatchJob job, long at) {
        keepsPromise(job.id(), at);
        long runTime = jobs.get(index(job.id())).runTime();
        if (runTime < job.estimate()) {
            simulated.endsEarly(at + runTime, job.id().value(), new CompleteJob(job.id()));
        }
    }
}
