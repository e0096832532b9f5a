package berth.scheduling;

import berth.availability.CapacityProfile;
import berth.availability.Demand;
import berth.availability.PeSet;
import berth.availability.PlacementPolicy;
import berth.batch.BatchJob;
import berth.batch.EasyBackfilling;
import berth.batch.JobId;
import berth.batch.JobSource;
import berth.batch.JobState;
import berth.batch.Jobs;
import berth.cluster.AvailabilityMethod;
import berth.cluster.Cluster;
import berth.cluster.Outage;
import berth.cluster.OutageId;
import berth.intake.IntakeRequest;
import berth.pricing.Tariff;
import berth.reservation.Due;
import berth.reservation.Due.What;
import berth.reservation.Reservation;
import berth.reservation.ReservationId;
import berth.reservation.ReservationState;
import berth.scheduling.Event.ClusterEvent;
import berth.scheduling.Event.JobEvent;
import berth.scheduling.Event.JobsEvent;
import berth.scheduling.Event.MoveReason;
import berth.scheduling.Event.OutageEvent;
import berth.scheduling.Event.RequestEvent;
import berth.scheduling.Event.ReservationEvent;
import berth.sla.Mobility;
import berth.sla.Money;
import berth.sla.Part;
import berth.sla.ServiceClass;
import berth.sla.Terms;
import berth.time.Slot;
import berth.time.Window;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Stream;
import org.pcollections.HashTreePMap;
import org.pcollections.PMap;
import org.pcollections.TreePSet;

/**
 * The live reservations of one cluster, its outages, its batch jobs, the requests that are still to be decided, and the
 * availability they leave. A persistent value: {@link #with}
 * answers another schedule that shares almost everything with this one, so that a snapshot is a reference and a what-if
 * is free to throw away. Safe to read from any thread.
 *
 * <p>Lookups and changes take O(log n) for n live reservations, beside what the availability profile takes; a change of
 * the cluster's size takes O(n log n).
 */
public final class ClusterSchedule {

    private final Cluster cluster;
    private final FreePes free;
    private final LiveReservations live;
    private final PMap<OutageId, Outage> outages;
    private final TreePSet<Due> agenda;
    private final Jobs jobs;

    /**
     * Where the first job of the queue is to run: paper 001, section 2, step 1. Taken, so that no reservation gets it; follows
     * from all else and the time.
     */
    private final Optional<Part> kept;

    private final PMap<ReservationId, IntakeRequest> requests;

    /** What is known of the waiting queue. More may be found out later, which makes no difference but to speed. */
    private ReplanMemo memo;

    /** The plans of the batch jobs, once somebody wants to know them; they follow from all else and the time. */
    private Optional<EasyBackfilling> plans = Optional.empty();

    /** What {@link #free()} answers, once somebody wants to know it and it is not the same for jobs. */
    private Optional<FreePes> shared = Optional.empty();

    /** Which schedule remembers the plans: of several that only differ in their rules the first. */
    private ClusterSchedule planned = this;

    private ClusterSchedule(
            Cluster cluster,
            FreePes free,
            LiveReservations live,
            PMap<OutageId, Outage> outages,
            TreePSet<Due> agenda,
            Jobs jobs,
            Optional<Part> kept,
            PMap<ReservationId, IntakeRequest> requests,
            ReplanMemo memo) {
        this.cluster = cluster;
        this.free = free;
        this.live = live;
        this.outages = outages;
        this.agenda = agenda;
        this.jobs = jobs;
        this.kept = kept;
        this.requests = requests;
        this.memo = memo;
    }

    /** The schedule of a cluster that nobody has reserved. */
    public static ClusterSchedule empty(Cluster cluster) {
        return new ClusterSchedule(
                cluster,
                FreePes.of(cluster),
                LiveReservations.NONE,
                HashTreePMap.empty(),
                TreePSet.empty(),
                Jobs.NONE,
                Optional.empty(),
                HashTreePMap.empty(),
                ReplanMemo.NONE);
    }

    /**
     * The schedule that consists of {@code reservations} beside {@code outages}.
     *
     * @throws IllegalStateException if they are not all live, of this cluster and distinct, or take more PEs than it has,
     *     or PEs that another has
     */
    public static ClusterSchedule of(
            Cluster cluster, Collection<Reservation> reservations, Collection<Outage> outages) {
        return of(cluster, reservations, outages, List.of(), List.of(), 0);
    }

