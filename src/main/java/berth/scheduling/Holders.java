package berth.scheduling;

import berth.batch.BatchJob;
import berth.batch.Jobs;
import berth.cluster.Outage;
import berth.cluster.OutageId;
import berth.reservation.Reservation;
import org.pcollections.HashTreePMap;
import org.pcollections.PMap;

/**
 * Who has PEs of a cluster or waits for some: its live reservations, the outages that are not over, its batch jobs. A persistent
 * value; changes take O(log n).
 */
record Holders(LiveReservations live, PMap<OutageId, Outage> outages, Jobs jobs) {

    static final Holders NONE = new Holders(LiveReservations.NONE, HashTreePMap.empty(), Jobs.NONE);

    /** With a reservation, or another version of it. */
    Holders with(Reservation reservation) {
        return new Holders(live.plus(reservation), outages, jobs);
    }

    /** Without a reservation, which must be there. */
    Holders without(Reservation reservation) {
        return new Holders(live.minus(reservation), outages, jobs);
    }

    Holders with(Outage outage) {
        return new Holders(live, outages.plus(outage.id(), outage), jobs);
    }

    Holders without(Outage outage) {
        return new Holders(live, outages.minus(outage.id()), jobs);
    }

    /** With a job as it is now: see {@link Jobs#with}. */
    Holders with(BatchJob job) {
        return new Holders(live, outages, jobs.with(job));
    }

    /** Without a job, which must be there. */
    Holders without(BatchJob job) {
        return new Holders(live, outages, jobs.without(job));
    }
}
