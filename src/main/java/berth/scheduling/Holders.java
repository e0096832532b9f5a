package berth.scheduling;

import berth.availability.PeSet;
import berth.batch.BatchJob;
import berth.batch.Jobs;
import berth.cluster.Outage;
import berth.cluster.OutageId;
import berth.reservation.Reservation;
import org.pcollections.HashTreePMap;
import org.pcollections.PMap;

/**
 * All that holds PEs of a cluster or waits for them: its live reservations, the outages that are not over, and its batch jobs. Immutable; changes
 * take O(log n).
 */
public record Holders(LiveReservations live, PMap<OutageId, Outage> outages, Jobs jobs) {

    static final Holders NONE = new Holders(LiveReservations.NONE, HashTreePMap.empty(), Jobs.NONE);

    /** Returns this with a new or changed reservation. */
    Holders with(Reservation reservation) {
        return new Holders(live.plus(reservation), outages, jobs);
    }

    /** Returns this without a reservation, which must be present. */
    Holders without(Reservation reservation) {
        return new Holders(live.minus(reservation), outages, jobs);
    }

    /** Returns the PEs that any outage names. O(outages). */
    PeSet named() {
        return new OutageClaims(outages.values(), 0).named();
    }

    Holders with(Outage outage) {
        return new Holders(live, outages.plus(outage.id(), outage), jobs);
    }

    Holders without(Outage outage) {
        return new Holders(live, outages.minus(outage.id()), jobs);
    }

    /** Returns this with a new or changed job, see {@link Jobs#with}. */
    Holders with(BatchJob job) {
        return new Holders(live, outages, jobs.with(job));
    }

    /** Returns this without a job, which must be present. */
    Holders without(BatchJob job) {
        return new Holders(live, outages, jobs.without(job));
    }
}