    /**
     * The schedule that consists of these at {@code now}.
     *
     * @param jobs the batch jobs that run or wait
     * @param requests that are still to be decided
     * @param now seconds since the epoch
     * @throws IllegalStateException as {@link #of(Cluster, Collection, Collection)}
     */
    public static ClusterSchedule of(
            Cluster cluster,
            Collection<Reservation> reservations,
            Collection<Outage> outages,
            Collection<BatchJob> jobs,
            Collection<IntakeRequest> requests,
            long now) {
        var schedule = empty(cluster);
        for (var outage : outages) {
            if (outage.endedAt().isPresent() || schedule.outages.containsKey(outage.id())) {
                throw new IllegalStateException(
                        "Outage %s of cluster %s is over, or is there twice.".formatted(outage.id(), cluster.id()));
            }
            schedule = schedule.losing(outage);
        }
        for (var reservation : reservations) {
            if (!reservation.cluster().equals(cluster.id())
                    || schedule.find(reservation.id()).isPresent()) {
                throw new IllegalStateException(
                        "Reservation %s of cluster %s does not belong to the schedule of %s, or is there twice."
                                .formatted(reservation.id(), reservation.cluster(), cluster.id()));
            }
            if (!reservation.state().isLive()) {
                throw new IllegalStateException("Reservation %s is %s and has no place in a schedule."
                        .formatted(reservation.id(), reservation.state()));
            }
            try {
                schedule = schedule.adding(reservation);
            } catch (IllegalStateException e) {
                throw new IllegalStateException(
                        "Reservation %s finds no room on cluster %s.".formatted(reservation.id(), cluster.id()), e);
            }
        }
        for (var job : jobs) {
            try {
                schedule = schedule.withJob(job);
            } catch (IllegalStateException e) {
                throw new IllegalStateException(
                        "Job %s finds no room on cluster %s.".formatted(job.id(), cluster.id()), e);
            }
        }
        for (var request : requests) {
            schedule = schedule.with(request);
        }
        return schedule.keepingPlace(now);
    }

    public Cluster cluster() {
        return cluster;
    }

    /** The same schedule, were nobody moved to let another in. */
    public ClusterSchedule whereNobodyMoves() {
        var same =
                new ClusterSchedule(cluster.withoutJuggling(), free, live, outages, agenda, jobs, kept, requests, memo);
        same.planned = planned;
        return same;
    }

    /** The same schedule, where a newcomer may delay batch jobs as much as it does. */
    public ClusterSchedule whereAnySlotIsAvailableEnough() {
        var same = new ClusterSchedule(
                cluster.withoutMinAvailability(), free, live, outages, agenda, jobs, kept, requests, memo);
        same.planned = planned;
        return same;
    }

    /** The PEs that are free, over time: neither taken nor out of service. */
    public CapacityProfile profile() {
        return free.profile();
    }

    /** The same PEs, with where runs find room among them, as jobs find it, to which no bound applies. */
    FreePes freeForJobs() {
        return free;
    }

    /**
     * The same, as reservations find it: the PEs that these may not take serve jobs first. Found out once for each schedule; by any
     * thread. O(n log n) for n running jobs.
     */
    FreePes free() {
        int spared = cluster.pes() - cluster.reservablePes();
        if (spared == 0 || jobs.isEmpty()) {
            return free;
        }
        var known = shared;
        if (known.isPresent()) {
            return known.get();
        }
        var taken = Stream.concat(jobs.running().stream().map(BatchJob::part), kept.stream());
        var found = free.sharing(taken.toList(), spared);
        shared = Optional.of(found);
        return found;
    }

    /** What a run of these terms costs that takes these parts, which are not taken, and may be moved so far. */
    Money price(Terms terms, List<Part> parts, Mobility mobility, ServiceClass serviceClass) {
        return cluster.tariff().price(terms, parts, mobility, booked(parts), serviceClass);
    }

