package berth.scheduling;

import berth.availability.CapacityProfile;
import berth.batch.BatchJob;
import berth.batch.EasyBackfilling;
import berth.batch.JobState;
import berth.batch.Jobs;
import berth.budget.Funds;
import berth.cluster.AvailabilityMethod;
import berth.cluster.Cluster;
import berth.cluster.Outage;
import berth.cluster.OutageId;
import berth.intake.IntakeRequest;
import berth.reservation.AgendaItem;
import berth.reservation.Reservation;
import berth.reservation.ReservationId;
import berth.scheduling.Event.BudgetEvent;
import berth.scheduling.Event.ClusterEvent;
import berth.scheduling.Event.JobEvent;
import berth.scheduling.Event.JobsEvent;
import berth.scheduling.Event.OutageEvent;
import berth.scheduling.Event.RequestEvent;
import berth.scheduling.Event.ReservationEvent;
import berth.sla.AccountName;
import berth.sla.Part;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.pcollections.HashTreePMap;
import org.pcollections.PMap;

/**
 * The live reservations of one cluster, its outages, its batch jobs, the requests that are still to be decided or wait for room, and
 * the availability they leave. A persistent value: {@link #with}
 * answers another schedule that shares almost everything with this one, so that a snapshot is a reference and a what-if
 * is free to throw away. Safe to read from any thread.
 *
 * <p>Lookups and changes take O(log n) for n live reservations, beside what the availability profile takes; a change of
 * the cluster's size takes O(n log n).
 */
public final class ClusterSchedule {

    private final Cluster cluster;
    private final Occupancy occupancy;
    private final PMap<ReservationId, IntakeRequest> requests;
    private final WaitingList waiting;

    /** What projects can spend, of which this is not a part: whoever decides says so. */
    private final Funds funds;

    /** What is known of the waiting queue. More may be found out later, which makes no difference but to speed. */
    private ReplanMemo memo;

    private ClusterSchedule(
            Cluster cluster,
            Occupancy occupancy,
            PMap<ReservationId, IntakeRequest> requests,
            WaitingList waiting,
            Funds funds,
            ReplanMemo memo) {
        this.cluster = cluster;
        this.occupancy = occupancy;
        this.requests = requests;
        this.waiting = waiting;
        this.funds = funds;
        this.memo = memo;
    }

    /** The schedule of a cluster that nobody has reserved. */
    public static ClusterSchedule empty(Cluster cluster) {
        return new ClusterSchedule(
                cluster, Occupancy.none(cluster), HashTreePMap.empty(), WaitingList.NONE, Funds.FREE, ReplanMemo.NONE);
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
     * @param requests that are still to be decided, or wait for room
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
        return Restoring.schedule(cluster, reservations, outages, jobs, requests)
                .keepingPlaces(now);
    }

    // ---- what there is

    /** What takes its PEs, and which are free. */
    Occupancy occupancy() {
        return occupancy;
    }

    public Cluster cluster() {
        return cluster;
    }

    /** The PEs that are free, over time: neither taken nor out of service. */
    public CapacityProfile profile() {
        return occupancy.free().profile();
    }

    /** The same PEs, with where runs find room among them, as jobs find it, to which no bound applies. */
    FreePes freeForJobs() {
        return occupancy.free();
    }

    /** The same, as reservations find it: {@link Occupancy#freeForReservations}. */
    FreePes free() {
        return occupancy.freeForReservations(cluster.pes() - cluster.reservablePes());
    }

    /** What runs cost beside all this. */
    Prices prices() {
        return new Prices(cluster, profile());
    }

    /** The PEs that are in service, over time, free or taken. O(outages). */
    public CapacityProfile inService() {
        return occupancy.inService(cluster.pes(), cluster.pes());
    }

    /** The live reservations, in no particular order. */
    public Collection<Reservation> reservations() {
        return occupancy.live().all();
    }

    /** Those of them that belong to an account; found in O(log n). */
    public Collection<Reservation> reservationsOf(AccountName owner) {
        return occupancy.live().of(owner);
    }

