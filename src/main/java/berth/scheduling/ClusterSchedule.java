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
import berth.cluster.ProjectRule;
import berth.intake.IntakeRequest;
import berth.reservation.AgendaItem;
import berth.reservation.Reservation;
import berth.reservation.ReservationId;
import berth.scheduling.Event.BudgetEvent;
import berth.scheduling.Event.ClusterEvent;
import berth.scheduling.Event.DelayEvent;
import berth.scheduling.Event.JobEvent;
import berth.scheduling.Event.JobsEvent;
import berth.scheduling.Event.OutageEvent;
import berth.scheduling.Event.RequestEvent;
import berth.scheduling.Event.ReservationEvent;
import berth.sla.AccountName;
import berth.sla.Customer;
import berth.sla.Part;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.pcollections.HashTreePMap;
import org.pcollections.PMap;

/**
 * The live reservations of a cluster, its outages, its batch jobs, the requests that await a decision or wait for room, returned time that
 * may still be credited, and the remaining availability. Immutable: {@link #with} returns another schedule that shares almost everything with this one, so snapshots are references
 * and what-ifs are cheap. Any number of threads can read it.
 *
 * <p>Lookups and changes take O(log n) for n live reservations, plus the cost of the availability profile. A change of the cluster's size
 * takes O(n log n).
 */
public final class ClusterSchedule {

    private final Rules rules;
    private final Cluster cluster;
    private final Occupancy occupancy;
    private final PMap<ReservationId, IntakeRequest> requests;
    private final WaitingList waiting;

    /** The reservations, live or not, with returned time of whose price a rest may still be credited. */
    private final PMap<ReservationId, Reservation> returns;

    /** The amounts that projects can spend. They are not part of the schedule; the caller that decides supplies it. */
    private final Funds funds;

    /** Results of earlier replanning of the queue. Later results can be added; they affect only speed. */
    private ReplanMemo memo;

    /** A cluster, and the same cluster where nobody moves, which every probe and every booking needs. */
    private static final class Rules {
        private final Cluster cluster;
        private @Nullable Rules whereNobodyMoves;

        Rules(Cluster cluster) {
            this.cluster = cluster;
        }

        /** May be made more than once, by several threads. */
        Rules whereNobodyMoves() {
            var made = whereNobodyMoves;
            if (made == null) {
                made = new Rules(cluster.withoutJuggling());
                whereNobodyMoves = made;
            }
            return made;
        }
    }

    private ClusterSchedule(
            Rules rules,
            Occupancy occupancy,
            PMap<ReservationId, IntakeRequest> requests,
            WaitingList waiting,
            PMap<ReservationId, Reservation> returns,
            Funds funds,
            ReplanMemo memo) {
        this.rules = rules;
        this.cluster = rules.cluster;
        this.occupancy = occupancy;
        this.requests = requests;
        this.waiting = waiting;
        this.returns = returns;
        this.funds = funds;
        this.memo = memo;
    }

    /** Returns the schedule of a cluster without reservations. */
    public static ClusterSchedule empty(Cluster cluster) {
        return new ClusterSchedule(
                new Rules(cluster),
                Occupancy.none(cluster),
                HashTreePMap.empty(),
                WaitingList.NONE,
                HashTreePMap.empty(),
                Funds.FREE,
                ReplanMemo.NONE);
    }

    /**
     * Returns the schedule that consists of {@code reservations} and {@code outages}.
     *
     * @throws IllegalStateException if a reservation is not live, is on another cluster or occurs twice, or if the reservations take too
     *     many PEs or share one
     */
    public static ClusterSchedule of(
            Cluster cluster, Collection<Reservation> reservations, Collection<Outage> outages) {
        return of(cluster, reservations, outages, List.of(), List.of(), 0);
    }

    /**
     * Returns the schedule that consists of these at {@code now}.
     *
     * @param jobs the running and waiting batch jobs
     * @param requests the requests that await a decision or wait for room
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

    // ---- contents

    /** Returns what takes PEs and which PEs are free. */
    public Occupancy occupancy() {
        return occupancy;
    }

    public Cluster cluster() {
        return cluster;
    }

    /** Returns the free PEs over time: neither taken nor out of service. */
    public CapacityProfile profile() {
        return occupancy.free().profile();
    }

    /** Returns the free PEs for batch jobs, to which the reservable share does not apply. */
    public FreePes freeForJobs() {
        return occupancy.free();
    }