    /**
     * The share of the cluster's PE-seconds in the time of these parts that is booked or out of service, in [0, 1], rounded up to
     * as many decimals as a tariff's figures have; 0 where prices do not depend on it. O(points of the profile in that time).
     */
    BigDecimal booked(List<Part> parts) {
        if (!cluster.tariff().dependsOnLoad()) {
            return BigDecimal.ZERO;
        }
        long all = 0;
        long taken = 0;
        for (var part : parts) {
            all += part.slot().duration() * cluster.pes();
            taken += taken(part.slot());
        }
        return BigDecimal.valueOf(taken).divide(BigDecimal.valueOf(all), Tariff.MAX_DECIMALS, RoundingMode.CEILING);
    }

    /** The PE-seconds that are not free. */
    private long taken(Slot slot) {
        var steps = profile().steps(slot);
        long taken = 0;
        for (int i = 0; i < steps.size(); i++) {
            long end = i + 1 < steps.size() ? steps.get(i + 1).start() : slot.end();
            taken +=
                    (end - steps.get(i).start()) * (cluster.pes() - steps.get(i).free());
        }
        return taken;
    }

    /** The PEs that are in service, over time, free or taken. O(outages). */
    public CapacityProfile inService() {
        return withoutOutages(cluster.pes());
    }

    /** The most PEs that outages take at one time of {@code slot}, had the cluster {@code pes} PEs, not more than it has. */
    int mostOutOfService(Slot slot, int pes) {
        return cluster.pes() - withoutOutages(pes).fewestFree(slot);
    }

    private CapacityProfile withoutOutages(int pes) {
        var rest = CapacityProfile.of(cluster.pes());
        for (var outage : outages.values()) {
            int lost = outage.pesBelow(pes);
            rest = lost == 0 ? rest : rest.take(outage.slot(), lost);
        }
        return rest;
    }

    /** The PEs of the cluster that no outage names in any second of {@code slot}. O(outages). */
    PeSet unnamed(Slot slot) {
        var unnamed = PeSet.range(0, cluster.pes());
        for (var outage : outages.values()) {
            if (outage.slot().overlaps(slot)) {
                unnamed = unnamed.minus(outage.peIds().orElse(PeSet.NONE));
            }
        }
        return unnamed;
    }

    /** The live reservations, in no particular order. */
    public Collection<Reservation> reservations() {
        return live.all();
    }

    /** Those of them that belong to an account; found in O(log n). */
    public Collection<Reservation> reservationsOf(String owner) {
        return live.of(owner);
    }

    /**
     * Why no more runs may be booked ahead, if not: paper 002 (its ARM) reserves a percentage of all jobs in advance. A run lies ahead
     * from its acceptance to its start; the runs are all live reservations and batch jobs, with the one that is asked for. The paper leaves
     * open over which jobs the percentage is taken; it is rounded up here, so that the first is not refused. O(n) for n live
     * reservations where the cluster sets a share, else O(1).
     */
    Optional<Rejection> bookedAhead() {
        var limits = cluster.policy().limits();
        if (!limits.boundsAdvance()) {
            return Optional.empty();
        }
        int ahead = (int) reservations().stream()
                .filter(one -> one.state() != ReservationState.RUNNING)
                .count();
        int runs = reservations().size() + jobs.size();
        var most = limits.advanceShare().multiply(BigDecimal.valueOf(runs + 1L)).setScale(0, RoundingMode.CEILING);
        return BigDecimal.valueOf(ahead + 1L).compareTo(most) > 0
                ? Optional.of(new Rejection.BookedAhead(ahead, runs, limits.advanceShare()))
                : Optional.empty();
    }

    /** The outages that are not over, in no particular order. */
    public Collection<Outage> outages() {
        return outages.values();
    }

    public Optional<Reservation> find(ReservationId id) {
        return live.find(id);
    }

    /**
     * Whether anything could still give a reservation another time or shape: its place is not final, and its terms leave a choice
     * that keeps the cluster's notice. What an outage may do counts, which does not keep to the owner's {@code fixBefore}; where
     * PEs are bound early, other PEs at the same time are no choice of that kind.
     */
    public boolean canMove(Reservation reservation, long now) {
        long earliest = Math.max(now + cluster.policy().notice(), WaitingQueue.ready(reservation));
        return reservation.isMovable(now)
                && reservation
                        .terms()
                        .leaveAChoice(
                                reservation.parts(), reservation.placement().begun(), earliest);
    }

