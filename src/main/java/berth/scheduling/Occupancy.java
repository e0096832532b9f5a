package berth.scheduling;

import berth.availability.CapacityProfile;
import berth.availability.PeSet;
import berth.batch.BatchJob;
import berth.batch.EasyBackfilling;
import berth.batch.JobState;
import berth.batch.Jobs;
import berth.cluster.Cluster;
import berth.cluster.Outage;
import berth.reservation.AgendaItem;
import berth.reservation.AgendaItem.What;
import berth.reservation.Placement;
import berth.reservation.Reservation;
import berth.sla.AccountName;
import berth.sla.Part;
import berth.time.Slot;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.pcollections.TreePSet;

/**
 * The use of a cluster's PEs over time (by reservations, outages, jobs and kept places), which PEs remain free, and the next action of
 * the clock. Immutable; changes take O(log n) for n holders, plus the cost of the availability.
 */
public final class Occupancy {

    private final FreePes free;
    private final Holders holders;
    private final TreePSet<AgendaItem> agenda;
    private final Leads leads;

    /**
     * The places kept for waiting jobs. They count as taken, so that no reservation gets them. They follow from everything else and the
     * time.
     */
    private final List<Part> kept;

    private final FoundOut foundOut = new FoundOut();

    /** Results that are computed on demand. They affect only speed, and any thread may compute them. */
    private static final class FoundOut {
        private Optional<EasyBackfilling> plans = Optional.empty();
        private Optional<Shared> shared = Optional.empty();
        private Optional<Others> others = Optional.empty();
    }

    /** The PEs as reservations find them, for a number of PEs outside the reservable share. */
    private record Shared(int spared, FreePes free) {}

    /** The bookings of all accounts but one. */
    private record Others(AccountName account, BookedByOthers booked) {}

    private Occupancy(FreePes free, Holders holders, TreePSet<AgendaItem> agenda, Leads leads, List<Part> kept) {
        this.free = free;
        this.holders = holders;
        this.agenda = agenda;
        this.leads = leads;
        this.kept = kept;
    }

    /** Returns the occupancy of an empty cluster. */
    static Occupancy none(Cluster cluster) {
        return new Occupancy(FreePes.of(cluster), Holders.NONE, TreePSet.empty(), Leads.NONE, List.of());
    }

    Holders holders() {
        return holders;
    }

    public LiveReservations live() {
        return holders.live();
    }

    Collection<Outage> outages() {
        return holders.outages().values();
    }

    Jobs jobs() {
        return holders.jobs();
    }

    List<Part> kept() {
        return kept;
    }

    /** Returns the next action of the clock. */
    Optional<AgendaItem> nextDue() {
        return agenda.isEmpty() ? Optional.empty() : Optional.of(agenda.first());
    }

    /** Returns how long ahead starts and ends are announced. */
    Leads leads() {
        return leads;
    }

    /** Returns the same occupancy with other leads. O(k log n) for the k reservations that are affected. */
    Occupancy announcing(Leads other) {
        var next = agenda;
        for (var owner : live().owners()) {
            if (leads.of(owner).equals(other.of(owner))) {
                continue;
            }
            for (var reservation : live().of(owner)) {
                next = next.minus(due(reservation))
                        .plus(reservation.due(other.of(owner)).orElseThrow());
            }
        }
        return new Occupancy(free, holders, next, other, kept);
    }

    /** Returns the free PEs for jobs, to which the reservable share does not apply. */
    FreePes free() {
        return free;
    }

    /**
     * Returns the free PEs for reservations. Jobs use the PEs outside the reservable share first. Computed once; O(n log n) for n running
     * jobs.
     *
     * @param spared the number of PEs outside the reservable share
     */
    FreePes freeForReservations(int spared) {
        if (spared == 0 || jobs().isEmpty()) {
            return free;
        }
        var known = foundOut.shared.filter(shared -> shared.spared == spared);
        if (known.isPresent()) {
            return known.get().free;
        }
        var taken = Stream.concat(jobs().running().stream().map(BatchJob::part), kept.stream());
        var found = free.sharing(taken.toList(), spared);
        foundOut.shared = Optional.of(new Shared(spared, found));
        return found;
    }

    /** Returns the plans of the jobs from {@code now} on. Computed once while they stay valid. O(n log n) for n jobs. */
    EasyBackfilling plans(long now) {
        var known = foundOut.plans.filter(found -> found.holdAt(now));
        if (known.isPresent()) {
            return known.get().at(now);
        }
        var found = EasyBackfilling.of(withoutKept().free.profile(), jobs(), now);
        foundOut.plans = Optional.of(found);
        return found;
    }

