package berth.scheduling;

import berth.cluster.AvailabilityMethod;
import berth.scheduling.PlaceSearch.Opening;
import berth.sla.Money;
import berth.sla.RequestedTerms;
import berth.sla.ServiceClass;
import berth.time.Slot;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * A question without effect: when would rigid runs of a duration find room, the small and the large ones? Nobody is moved for them.
 * The answer holds for the schedule it was asked of, and is no promise.
 *
 * @param duration of the runs, in seconds on a standard PE, at least 1
 * @param range when they begin
 * @param step into how many seconds the range is divided; the last step may be shorter
 * @param serviceClass how the account is classed
 */
public record FreeMap(long duration, Slot range, long step, ServiceClass serviceClass) {

    /**
     * Runs of one size.
     *
     * @param cells for each step the first run that begins in it; empty where none can
     */
    public record Row(int pes, List<Optional<Cell>> cells) {}

    /**
     * A run that would fit.
     *
     * @param start the earliest in its step, seconds since the epoch
     * @param price if it may begin at any time of the range and be moved until the cluster's notice: the least that it costs
     * @param availability how well the cluster's batch jobs do without it; empty where a plan of all of them with the run in it would
     *     tell: a probe makes some twenty of these, the map would need thousands
     */
    public record Cell(long start, Money price, OptionalDouble availability) {}

    /**
     * A row for each power of two of nodes below the cluster's PEs, and one for all of them. For each row O(s log p) for s steps and p points
     * of the profile, besides one plan of the batch jobs.
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

    /** From when on no run delays any job; by load no other run is let in. */
    private static long harmless(ClusterSchedule schedule, long now) {
        boolean isTold = schedule.jobs().isEmpty()
                || schedule.cluster().policy().availability().method() == AvailabilityMethod.LOAD;
        return isTold ? Long.MIN_VALUE : schedule.plans(now).end();
    }

    private List<Optional<Cell>> cells(ClusterSchedule schedule, int pes, long harmless, long now) {
        int steps = Math.toIntExact((range.duration() + step - 1) / step);
        var cells = new ArrayList<Optional<Cell>>(steps);
        if (open(schedule, pes, now) instanceof Opening.Open(var search)) {
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

    private Opening open(ClusterSchedule schedule, int pes, long now) {
        var cluster = schedule.cluster();
        long ready = Math.max(now, range.start());
        long end = now + cluster.policy().horizon();
        long runTime = RequestedTerms.runTime(duration, cluster.rating());
        long latest = Math.max(range.end() - 1, ready);
        long deadline = runTime > end - latest ? end : latest + runTime;
        var terms = RequestedTerms.of(OptionalLong.of(ready), OptionalLong.of(deadline), duration, pes);
        return PlaceSearch.open(schedule, terms, serviceClass, now);
    }

    private static Cell cell(PlaceSearch search, Place place, long harmless) {
        return new Cell(
                place.start(),
                search.price(place),
                place.start() >= harmless ? OptionalDouble.of(1) : OptionalDouble.empty());
    }
}