    public Optional<Outage> find(OutageId id) {
        return Optional.ofNullable(outages.get(id));
    }

    /** What the clock will do next. */
    public Optional<Due> nextDue() {
        return agenda.isEmpty() ? Optional.empty() : Optional.of(agenda.first());
    }

    /** The reservation that a command is meant for, or why it is not there for it. */
    sealed interface Lookup {
        record Found(Reservation reservation) implements Lookup {}

        record Missing(Rejection reason) implements Lookup {}
    }

    /** Finds a live reservation in one of {@code states} and in the version that is meant. */
    Lookup lookUp(Target target, Set<ReservationState> states) {
        return live.find(target.reservation())
                .map(found -> lookUp(found, target, states))
                .orElseGet(() -> new Lookup.Missing(new Rejection.NotLive(target.reservation())));
    }

    private static Lookup lookUp(Reservation found, Target target, Set<ReservationState> states) {
        int version = found.status().version();
        if (!target.version().equals(OptionalInt.of(version))
                && target.version().isPresent()) {
            return new Lookup.Missing(new Rejection.StaleVersion(version));
        }
        return states.contains(found.state())
                ? new Lookup.Found(found)
                : new Lookup.Missing(new Rejection.WrongState(found.state()));
    }

    /** Decides on a change that the owner asks for, of a reservation that must be in one of {@code states}. */
    Decision change(Target target, Set<ReservationState> states, Function<Reservation, Optional<Event>> change) {
        return switch (lookUp(target, states)) {
            case Lookup.Missing(var reason) -> new Decision.Rejected(reason);
            case Lookup.Found(var reservation) ->
                change.apply(reservation)
                        .map(event -> Decision.Accepted.of(this, event))
                        .orElseGet(() -> Decision.Accepted.unchanged(this));
        };
    }

    /**
     * The schedule after {@code event}. A schedule changes in this way, or by several events at once, and in no other.
     *
     * @throws IllegalStateException if there is no room for what the event leads to
     */
    public ClusterSchedule with(Event event) {
        if (event instanceof ReservationEvent(var _, var after, var _, var _) && changesNoPlace(after)) {
            return with(after);
        }
        return withoutKeptPlace().applying(event).keepingPlace(event.at()).noting(kept);
    }

    /** What changes in the schedule of those whose first waiting job has no place yet. */
    ClusterSchedule applying(Event event) {
        return switch (event) {
            case ReservationEvent(var _, var after, var _, var _) -> with(after);
            case ClusterEvent(var changed, var at) -> with(changed, at);
            case OutageEvent(var _, var outage, var _) ->
                outage.endedAt().isPresent() ? regaining(outage) : losing(outage);
            case JobEvent(var _, var job, var _) -> withJob(job);
            case JobsEvent(var all, var _) -> withJobs(all);
            case RequestEvent(var _, var request, var _) -> with(request);
        };
    }

    private boolean changesNoPlace(Reservation after) {
        return after.state().isLive()
                && live.find(after.id()).filter(one -> takeTheSame(one, after)).isPresent();
    }

    /**
     * The schedule after several events of one decision, which happen at once: what moves first makes room for all.
     *
     * @throws IllegalStateException if there is no room for what the events lead to
     */
    public ClusterSchedule with(List<Event> events) {
        var after = new LinkedHashMap<ReservationId, Reservation>();
        for (var event : events) {
            if (event instanceof ReservationEvent(var _, var reservation, var _, var _)) {
                after.put(reservation.id(), reservation);
            }
        }
        var next = withoutKeptPlace();
        var known = memo;
        for (var reservation : after.values()) {
            known = memoAfter(known, reservation);
            next = next.without(reservation.id());
        }
        next = next.remembering(known);
        for (var event : events) {
            next = event instanceof ReservationEvent ? next : next.applying(event);
        }
        var memoSoFar = next.memo;
        for (var reservation : after.values()) {
            next = reservation.state().isLive() ? next.adding(reservation) : next;
        }
        return events.isEmpty()
                ? this
                : next.remembering(memoSoFar)
                        .keepingPlace(events.getLast().at())
                        .noting(kept);
    }

    /** The schedule after moves that happen at once. */
    ClusterSchedule moving(List<ReservationEvent> moves) {
        return moves.isEmpty() ? this : with(List.<Event>copyOf(moves));
    }