    public Optional<Reservation> find(ReservationId id) {
        return occupancy.live().find(id);
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

    /** The outages that are not over, in no particular order. */
    public Collection<Outage> outages() {
        return occupancy.outages();
    }

    public Optional<Outage> find(OutageId id) {
        return Optional.ofNullable(occupancy.holders().outages().get(id));
    }

    /** What the clock will do next. */
    public Optional<AgendaItem> nextDue() {
        return Stream.concat(occupancy.nextDue().stream(), waiting.nextDue().stream())
                .min(Comparator.naturalOrder());
    }

    /** The runs that are to be extended by now, the first {@code most} of them. O(most log n). */
    List<ReservationId> dueForExtension(long now, int most) {
        return occupancy.live().dueForExtension(now, most);
    }

    /** How long ahead starts and ends are announced. */
    public Leads leads() {
        return occupancy.leads();
    }

    /** The same schedule, where starts and ends are announced so long ahead; what has been announced stays so. */
    public ClusterSchedule announcing(Leads leads) {
        return leads.equals(leads()) ? this : with(occupancy.announcing(leads));
    }

    /** The batch jobs that run and wait. */
    public Jobs jobs() {
        return occupancy.jobs();
    }

    /** What {@link Backfilling} keeps free for jobs that wait, in their order: with EASY at most one place, that of the head. */
    public List<Part> keptPlaces() {
        return occupancy.kept();
    }

    /**
     * What becomes of the batch jobs from now on. Found out once for each schedule, as long as it holds; by any thread. O(n
     * log n) for n jobs.
     *
     * @param now seconds since the epoch
     */
    public EasyBackfilling plans(long now) {
        return occupancy.plans(now);
    }

    /** Whether a newcomer is granted only where batch jobs can do without its slot, which plans of their queue tell. */
    public boolean needsPlans() {
        return asksForAvailability() && cluster.policy().availability().method() == AvailabilityMethod.WHAT_IF;
    }

    /** Whether a newcomer is granted only where batch jobs can do without its slot, however that is found out. */
    boolean asksForAvailability() {
        return !jobs().isEmpty()
                && cluster.policy().availability().minAvailability().signum() > 0;
    }

    /** The requests that are still to be decided in their round, in no particular order. */
    public Collection<IntakeRequest> requests() {
        return requests.values();
    }

    /** Such a request. */
    public Optional<IntakeRequest> request(ReservationId id) {
        return Optional.ofNullable(requests.get(id));
    }

    /** The requests that wait for room. */
    public WaitingList waiting() {
        return waiting;
    }

    /** The requests of both kinds, in no particular order. */
    public List<IntakeRequest> openRequests() {
        return Stream.concat(requests.values().stream(), waiting.all().stream()).toList();
    }

    /** What projects can spend, as far as they must keep to their budgets. */
    public Funds funds() {
        return funds;
    }

    /** The same schedule, where projects can spend so much. */
    public ClusterSchedule funding(Funds other) {
        return other == funds ? this : new ClusterSchedule(cluster, occupancy, requests, waiting, other, memo);
    }

    // ---- what if

    /** The same schedule, were nobody moved to let another in. */
    public ClusterSchedule whereNobodyMoves() {
        return ruledAs(cluster.withoutJuggling());
    }

    /** The same schedule, where the cluster has other rules. */
    ClusterSchedule ruledAs(Cluster rules) {
        return new ClusterSchedule(rules, occupancy, requests, waiting, funds, memo);
    }

    /** The same schedule, where a newcomer may delay batch jobs as much as it does. */
    public ClusterSchedule whereAnySlotIsAvailableEnough() {
        return ruledAs(cluster.withoutMinAvailability());
    }

    /** The schedule after moves that happen at once. */
    ClusterSchedule moving(List<ReservationEvent> moves) {
        return moves.isEmpty() ? this : with(List.<Event>copyOf(moves));
    }

    /** The schedule after these changes of jobs, where no place is kept for those that wait. */
    ClusterSchedule afterJobs(List<Event> changes) {
        var next = withoutKeptPlaces();
        for (var change : changes) {
            next = next.applying(change);
        }
        return next;
    }

    // ---- events

    /**
     * The schedule after {@code event}. A schedule changes in this way, or by several events at once, and in no other.
     *
     * @throws IllegalStateException if there is no room for what the event leads to
     */
    public ClusterSchedule with(Event event) {
        if (event instanceof ReservationEvent(var _, var after, var _, var _, var _)) {
            var spent = funding(funds.after(find(after.id()), after));
            return changesNoPlace(after) ? spent.with(after) : spent.changing(event);
        }
        return changing(event);
    }

    private ClusterSchedule changing(Event event) {
        return withoutKeptPlaces().applying(event).keepingPlaces(event.at()).noting(keptPlaces());
    }

    /**
     * The schedule after several events of one decision, which happen at once: what moves first makes room for all.
     *
     * @throws IllegalStateException if there is no room for what the events lead to
     */
    public ClusterSchedule with(List<Event> events) {
        var after = new LinkedHashMap<ReservationId, Reservation>();
        var left = funds;
        for (var event : events) {
            if (event instanceof ReservationEvent(var _, var reservation, var _, var _, var _)) {
                var before = Optional.ofNullable(after.put(reservation.id(), reservation));
                left = left.after(before.or(() -> find(reservation.id())), reservation);
            }
        }
        var next = funding(left).withoutKeptPlaces();
        var known = memo;
        for (var reservation : after.values()) {
            known = memoAfter(known, reservation);
            next = next.without(reservation.id());
        }
        next = next.remembering(known);
        for (var event : events) {
            next = event instanceof ReservationEvent ? next : next.applying(event);
        }
        var afterTheOthers = next.memo;
        for (var reservation : after.values()) {
            next = reservation.state().isLive() ? next.adding(reservation) : next;
        }
        return events.isEmpty()
                ? this
                : next.remembering(afterTheOthers)
                        .keepingPlaces(events.getLast().at())
                        .noting(keptPlaces());
    }

    /** What changes in the schedule of those where no place is kept for jobs yet. */
    ClusterSchedule applying(Event event) {
        return switch (event) {
            case ReservationEvent(var _, var after, var _, var _, var _) -> with(after);
            case ClusterEvent(var changed, var at) -> with(changed, at);
            case OutageEvent(var _, var outage, var _) ->
                outage.endedAt().isPresent() ? regaining(outage) : losing(outage);
            case JobEvent(var _, var job, var _) -> withJob(job);
            case JobsEvent(var all, var _) -> withJobs(all);
            case RequestEvent(var _, var request, var _) -> with(request);
            case BudgetEvent _ -> this;
        };
    }

    private boolean changesNoPlace(Reservation after) {
        return after.state().isLive()
                && find(after.id()).filter(one -> Moves.takeTheSame(one, after)).isPresent();
    }

    private ClusterSchedule with(Reservation after) {
        var known = memoAfter(memo, after);
        if (changesNoPlace(after)) {
            var before = find(after.id()).orElseThrow();
            return new ClusterSchedule(cluster, occupancy.replacing(before, after), requests, waiting, funds, known);
        }
        var rest = without(after.id());
        var next = after.state().isLive() ? rest.adding(after) : rest;
        return next.remembering(known);
    }

    private ClusterSchedule with(Cluster changed, long at) {
        return changed.pes() == cluster.pes() && changed.binding() == cluster.binding()
                ? new ClusterSchedule(changed, occupancy, requests, waiting, funds, ReplanMemo.NONE)
                : of(changed, reservations(), outages(), jobs().all(), openRequests(), at)
                        .announcing(leads())
                        .funding(funds)
                        .withoutKeptPlaces();
    }

    ClusterSchedule losing(Outage outage) {
        // whoever stays may have to lie on PEs that are to stay free, where nobody would be placed
        return new ClusterSchedule(
                cluster, occupancy.losing(outage, cluster.pes()), requests, waiting, funds, ReplanMemo.NONE);
    }

    private ClusterSchedule regaining(Outage outage) {
        var known = memo.freeing(outage.slot());
        return new ClusterSchedule(
                cluster, occupancy.regaining(outage, cluster.pes()), requests, waiting, funds, known);
    }

    ClusterSchedule with(IntakeRequest request) {
        var others = request.state() == IntakeRequest.State.PENDING
                ? requests.plus(request.id(), request)
                : requests.minus(request.id());
        return new ClusterSchedule(cluster, occupancy, others, waiting.with(request), funds, memo);
    }

    private ClusterSchedule withJobs(List<BatchJob> all) {
        var next = withoutJobs();
        for (var job : all) {
            next = next.withJob(job);
        }
        return next;
    }

    /** Without any job, where no place is kept for those that wait. */
    ClusterSchedule withoutJobs() {
        var next = this;
        for (var job : jobs().all()) {
            next = next.withoutJob(job);
        }
        return next;
    }

    /** With a job as it is now; one that has ended is none of the cluster's any more. Kept places stay as they are. */
    ClusterSchedule withJob(BatchJob job) {
        var rest = jobs().find(job.id()).map(this::withoutJob).orElse(this);
        return rest.with(rest.occupancy.with(job));
    }

    private ClusterSchedule withoutJob(BatchJob job) {
        var known = job.state() == JobState.RUNNING ? memo.freeing(job.part().slot()) : memo;
        return new ClusterSchedule(cluster, occupancy.without(job), requests, waiting, funds, known);
    }

    /** The same schedule, where other PEs are taken. */
    ClusterSchedule with(Occupancy other) {
        return new ClusterSchedule(cluster, other, requests, waiting, funds, memo);
    }

    // ---- one reservation more or less

    /** The schedule with one more reservation, for which there must be room. */
    ClusterSchedule adding(Reservation reservation) {
        return new ClusterSchedule(
                cluster, occupancy.adding(reservation), requests, waiting, funds, memo.with(reservation));
    }

    /** The schedule without a reservation, if it is there. */
    public ClusterSchedule without(ReservationId id) {
        return find(id).map(there -> new ClusterSchedule(
                        cluster, occupancy.without(there), requests, waiting, funds, memo.without(there)))
                .orElse(this);
    }

    // ---- the places that are kept for jobs that wait

    /** The same schedule, where no kept place begins before {@code now}. */
    ClusterSchedule keepingPlacesFrom(long now) {
        return keptPlaces().stream().anyMatch(part -> part.slot().start() < now)
                ? withoutKeptPlaces().keepingPlaces(now).noting(keptPlaces())
                : this;
    }

    /** The same schedule, where no place is kept. */
    ClusterSchedule withoutKeptPlaces() {
        return keptPlaces().isEmpty() ? this : with(occupancy.withoutKept());
    }

    /** The same schedule with places kept, where none are. */
    private ClusterSchedule keepingPlaces(long now) {
        var keeping = occupancy.keeping(cluster.pes(), now);
        return keeping == occupancy ? this : with(keeping);
    }

    // ---- what is remembered of the waiting queue

    /** What is known of the waiting queue. */
    ReplanMemo memo() {
        return memo;
    }

    /** More has been found out about the queue of this very schedule; any thread may find it out. */
    void remember(ReplanMemo known) {
        memo = known;
    }

    /** The same schedule, with this known of its queue. */
    ClusterSchedule remembering(ReplanMemo known) {
        return known == memo ? this : new ClusterSchedule(cluster, occupancy, requests, waiting, funds, known);
    }

    private ReplanMemo memoAfter(ReplanMemo known, Reservation after) {
        return find(after.id())
                .map(before -> known.after(before, after))
                .orElseGet(() -> after.state().isLive() ? known.with(after) : known);
    }

    private ClusterSchedule noting(List<Part> keptBefore) {
        return remembering(noted(memo, keptBefore));
    }

    /** What is known of the queue now that places that were kept may have become free. */
    ReplanMemo noted(ReplanMemo known, List<Part> keptBefore) {
        var next = known;
        for (var part : keptBefore) {
            next = keptPlaces().contains(part) ? next : next.freeing(part.slot());
        }
        return next;
    }

    /**
     * Two schedules are equal if the same cluster has the same live reservations, outages, jobs and requests; the rest follows.
     */
    @Override
    public boolean equals(Object other) {
        return other instanceof ClusterSchedule that
                && cluster.equals(that.cluster)
                && occupancy.holders().equals(that.occupancy.holders())
                && requests.equals(that.requests)
                && waiting.equals(that.waiting);
    }

    @Override
    public int hashCode() {
        return occupancy.live().hashCode();
    }

    @Override
    public String toString() {
        return "%s: %s, out of service: %s, jobs: %s, to be decided: %s"
                .formatted(cluster.id(), occupancy.live(), outages(), jobs(), openRequests());
    }
}