    /** Returns the free PEs for reservations: {@link Occupancy#freeForReservations}. */
    public FreePes free() {
        return occupancy.freeForReservations(cluster.pes() - cluster.reservablePes());
    }

    /** Returns the prices of runs for an account. */
    public Prices prices(Customer customer) {
        return new Prices(this, customer);
    }

    /** Returns what all accounts but one have booked. Computed once for the account that asked last. */
    BookedByOthers bookedByOthers(AccountName account) {
        return occupancy.bookedByOthers(account, cluster.pes());
    }

    /** Returns the PEs in service over time, free or taken. O(outages). */
    public CapacityProfile inService() {
        return occupancy.claims(cluster.pes()).inService();
    }

    /** Returns the PEs that these outages take out of service, in order, each outage until it has ended or, if not, as planned. */
    public List<Part> outOfService(Collection<Outage> some) {
        return new OutageClaims(
                        some.stream()
                                .flatMap(outage -> outage.asItWas().stream())
                                .toList(),
                        cluster.pes())
                .all();
    }

    /** Returns the live reservations, in no particular order. */
    public Collection<Reservation> reservations() {
        return occupancy.live().all();
    }

    /** Returns the live reservations of an account, in O(log n). */
    public Collection<Reservation> reservationsOf(AccountName owner) {
        return occupancy.live().of(owner);
    }

    public Optional<Reservation> find(ReservationId id) {
        return occupancy.live().find(id);
    }

    /**
     * Whether a reservation could still get another time or shape for others: its place is not final, it has not been moved as often as
     * agreed, and its terms leave a choice that respects the cluster's notice, though perhaps not the owner's {@code fixBefore}. It excludes
     * other PEs at the same time.
     */
    public boolean canMove(Reservation reservation, long now) {
        long earliest = Math.max(now + cluster.policy().notice(), ReplanQueue.ready(reservation));
        return reservation.isMovable(now)
                && reservation
                        .terms()
                        .leaveAChoice(
                                reservation.parts(),
                                reservation.placement().begun(),
                                earliest,
                                ReplanQueue.deadline(reservation));
    }

    /**
     * Returns the reservations, live or not, with returned time of whose price a rest may still be {@linkplain CreditReturns credited}, in no
     * particular order.
     */
    public Collection<Reservation> openReturns() {
        return returns.values();
    }

    /** Returns the reservations whose charges may still change: the live ones and those with open returns, in no particular order. */
    public Collection<Reservation> billed() {
        return Stream.concat(
                        reservations().stream(),
                        returns.values().stream()
                                .filter(reservation -> !reservation.state().isLive()))
                .toList();
    }

    /** Returns a reservation whose charge may still change: one that is live or has {@linkplain #openReturns open returns}. */
    public Optional<Reservation> findBilled(ReservationId id) {
        return find(id).or(() -> Optional.ofNullable(returns.get(id)));
    }

    /** Returns the outages that are not over, in no particular order. */
    public Collection<Outage> outages() {
        return occupancy.outages();
    }

    public Optional<Outage> find(OutageId id) {
        return Optional.ofNullable(occupancy.holders().outages().get(id));
    }

    /** Returns the next action of the clock. */
    public Optional<AgendaItem> nextDue() {
        return Stream.concat(occupancy.nextDue().stream(), waiting.nextDue().stream())
                .min(Comparator.naturalOrder());
    }

    /**
     * Whether nothing happens by itself before {@link #nextDue}, whatever other clusters, accounts and budgets do: nothing waits for room,
     * lacks PEs, will be extended or may yet be credited for returned time.
     */
    public boolean waitsOnlyForTime() {
        var live = occupancy.live();
        return waiting.isEmpty()
                && jobs().waiting().isEmpty()
                && live.lacking().isEmpty()
                && openReturns().isEmpty()
                && live.dueForExtension(Long.MAX_VALUE, 1).isEmpty();
    }

    /** Returns the first {@code most} runs that are due for extension. O(most log n). */
    public List<ReservationId> dueForExtension(long now, int most) {
        return occupancy.live().dueForExtension(now, most);
    }

    /** Returns how long ahead starts and ends are announced. */
    public Leads leads() {
        return occupancy.leads();
    }