    private ClusterSchedule with(Reservation after) {
        if (changesNoPlace(after)) {
            var due = live.find(after.id()).flatMap(Reservation::due).orElseThrow();
            return new ClusterSchedule(
                    cluster,
                    free,
                    live.plus(after),
                    outages,
                    agenda.minus(due).plus(after.due().orElseThrow()),
                    jobs,
                    kept,
                    requests,
                    memoAfter(memo, after));
        }
        var rest = without(after.id());
        var next = after.state().isLive() ? rest.adding(after) : rest;
        return next.remembering(memoAfter(memo, after));
    }

    private ReplanMemo memoAfter(ReplanMemo known, Reservation after) {
        return live.find(after.id())
                .map(before -> known.after(before, after))
                .orElseGet(() -> after.state().isLive() ? known.with(after) : known);
    }

    /** The same schedule, with this known of its queue. */
    ClusterSchedule remembering(ReplanMemo known) {
        return known == memo
                ? this
                : new ClusterSchedule(cluster, free, live, outages, agenda, jobs, kept, requests, known);
    }

    /** What is known of the waiting queue. */
    ReplanMemo memo() {
        return memo;
    }

    /** More has been found out about the queue of this very schedule; any thread may find it out. */
    void remember(ReplanMemo known) {
        memo = known;
    }

    private static boolean takeTheSame(Reservation one, Reservation other) {
        return one.placement().parts().equals(other.placement().parts())
                && one.placement().turns() == other.placement().turns();
    }

    private ClusterSchedule with(Cluster changed, long at) {
        return changed.pes() == cluster.pes() && changed.binding() == cluster.binding()
                ? new ClusterSchedule(changed, free, live, outages, agenda, jobs, kept, requests, ReplanMemo.NONE)
                : of(changed, live.all(), outages.values(), jobs.all(), requests.values(), at)
                        .withoutKeptPlace();
    }

    /** The batch jobs that run and wait. */
    public Jobs jobs() {
        return jobs;
    }

    /** Where the first of the waiting jobs is to run; empty if none waits, or it cannot as long as the present outages last. */
    public Optional<Part> keptPlace() {
        return kept;
    }

    /** The requests that are still to be decided, in no particular order. */
    public Collection<IntakeRequest> requests() {
        return requests.values();
    }

    /**
     * What becomes of the batch jobs from now on. Found out once for each schedule, as long as it holds; by any thread. O(n log n)
     * for n jobs.
     *
     * @param now seconds since the epoch
     */
    public EasyBackfilling plans(long now) {
        var known = planned.plans.filter(found -> found.holdAt(now));
        if (known.isPresent()) {
            return known.get().at(now);
        }
        var found = EasyBackfilling.of(withoutKeptPlace().profile(), jobs, now);
        planned.plans = Optional.of(found);
        return found;
    }

    /** Whether a newcomer is granted only where batch jobs can do without its slot, which plans of their queue tell. */
    public boolean needsPlans() {
        var rules = cluster.policy().availability();
        return !jobs.isEmpty()
                && rules.method() == AvailabilityMethod.WHAT_IF
                && rules.minAvailability().signum() > 0;
    }

    /** Such a request. */
    public Optional<IntakeRequest> request(ReservationId id) {
        return Optional.ofNullable(requests.get(id));
    }

    /** Decides on a change of a job of Berth's own, which must be in one of {@code states}. */
    Decision change(JobId id, Set<JobState> states, Function<BatchJob, Event> change) {
        var found = jobs.find(id);
        if (found.isEmpty()) {
            return new Decision.Rejected(new Rejection.JobNotLive(id));
        }
        var job = found.get();
        if (job.source() == JobSource.OUTSIDE) {
            return new Decision.Rejected(new Rejection.OtherSource(JobSource.OUTSIDE));
        }
        return states.contains(job.state())
                ? Decision.Accepted.of(this, change.apply(job))
                : new Decision.Rejected(new Rejection.WrongJobState(job.state()));
    }

    /** The same schedule, where the place that is kept for the first waiting job does not begin in the past. */
    ClusterSchedule keepingPlaceAt(long now) {
        return kept.filter(part -> part.slot().start() < now).isPresent()
                ? withoutKeptPlace().keepingPlace(now).noting(kept)
                : this;
    }

