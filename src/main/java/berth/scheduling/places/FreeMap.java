package berth.scheduling.places;

import berth.cluster.AvailabilityMethod;
import berth.outcome.Outcome;
import berth.scheduling.ClusterSchedule;
import berth.scheduling.Place;
import berth.scheduling.Rejection;
import berth.sla.Customer;
import berth.sla.Money;
import berth.sla.RequestedTerms;
import berth.time.Slot;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * A read-only question: when would rigid runs of one duration fit, for sizes from small to large? No reservation moves for them. The answer
 * holds for the schedule that was asked and promises nothing.
 *
 * @param duration the run time in seconds on a standard PE, at least 1
 * @param range the time in which the runs begin
 * @param step the length in seconds of the steps into which the range is divided; the last may be shorter
 * @param customer the account that asks
 */
public record FreeMap(long duration, Slot range, long step, Customer customer) {

    /**
     * The runs of one size.
     *
     * @param cells for each step the first run that begins in it; empty if there is none
     */
    public record Row(int pes, List<Optional<Cell>> cells) {}

    /**
     * A run that would fit.
     *
     * @param start the earliest start in the step, in seconds since the epoch
     * @param price the lowest price: that of a run that may begin at any time of the range and move until the cluster's notice
     * @param availability the availability for batch jobs; empty if it would need a plan of the queue. A probe makes some twenty plans, the
     *     map would need thousands
     */
    public record Cell(long start, Money price, OptionalDouble availability) {}

    /**
     * Returns a row for each power of two of nodes below the cluster's size, and one for the whole cluster. Each row takes O(s log p) for s
     * steps and p points of the profile; in addition there is one plan of the batch jobs.
     */
    public List<Row> ask(ClusterSchedule schedule, long now) {
        int most = schedule.cluster().pes();
        int granule = schedule.cluster().nodes().granule();
        long harmless = harmless(schedule, now);
        return IntStream.concat(
                        IntStream.iterate(granule, pes -> pes < most && pes > 0, pes -> 2 * pes), IntStream.of(most))
                .mapToObj(pes -> new Row(pes, cells(schedule, pes, harmless, now)))
                .toList();
    }

    /**
     * Returns the time from which on no run delays any job. With availability by load that is any time, because no run that would delay a
     * job is admitted.
     */
    private static long harmless(ClusterSchedule schedule, long now) {
        boolean isTold = schedule.jobs().isEmpty()
                || schedule.cluster().policy().availability().method() == AvailabilityMethod.LOAD;
        return isTold ? Long.MIN_VALUE : schedule.plans(now).end();
    }

    private List<Optional<Cell>> cells(ClusterSchedule schedule, int pes, long harmless, long now) {
        int steps = Math.toIntExact((range.duration() + step - 1) / step);
        var cells = new ArrayList<Optional<Cell>>(steps);
        if (open(schedule, pes, now) instanceof Outcome.Done(var search)) {
            long from = Math.max(search.starts().earliest(), search.starts().busyUntil());
            var next = search.first(Math.max(from, range.start()));
            while (cells.size() < steps && next.isPresent()) {
                long end = range.start() + (cells.size() + 1) * step;
                if (next.get().start() >= end) {
                    cells.add(Optional.empty());
                } else {
                    cells.add(next.map(place -> cell(search, place, harmless)));
                    next = search.first(Math.max(from, end));
                }
            }
        }
        return Stream.concat(cells.stream(), Stream.generate(Optional::<Cell>empty))
                .limit(steps)
                .toList();
    }

    private Outcome<PlaceSearch, Rejection> open(ClusterSchedule schedule, int pes, long now) {
        var cluster = schedule.cluster();
        long ready = Math.max(now, range.start());
        long end = now + cluster.policy().horizon();
        long runTime = RequestedTerms.runTime(duration, cluster.rating());
        long latest = Math.max(range.end() - 1, ready);
        long deadline = runTime > end - latest ? end : latest + runTime;
        var terms = RequestedTerms.of(OptionalLong.of(ready), OptionalLong.of(deadline), duration, pes);
        return PlaceSearch.open(schedule, terms, customer, now);
    }

    private static Cell cell(PlaceSearch search, Place place, long harmless) {
        return new Cell(
                place.start(),
                search.price(place),
                place.start() >= harmless ? OptionalDouble.of(1) : OptionalDouble.empty());
    }
}