    /** Returns the same schedule with other leads. Announcements that were made stay. */
    public ClusterSchedule announcing(Leads leads) {
        return leads.equals(leads()) ? this : with(occupancy.announcing(leads));
    }

    /** Returns the running and waiting batch jobs. */
    public Jobs jobs() {
        return occupancy.jobs();
    }

    /** Returns the places that {@link Backfilling} keeps for waiting jobs, in their order; with EASY at most one, for the head. */
    public List<Part> keptPlaces() {
        return occupancy.kept();
    }

    /**
     * Returns the plans of the batch jobs from now on. They are computed once for each schedule while they stay valid; any thread may
     * compute them. O(n log n) for n jobs.
     *
     * @param now seconds since the epoch
     */
    public EasyBackfilling plans(long now) {
        return occupancy.plans(now);
    }

    /** Whether deciding a new request needs plans of the batch queue, because it is granted only if the jobs can do without its slot. */
    public boolean needsPlans() {
        return asksForAvailability() && cluster.policy().availability().method() == AvailabilityMethod.WHAT_IF;
    }

    /** Whether a new request is granted only if the batch jobs can do without its slot, by whichever method. */
    public boolean asksForAvailability() {
        return !jobs().isEmpty()
                && cluster.policy().availability().minAvailability().signum() > 0;
    }

    /** Returns the collected requests that await their round, in no particular order. */
    public Collection<IntakeRequest> requests() {
        return requests.values();
    }

    /** Returns the collected request with that id. */
    public Optional<IntakeRequest> request(ReservationId id) {
        return Optional.ofNullable(requests.get(id));
    }

    /** Returns the waiting list. */
    public WaitingList waiting() {
        return waiting;
    }

    /** Returns the collected requests and the waiting list together, in no particular order. */
    public List<IntakeRequest> openRequests() {
        return Stream.concat(requests.values().stream(), waiting.all().stream()).toList();
    }

    /** Returns what the projects with enforced budgets can spend. */
    public Funds funds() {
        return funds;
    }

    /** Returns the same schedule with other funds. */
    public ClusterSchedule funding(Funds other) {
        return other == funds ? this : new ClusterSchedule(rules, occupancy, requests, waiting, returns, other, memo);
    }

    /** Returns why nothing can be filed under a project at present, whatever the account and the price; empty if something can. */
    public Optional<Rejection> obstacle(Optional<String> project) {
        return noProject(project)
                .or(() -> funds.obstacle(project, cluster.tariff().currency())
                        .map(reason -> Rejection.InvalidTerms.of("project", reason)));
    }

    /** Returns why the cluster takes no requests under a label that is no project; empty if it does or if the label is one. */
    public Optional<Rejection> noProject(Optional<String> label) {
        return label.filter(_ -> cluster.policy().projects() == ProjectRule.KNOWN)
                .filter(filed -> !funds.filing().isProject(filed))
                .map(
                        _ -> Rejection.InvalidTerms.of(
                                "project",
                                "names no project, but this cluster takes no other labels; name one of your projects, or leave it out"));
    }

    // ---- what-ifs

    /** Returns the same schedule under the rule that no reservation moves to let another in. */
    public ClusterSchedule whereNobodyMoves() {
        return ruledAs(rules.whereNobodyMoves());
    }

    /** Returns the same schedule under other rules of the cluster. */
    public ClusterSchedule ruledAs(Cluster others) {
        return ruledAs(new Rules(others));
    }

    private ClusterSchedule ruledAs(Rules rules) {
        return new ClusterSchedule(rules, occupancy, requests, waiting, returns, funds, memo);
    }

    /** Returns the same schedule under the rule that a new reservation may delay batch jobs by any amount. */
    public ClusterSchedule whereAnySlotIsAvailableEnough() {
        return ruledAs(cluster.withoutMinAvailability());
    }

    /** Returns the schedule after moves that happen at once. */
    public ClusterSchedule moving(List<ReservationEvent> moves) {
        return moves.isEmpty() ? this : with(List.<Event>copyOf(moves));
    }

    /** Returns the schedule after changes of jobs, without kept places. */
    public ClusterSchedule afterJobs(List<Event> changes) {
        var next = withoutKeptPlaces();
        for (var change : changes) {
            next = next.applying(change);
        }
        return next;
    }

    // ---- events