    /** The same schedule, where no place is kept for the first of the waiting jobs. */
    ClusterSchedule withoutKeptPlace() {
        return kept.map(part -> keeping(free.giveBack(part, false), Optional.empty()))
                .orElse(this);
    }

    /** The first of the waiting jobs gets the earliest place, where it is in nobody's way; there is none so far. */
    private ClusterSchedule keepingPlace(long now) {
        return jobs.head()
                .flatMap(head -> free.find(
                        new Demand(new Window(now, Long.MAX_VALUE), head.estimate(), head.pes(), now),
                        cluster.pes(),
                        PlacementPolicy.FIRST_FIT))
                .map(part -> keeping(free.take(part, false), Optional.of(part)))
                .orElse(this);
    }

    private ClusterSchedule keeping(FreePes rest, Optional<Part> place) {
        return new ClusterSchedule(cluster, rest, live, outages, agenda, jobs, place, requests, memo);
    }

    private ClusterSchedule noting(Optional<Part> before) {
        return remembering(noted(memo, before));
    }

    /** What is known of the queue now that the place that was kept for the first waiting job may have become free. */
    ReplanMemo noted(ReplanMemo known, Optional<Part> before) {
        return before.isEmpty() || before.equals(kept)
                ? known
                : known.freeing(before.get().slot());
    }

    private ClusterSchedule with(IntakeRequest request) {
        var others = request.state() == IntakeRequest.State.PENDING
                ? requests.plus(request.id(), request)
                : requests.minus(request.id());
        return new ClusterSchedule(cluster, free, live, outages, agenda, jobs, kept, others, memo);
    }

    private ClusterSchedule withJobs(List<BatchJob> all) {
        var next = withoutJobs();
        for (var job : all) {
            next = next.withJob(job);
        }
        return next;
    }

    /** The schedule after these changes of jobs, where no place is kept for the first that waits. */
    ClusterSchedule afterJobs(List<Event> changes) {
        var next = withoutKeptPlace();
        for (var change : changes) {
            next = next.applying(change);
        }
        return next;
    }

    /** Without any job, the first of which has no place. */
    ClusterSchedule withoutJobs() {
        var next = this;
        for (var job : jobs.all()) {
            next = next.withoutJob(job);
        }
        return next;
    }

    /** With a job as it is now; one that has ended is none of the cluster's any more. Others keep their places. */
    ClusterSchedule withJob(BatchJob job) {
        var rest = jobs.find(job.id()).map(this::withoutJob).orElse(this);
        boolean isRunning = job.state() == JobState.RUNNING;
        return new ClusterSchedule(
                cluster,
                isRunning ? rest.free.take(job.part(), true) : rest.free,
                live,
                outages,
                isRunning ? rest.agenda.plus(end(job)) : rest.agenda,
                rest.jobs.with(job),
                kept,
                requests,
                rest.memo);
    }

    private ClusterSchedule withoutJob(BatchJob job) {
        boolean wasRunning = job.state() == JobState.RUNNING;
        return new ClusterSchedule(
                cluster,
                wasRunning ? free.giveBack(job.part(), true) : free,
                live,
                outages,
                wasRunning ? agenda.minus(end(job)) : agenda,
                jobs.without(job),
                kept,
                requests,
                wasRunning ? memo.freeing(job.part().slot()) : memo);
    }

    private static Due end(BatchJob job) {
        return new Due(job.run().orElseThrow().until(), What.JOB_ENDS, job.id().value());
    }

    /**
     * The move of a reservation to a place; at a price that is not more than was agreed, and final when its terms have it.
     */
    ReservationEvent moved(Reservation reservation, Place place, MoveReason why, long now) {
        var before = reservation.placement();
        var to = before.goingOn(
                place.parts(),
                reservation
                        .terms()
                        .fixing()
                        .movedTo(
                                now,
                                before.fixesAt(),
                                place.start(),
                                cluster.policy().notice()));
        // what it gives up there is not booked by others
        var others = cluster.tariff().dependsOnLoad() ? without(reservation.id()) : this;
        var price = cluster.tariff()
                .moved(
                        reservation.price(),
                        reservation.terms(),
                        to.parts(),
                        Mobility.until(to.fixesAt(), now, place.start()),
                        others.booked(to.parts()),
                        reservation.origin().serviceClass());
        return ReservationEvent.moved(reservation.moved(to, price, now), before.parts(), why);
    }

