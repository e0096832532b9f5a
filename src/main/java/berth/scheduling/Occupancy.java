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
import berth.reservation.Reservation;
import berth.sla.Part;
import berth.time.Slot;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.pcollections.TreePSet;

/**
 * What takes the PEs of a cluster, over time: reservations, outages, jobs, and the places that are kept for jobs that wait; which
 * PEs that leaves free, and what the clock will do next. A persistent value; changes take O(log n) for n holders, beside what the
 * availability takes.
 */
final class Occupancy {

    private final FreePes free;
    private final Holders holders;
    private final TreePSet<AgendaItem> agenda;
    private final Leads leads;

    /** Taken, so that no reservation gets them; they follow from all else and the time. */
    private final List<Part> kept;

    private final FoundOut foundOut = new FoundOut();

    /**
     * What follows from all this, once somebody wants to know it: it makes no difference but to speed. Any thread may find it
     * out.
     */
    private static final class FoundOut {
        private Optional<EasyBackfilling> plans = Optional.empty();
        private Optional<Shared> shared = Optional.empty();
    }

    /** The PEs as reservations find them where so many are to stay free of them. */
    private record Shared(int spared, FreePes free) {}

    private Occupancy(FreePes free, Holders holders, TreePSet<AgendaItem> agenda, Leads leads, List<Part> kept) {
        this.free = free;
        this.holders = holders;
        this.agenda = agenda;
        this.leads = leads;
        this.kept = kept;
    }

    /** That of a cluster of which nobody has anything. */
    static Occupancy none(Cluster cluster) {
        return new Occupancy(FreePes.of(cluster), Holders.NONE, TreePSet.empty(), Leads.NONE, List.of());
    }

    Holders holders() {
        return holders;
    }