    /** Returns what all accounts but one have booked. Computed once for the account that asked last; O(k log k) for its k reservations. */
    BookedByOthers bookedByOthers(AccountName account, int pes) {
        var known = foundOut.others.filter(others -> others.account.equals(account));
        if (known.isPresent()) {
            return known.get().booked;
        }
        var found = new BookedByOthers(free.profile(), withoutOthers(account, pes));
        foundOut.others = Optional.of(new Others(account, found));
        return found;
    }

    /** Returns the PEs that would be free without the reservations of other accounts. */
    private CapacityProfile withoutOthers(AccountName account, int pes) {
        var own = live().of(account).stream()
                .map(Reservation::placement)
                .flatMap(placement -> IntStream.range(
                                placement.over(), placement.parts().size())
                        .boxed()
                        .flatMap(part -> placement.has(part).stream()));
        var rest = CapacityProfile.of(pes);
        for (var part : Stream.of(
                        own,
                        claims(pes).all().stream(),
                        jobs().running().stream().map(BatchJob::part),
                        kept.stream())
                .flatMap(parts -> parts)
                .toList()) {
            rest = rest.take(part.slot(), part.pes());
        }
        return rest;
    }

    /** Returns what the outages claim of a cluster of {@code pes} PEs. */
    public OutageClaims claims(int pes) {
        return new OutageClaims(outages(), pes);
    }

    // ---- reservations

    /** Returns this with one more reservation, for which there must be room. */
    Occupancy adding(Reservation reservation) {
        return new Occupancy(
                free.take(reservation.placement(), reservation.parts().size()),
                holders.with(reservation),
                agenda.plus(due(reservation)),
                leads,
                kept);
    }

    /** Returns this without a reservation, which must be present. */
    Occupancy without(Reservation reservation) {
        return new Occupancy(
                free.giveBack(reservation.placement(), reservation.parts().size()),
                holders.without(reservation),
                agenda.minus(due(reservation)),
                leads,
                kept);
    }

    /** Returns this with another version of a reservation that takes the same PEs. */
    Occupancy replacing(Reservation before, Reservation after) {
        return new Occupancy(
                free, holders.with(after), agenda.minus(due(before)).plus(due(after)), leads, kept);
    }

    /** Whether the PEs of a reservation are free, inside the reservable share or not. The reservation must not be present. */
    public boolean hasRoomFor(Reservation reservation) {
        return free.hasRoomFor(reservation.placement(), reservation.parts().size());
    }

    /** Whether the PEs of the running part of a reservation are free; true if no part is running. */
    public boolean hasRoomForRunning(Reservation reservation) {
        return free.hasRoomFor(reservation.placement(), reservation.placement().begun());
    }

    /** Returns this with the PEs of the running part of a reservation taken. The reservation must not be present. */
    public Occupancy takingRunning(Reservation reservation) {
        var placement = reservation.placement();
        return new Occupancy(free.take(placement, placement.begun()), holders, agenda, leads, kept);
    }

    /** Returns this with them free, the reverse of {@link #takingRunning}. */
    public Occupancy givingBackRunning(Reservation reservation) {
        var placement = reservation.placement();
        return new Occupancy(free.giveBack(placement, placement.begun()), holders, agenda, leads, kept);
    }

    /**
     * Returns this as if no outage claimed PEs of a run after its end, to see how far it can be longer. The run must not be present.
     *
     * @param had the last part of the run
     * @param ids its PEs with early binding, otherwise empty
     * @param pes the PEs of the cluster
     */
    public Occupancy sparing(Part had, Optional<PeSet> ids, int pes) {
        var after = new Slot(had.slot().end(), Long.MAX_VALUE);
        return new Occupancy(free.giveBack(claims(pes).on(had.pes(), ids, after)), holders, agenda, leads, kept);
    }

    /** Returns this with some of the PEs of a piece free, which no run holds afterwards; to count PEs with late binding. */
    public Occupancy givingBack(Part piece, int pes) {
        return pes == 0
                ? this
                : new Occupancy(free.giveBack(Part.whole(piece.slot(), pes), false), holders, agenda, leads, kept);
    }

    /**
     * Returns what a run that has begun lacks from {@code now} on beside everything else, in order of time. The run must not be present.
     *
     * @param pes the PEs of the cluster
     * @param parts how many of its parts are considered; the others are left out
     */
    public List<Part> lacking(Placement placement, int pes, int parts, long now) {
        var lacks = new ArrayList<Part>();
        var claims = claims(pes);
        for (int number = placement.over(); number < parts; number++) {
            var part = placement.parts().get(number);
            var slot = new Slot(Math.max(now, part.slot().start()), part.slot().end());
            for (var stretch : stretches(slot, claims)) {
                free.lacking(part, stretch, claims.namedAt(stretch.start())).ifPresent(lack -> add(lack, lacks));
            }
        }
        return lacks;
    }