    /**
     * Returns the schedule after {@code event}. Events, singly or several at once, are the only way to change a schedule.
     *
     * @throws IllegalStateException if there is no room for the result of the event
     */
    public ClusterSchedule with(Event event) {
        if (event instanceof ReservationEvent(var _, var after, var _, var _, var _, var _)) {
            var spent = funding(funds.after(findBilled(after.id()), after));
            return changesNoPlace(after) ? spent.with(after) : spent.changing(event);
        }
        return changing(event);
    }

    private ClusterSchedule changing(Event event) {
        return withoutKeptPlaces().applying(event).keepingPlaces(event.at()).noting(keptPlaces());
    }

    /**
     * Returns the schedule after several events of one decision, which happen at once: all reservations that move free their old places
     * first.
     *
     * @throws IllegalStateException if there is no room for the result of the events
     */
    public ClusterSchedule with(List<Event> events) {
        var after = new LinkedHashMap<ReservationId, Reservation>();
        var left = funds;
        for (var event : events) {
            if (event instanceof ReservationEvent(var _, var reservation, var _, var _, var _, var _)) {
                var before = Optional.ofNullable(after.put(reservation.id(), reservation));
                left = left.after(before.or(() -> findBilled(reservation.id())), reservation);
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
            next = (reservation.state().isLive() ? next.adding(reservation) : next).noting(reservation);
        }
        return events.isEmpty()
                ? this
                : next.remembering(afterTheOthers)
                        .keepingPlaces(events.getLast().at())
                        .noting(keptPlaces());
    }

    /** Applies an event to a schedule without kept places. */
    public ClusterSchedule applying(Event event) {
        return switch (event) {
            case ReservationEvent(var _, var after, var _, var _, var _, var _) -> with(after);
            case ClusterEvent(var _, var changed, var at) -> with(changed, at);
            case OutageEvent(var _, var outage, var _) ->
                outage.endedAt().isPresent()
                        ? regaining(outage)
                        : find(outage.id())
                                .map(before -> beginning(before, outage))
                                .orElseGet(() -> losing(outage));
            case JobEvent(var _, var job, var _) -> withJob(job);
            case JobsEvent(var all, var _) -> withJobs(all);
            case RequestEvent(var _, var request, var _) -> with(request);
            case DelayEvent _, BudgetEvent _ -> this;
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
            return new ClusterSchedule(
                            rules, occupancy.replacing(before, after), requests, waiting, returns, funds, known)
                    .noting(after);
        }
        var rest = without(after.id());
        var next = after.state().isLive() ? rest.adding(after) : rest;
        return next.remembering(known).noting(after);
    }

    /** Returns the same schedule, knowing whether a rest of the price of time that a reservation returned may still be credited. */
    ClusterSchedule noting(Reservation after) {
        boolean isOpen = !after.charge().openReturns().isEmpty();
        if (!isOpen && !returns.containsKey(after.id())) {
            return this;
        }
        var known = isOpen ? returns.plus(after.id(), after) : returns.minus(after.id());
        return new ClusterSchedule(rules, occupancy, requests, waiting, known, funds, memo);
    }

    private ClusterSchedule with(Cluster changed, long at) {
        return changed.pes() == cluster.pes() && changed.binding() == cluster.binding()
                ? new ClusterSchedule(new Rules(changed), occupancy, requests, waiting, returns, funds, ReplanMemo.NONE)
                : of(changed, billed(), outages(), jobs().all(), openRequests(), at)
                        .announcing(leads())
                        .funding(funds)
                        .withoutKeptPlaces();
    }

    ClusterSchedule losing(Outage outage) {
        // a reservation that stays may have to lie on PEs outside the reservable share, where no new place is given
        return new ClusterSchedule(
                rules, occupancy.losing(outage, cluster.pes()), requests, waiting, returns, funds, ReplanMemo.NONE);
    }

    /** Returns a schedule without outages with all of these. */
    ClusterSchedule losing(Collection<Outage> all) {
        return with(occupancy.losing(all, cluster.pes()));
    }

    private ClusterSchedule beginning(Outage before, Outage after) {
        return with(occupancy.beginning(before, after));
    }

    private ClusterSchedule regaining(Outage outage) {
        var known = memo.freeing(outage.slot());
        return new ClusterSchedule(
                rules, occupancy.regaining(outage, cluster.pes()), requests, waiting, returns, funds, known);
    }

    public ClusterSchedule with(IntakeRequest request) {
        var others = request.state() == IntakeRequest.State.PENDING
                ? requests.plus(request.id(), request)
                : requests.minus(request.id());
        return new ClusterSchedule(rules, occupancy, others, waiting.with(request), returns, funds, memo);
    }

    private ClusterSchedule withJobs(List<BatchJob> all) {
        var next = withoutJobs();
        for (var job : all) {
            next = next.withJob(job);
        }
        return next;
    }

    /** Returns the schedule without jobs. There must be no kept places. */
    public ClusterSchedule withoutJobs() {
        var next = this;
        for (var job : jobs().all()) {
            next = next.withoutJob(job);
        }
        return next;
    }

    /** Returns the schedule with a new or changed job; one that has ended is removed. Kept places stay. */
    public ClusterSchedule withJob(BatchJob job) {
        var rest = jobs().find(job.id()).map(this::withoutJob).orElse(this);
        return rest.with(rest.occupancy.with(job));
    }

    private ClusterSchedule withoutJob(BatchJob job) {
        var known = job.state() == JobState.RUNNING ? memo.freeing(job.part().slot()) : memo;
        return new ClusterSchedule(rules, occupancy.without(job), requests, waiting, returns, funds, known);
    }

    /** Returns the same schedule with other occupied PEs. */
    public ClusterSchedule with(Occupancy other) {
        return new ClusterSchedule(rules, other, requests, waiting, returns, funds, memo);
    }

    // ---- adding and removing a reservation

    /** Returns the schedule with one more reservation, for which there must be room. */
    public ClusterSchedule adding(Reservation reservation) {
        return new ClusterSchedule(
                rules, occupancy.adding(reservation), requests, waiting, returns, funds, memo.with(reservation));
    }

    /** Returns the schedule without a reservation, if it is there. */
    public ClusterSchedule without(ReservationId id) {
        return find(id).map(there -> new ClusterSchedule(
                        rules, occupancy.without(there), requests, waiting, returns, funds, memo.without(there)))
                .orElse(this);
    }

    // ---- places kept for waiting jobs

    /** Returns the same schedule with kept places that begin at {@code now} or later. */
    public ClusterSchedule keepingPlacesFrom(long now) {
        return keptPlaces().stream().anyMatch(part -> part.slot().start() < now)
                ? withoutKeptPlaces().keepingPlaces(now).noting(keptPlaces())
                : this;
    }

    /** Returns the same schedule without kept places. */
    public ClusterSchedule withoutKeptPlaces() {
        return keptPlaces().isEmpty() ? this : with(occupancy.withoutKept());
    }

    /** Returns this schedule, which must have no kept places, with the places that are kept for waiting jobs from {@code now} on. */
    private ClusterSchedule keepingPlaces(long now) {
        var keeping = occupancy.keeping(cluster.pes(), now);
        return keeping == occupancy ? this : with(keeping);
    }

    // ---- the replan memo

    /** Returns the replan memo of this schedule. */
    public ReplanMemo memo() {
        return memo;
    }

    /** Adds results of replanning this very schedule. Any thread may call it. */
    public void remember(ReplanMemo known) {
        memo = known;
    }

    /** Returns the same schedule with another replan memo. */
    ClusterSchedule remembering(ReplanMemo known) {
        return known == memo ? this : new ClusterSchedule(rules, occupancy, requests, waiting, returns, funds, known);
    }

    private ReplanMemo memoAfter(ReplanMemo known, Reservation after) {
        return find(after.id())
                .map(before -> known.after(before, after))
                .orElseGet(() -> after.state().isLive() ? known.with(after) : known);
    }

    private ClusterSchedule noting(List<Part> keptBefore) {
        return remembering(noted(memo, keptBefore));
    }

    /** Returns the replan memo after places that were kept may have become free. */
    public ReplanMemo noted(ReplanMemo known, List<Part> keptBefore) {
        var next = known;
        for (var part : keptBefore) {
            next = keptPlaces().contains(part) ? next : next.freeing(part.slot());
        }
        return next;
    }

    /**
     * Schedules are equal if their clusters have the same live reservations, outages, jobs, requests and open returns; everything else follows from
     * these.
     */
    @Override
    public boolean equals(Object other) {
        return other instanceof ClusterSchedule that
                && cluster.equals(that.cluster)
                && occupancy.holders().equals(that.occupancy.holders())
                && requests.equals(that.requests)
                && returns.equals(that.returns)
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