    LiveReservations live() {
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

    /** What the clock will do next. */
    Optional<AgendaItem> nextDue() {
        return agenda.isEmpty() ? Optional.empty() : Optional.of(agenda.first());
    }

    /** How long ahead starts and ends are announced. */
    Leads leads() {
        return leads;
    }

    /** Where they are announced otherwise. O(k log n) for the k reservations of those for whom that makes a difference. */
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

    /** The free PEs as jobs find them, to which no bound applies. */
    FreePes free() {
        return free;
    }

    /**
     * The same, as reservations find it: the PEs that these may not take serve jobs first. Found out once; O(n log n) for n
     * running jobs.
     *
     * @param spared how many of the PEs are to stay free of reservations
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

    /** What becomes of the jobs from {@code now} on. Found out once, as long as it holds. O(n log n) for n jobs. */
    EasyBackfilling plans(long now) {
        var known = foundOut.plans.filter(found -> found.holdAt(now));
        if (known.isPresent()) {
            return known.get().at(now);
        }
        var found = EasyBackfilling.of(withoutKept().free.profile(), jobs(), now);
        foundOut.plans = Optional.of(found);
        return found;
    }

    /** The PEs that are in service, over time, had the cluster {@code below} of its {@code pes} PEs. O(outages). */
    CapacityProfile inService(int pes, int below) {
        var rest = CapacityProfile.of(pes);
        for (var outage : outages()) {
            int lost = outage.pesBelow(below);
            rest = lost == 0 ? rest : rest.take(outage.slot(), lost);
        }
        return rest;
    }

    /** The most of a cluster's {@code pes} PEs that outages take at one time of {@code slot}, had it {@code below} of them. */
    int mostOutOfService(Slot slot, int pes, int below) {
        return pes - inService(pes, below).fewestFree(slot);
    }

    /** Those of {@code pes} PEs that no outage names in any second of {@code slot}. O(outages). */
    PeSet unnamed(int pes, Slot slot) {
        var unnamed = PeSet.range(0, pes);
        for (var outage : outages()) {
            if (outage.slot().overlaps(slot)) {
                unnamed = unnamed.minus(outage.peIds().orElse(PeSet.NONE));
            }
        }
        return unnamed;
    }

    // ---- reservations

    /** With one more reservation, for which there must be room. */
    Occupancy adding(Reservation reservation) {
        return new Occupancy(
                free.take(reservation.placement(), reservation.parts().size()),
                holders.with(reservation),
                agenda.plus(due(reservation)),
                leads,
                kept);
    }

    /** Without a reservation, which must be there. */
    Occupancy without(Reservation reservation) {
        return new Occupancy(
                free.giveBack(reservation.placement(), reservation.parts().size()),
                holders.without(reservation),
                agenda.minus(due(reservation)),
                leads,
                kept);
    }

    /** With another version of a reservation, which takes what it took. */
    Occupancy replacing(Reservation before, Reservation after) {
        return new Occupancy(
                free, holders.with(after), agenda.minus(due(before)).plus(due(after)), leads, kept);
    }

    /** Whether what a reservation has is free, be it of the share that is to stay free; it is not among the holders. */
    boolean hasRoomFor(Reservation reservation) {
        return free.hasRoomFor(reservation.placement(), reservation.parts().size());
    }

    /** The same of the part that it runs in at present; true if it does not. */
    boolean hasRoomForRunning(Reservation reservation) {
        return free.hasRoomFor(reservation.placement(), reservation.placement().begun());
    }

    /** Without the PEs on which a reservation runs at present, which is not among the holders. */
    Occupancy takingRunning(Reservation reservation) {
        var placement = reservation.placement();
        return new Occupancy(free.take(placement, placement.begun()), holders, agenda, leads, kept);
    }

    /** With them: undoes {@link #takingRunning}. */
    Occupancy givingBackRunning(Reservation reservation) {
        var placement = reservation.placement();
        return new Occupancy(free.giveBack(placement, placement.begun()), holders, agenda, leads, kept);
    }

    private AgendaItem due(Reservation reservation) {
        return reservation.due(leads.of(reservation.origin().owner())).orElseThrow();
    }

    // ---- outages

    /** With an outage of a cluster that has {@code pes} PEs. */
    Occupancy losing(Outage outage, int pes) {
        return new Occupancy(
                lost(outage, pes).map(part -> free.take(part, true)).orElse(free),
                holders.with(outage),
                outage.to().isPresent() ? agenda.plus(end(outage)) : agenda,
                leads,
                kept);
    }

    /** Without an outage of a cluster that has {@code pes} PEs. */
    Occupancy regaining(Outage outage, int pes) {
        return new Occupancy(
                lost(outage, pes).map(part -> free.giveBack(part, true)).orElse(free),
                holders.without(outage),
                outage.to().isPresent() ? agenda.minus(end(outage)) : agenda,
                leads,
                kept);
    }

    /** What an outage takes of the PEs that the cluster has; nothing if all that it names are gone. */
    private static Optional<Part> lost(Outage outage, int pes) {
        int taken = outage.pesBelow(pes);
        return taken == 0 ? Optional.empty() : Optional.of(new Part(outage.slot(), taken, outage.peIdsBelow(pes), 1));
    }

    private static AgendaItem end(Outage outage) {
        return new AgendaItem(
                outage.to().orElseThrow(), What.OUTAGE_ENDS, outage.id().value());
    }

    // ---- jobs

    /** With a job as it is now, which was not there; one that has ended is none of the cluster's any more. */
    Occupancy with(BatchJob job) {
        return job.state() == JobState.RUNNING
                ? new Occupancy(free.take(job.part(), true), holders.with(job), agenda.plus(end(job)), leads, kept)
                : new Occupancy(free, holders.with(job), agenda, leads, kept);
    }

    /** Without a job, which must be there. */
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

    // ---- the places that are kept for jobs that wait

    /** With the places kept that {@link Backfilling} keeps; there are none so far. */
    Occupancy keeping(int pes, long now) {
        var places = Backfilling.keeps(jobs(), free, pes, now);
        return places.isEmpty() ? this : new Occupancy(free.take(places), holders, agenda, leads, places);
    }

    /** Where no place is kept. */
    Occupancy withoutKept() {
        return kept.isEmpty() ? this : new Occupancy(free.giveBack(kept), holders, agenda, leads, List.of());
    }
}