    /** Returns the stretches of a slot in which the same outages hold and the same PEs are free. */
    private List<Slot> stretches(Slot slot, OutageClaims claims) {
        var beginnings = Stream.concat(
                        claims.beginnings(slot).stream(), free.changes(slot).boxed())
                .distinct()
                .sorted()
                .toList();
        return IntStream.range(0, beginnings.size())
                .mapToObj(i ->
                        new Slot(beginnings.get(i), i + 1 < beginnings.size() ? beginnings.get(i + 1) : slot.end()))
                .toList();
    }

    /** Adds a piece to the end of others; it prolongs the last one if they are alike and touch. */
    private static void add(Part lack, List<Part> lacks) {
        var before = lacks.isEmpty() ? lack : lacks.getLast();
        boolean goesOn = before.slot().end() == lack.slot().start()
                && before.during(lack.slot()).equals(lack);
        if (goesOn) {
            lacks.removeLast();
            lacks.add(lack.during(new Slot(before.slot().start(), lack.slot().end())));
        } else {
            lacks.add(lack);
        }
    }

    private AgendaItem due(Reservation reservation) {
        return reservation.due(leads.of(reservation.origin().owner())).orElseThrow();
    }

    // ---- outages

    /** Returns this with an outage, for a cluster of {@code pes} PEs. */
    Occupancy losing(Outage outage, int pes) {
        var after = holders.with(outage);
        return new Occupancy(
                free.take(claims(pes).left(outage)).outOfService(after.named()),
                after,
                agenda.plusAll(due(outage)),
                leads,
                kept);
    }

    /** Returns this, which must have no outages, with all of these, for a cluster of {@code pes} PEs. */
    Occupancy losing(Collection<Outage> all, int pes) {
        var after = holders;
        var items = agenda;
        for (var outage : all) {
            after = after.with(outage);
            items = items.plusAll(due(outage));
        }
        return new Occupancy(
                free.take(new OutageClaims(all, pes).all()).outOfService(after.named()), after, items, leads, kept);
    }

    /** Returns this with an outage that has begun, which takes the same PEs. */
    Occupancy beginning(Outage before, Outage after) {
        return new Occupancy(
                free, holders.with(after), agenda.minusAll(due(before)).plusAll(due(after)), leads, kept);
    }

    /** Returns this without an outage, for a cluster of {@code pes} PEs. */
    Occupancy regaining(Outage outage, int pes) {
        var after = holders.without(outage);
        return new Occupancy(
                free.giveBack(new OutageClaims(after.outages().values(), pes).left(outage))
                        .outOfService(after.named()),
                after,
                agenda.minusAll(due(outage)),
                leads,
                kept);
    }

    private static List<AgendaItem> due(Outage outage) {
        var id = outage.id().value();
        var items = new ArrayList<AgendaItem>();
        outage.beginsAt().ifPresent(at -> items.add(new AgendaItem(at, What.OUTAGE_BEGINS, id)));
        outage.to().ifPresent(to -> items.add(new AgendaItem(to, What.OUTAGE_ENDS, id)));
        return items;
    }

    // ---- jobs

    /** Returns this with a job that is not present; a job that has ended is ignored. */
    Occupancy with(BatchJob job) {
        return job.state() == JobState.RUNNING
                ? new Occupancy(free.take(job.part(), true), holders.with(job), agenda.plus(end(job)), leads, kept)
                : new Occupancy(free, holders.with(job), agenda, leads, kept);
    }

    /** Returns this without a job, which must be present. */
    Occupancy without(BatchJob job) {
        return job.state() == JobState.RUNNING
                ? new Occupancy(
                        free.giveBack(job.part(), true), holders.without(job), agenda.minus(end(job)), leads, kept)
                : new Occupancy(free, holders.without(job), agenda, leads, kept);
    }

    private static AgendaItem end(BatchJob job) {
        return new AgendaItem(
                job.run().orElseThrow().until(), What.JOB_ENDS, job.id().value());
    }

    // ---- kept places

    /** Returns this with the places that {@link Backfilling} keeps; there must be none yet. */
    Occupancy keeping(int pes, long now) {
        var places = Backfilling.keeps(jobs(), free, pes, now);
        return places.isEmpty() ? this : new Occupancy(free.take(places), holders, agenda, leads, places);
    }

    /** Returns this without kept places. */
    Occupancy withoutKept() {
        return kept.isEmpty() ? this : new Occupancy(free.giveBack(kept), holders, agenda, leads, List.of());
    }
}