    /** The schedule with one more reservation, for which there must be room. */
    ClusterSchedule adding(Reservation reservation) {
        return new ClusterSchedule(
                cluster,
                free.take(reservation.placement(), reservation.parts().size()),
                live.plus(reservation),
                outages,
                agenda.plus(reservation.due().orElseThrow()),
                jobs,
                kept,
                requests,
                memo.with(reservation));
    }

    /** Whether what a reservation has is free, be it of the share that is to stay free; it is not in the schedule. */
    boolean hasRoomFor(Reservation reservation) {
        return free.hasRoomFor(reservation.placement(), reservation.parts().size());
    }

    /** The same of the part that it runs in at present; true if it does not. */
    boolean hasRoomForRunning(Reservation reservation) {
        return free.hasRoomFor(reservation.placement(), reservation.placement().begun());
    }

    /** The schedule without the PEs on which a reservation runs at present, which is not in the schedule. */
    ClusterSchedule takingRunning(Reservation reservation) {
        var placement = reservation.placement();
        return with(free.take(placement, placement.begun()));
    }

    /** The schedule with them: undoes {@link #takingRunning}. */
    ClusterSchedule givingBackRunning(Reservation reservation) {
        var placement = reservation.placement();
        return with(free.giveBack(placement, placement.begun()));
    }

    private ClusterSchedule with(FreePes other) {
        return new ClusterSchedule(cluster, other, live, outages, agenda, jobs, kept, requests, memo);
    }

    /** The schedule without a reservation, if it is there. */
    public ClusterSchedule without(ReservationId id) {
        return live.find(id).map(this::without).orElse(this);
    }

    private ClusterSchedule without(Reservation reservation) {
        return new ClusterSchedule(
                cluster,
                free.giveBack(reservation.placement(), reservation.parts().size()),
                live.minus(reservation),
                outages,
                agenda.minus(reservation.due().orElseThrow()),
                jobs,
                kept,
                requests,
                memo.without(reservation));
    }

    private ClusterSchedule losing(Outage outage) {
        return new ClusterSchedule(
                cluster,
                lost(outage).map(part -> free.take(part, true)).orElse(free),
                live,
                outages.plus(outage.id(), outage),
                outage.to().isPresent() ? agenda.plus(end(outage)) : agenda,
                jobs,
                kept,
                requests,
                // whoever stays may have to lie on PEs that are to stay free, where nobody would be placed
                ReplanMemo.NONE);
    }

    private ClusterSchedule regaining(Outage outage) {
        return new ClusterSchedule(
                cluster,
                lost(outage).map(part -> free.giveBack(part, true)).orElse(free),
                live,
                outages.minus(outage.id()),
                outage.to().isPresent() ? agenda.minus(end(outage)) : agenda,
                jobs,
                kept,
                requests,
                memo.freeing(outage.slot()));
    }

    /** What an outage takes of the PEs that the cluster has; nothing if all that it names are gone. */
    private Optional<Part> lost(Outage outage) {
        int taken = outage.pesBelow(cluster.pes());
        return taken == 0
                ? Optional.empty()
                : Optional.of(new Part(outage.slot(), taken, outage.peIdsBelow(cluster.pes()), 1));
    }

    private static Due end(Outage outage) {
        return new Due(outage.to().orElseThrow(), What.OUTAGE_ENDS, outage.id().value());
    }

    /** Two schedules are equal if the same cluster has the same live reservations and outages; the rest follows. */
    @Override
    public boolean equals(Object other) {
        return other instanceof ClusterSchedule that
                && cluster.equals(that.cluster)
                && live.equals(that.live)
                && outages.equals(that.outages)
                && jobs.equals(that.jobs)
                && requests.equals(that.requests);
    }

    @Override
    public int hashCode() {
        return live.hashCode();
    }

    @Override
    public String toString() {
        return "%s: %s, out of service: %s, jobs: %s, to be decided: %s"
                .formatted(cluster.id(), live, outages.values(), jobs, requests.values());
    }
}
