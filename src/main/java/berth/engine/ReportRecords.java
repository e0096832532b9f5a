package berth.engine;

import berth.cluster.Outage;
import berth.engine.Records.Grouping;
import berth.reservation.ClusterId;
import berth.scheduling.Event;
import berth.sla.AccountName;
import berth.sla.Part;
import berth.time.Slot;
import java.math.BigDecimal;
import java.util.Currency;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;

/** Reads the recorded data that reports add up, for several clusters at once. */
public interface ReportRecords {

    /**
     * What a report covers.
     *
     * @param clusters the clusters
     * @param project the only project; empty for everything
     * @param range the time
     * @param step the length of each step of the range in seconds; the last one may be shorter
     */
    record Scope(List<ClusterId> clusters, Optional<String> project, Slot range, long step) {}

    /** Passes on the reservations and batch jobs that had, have or will have PEs in the range, in no particular order, without holding them all. */
    void bookings(Scope scope, Consumer<Booking> each);

    /**
     * A reservation or batch job with its PEs.
     *
     * @param parts the PEs as reserved
     * @param until when it ended, in seconds since the epoch; the end of its last part if it is live
     * @param isJob whether it is a batch job
     */
    record Booking(List<Part> parts, long until, AccountName owner, Optional<String> project, boolean isJob) {}

    /**
     * Returns the sums over the events of each type, step and currency. Events that have left the tables count, except for a project: they
     * are summed by the hour, and such an hour counts as a whole if it begins in the range.
     */
    List<EventSum> events(Scope scope);

    /**
     * The sum over events.
     *
     * @param step the number of the step, from 0
     * @param isFirst whether the events are the first ones of their reservations
     * @param price the prices of the reservations after the events, for a credit for returned time the change
     * @param credit the credits of the reservations
     */
    record EventSum(
            int step,
            Event.Type type,
            boolean isFirst,
            long number,
            Optional<Currency> currency,
            BigDecimal price,
            BigDecimal credit) {}

    /** Returns the number of requests refused in each step, by whole hours: an hour counts for the step in which it begins. */
    Map<Integer, Long> refused(Scope scope);

    /**
     * Returns the prices and credits of the reservations that ended, for each group, step and currency.
     *
     * @param most the most sums to return
     */
    List<Earned> earned(Scope scope, Grouping by, int most);

    /**
     * What the reservations of a group that ended in a step owe and are owed.
     *
     * @param group the account or project; empty for reservations without a project
     * @param price the prices, less what was credited for returned time; may be less than zero
     */
    record Earned(Optional<String> group, int step, Currency currency, BigDecimal price, BigDecimal credit) {}

    /** Returns the outages that take PEs in the range. */
    List<Outage> outages(Scope scope);

    /** Returns the numbers of PEs that each cluster had until the end of the range, in order of time for each cluster. */
    List<Size> sizes(Scope scope);

    /**
     * The number of PEs of a cluster from a time on.
     *
     * @param from seconds since the epoch
     */
    record Size(ClusterId cluster, long from, int pes) {}

    /**
     * Returns the time up to which ended reservations have left the tables, in seconds since the epoch; 0 if none have.
     */
    long keptFrom(Scope scope);
}
