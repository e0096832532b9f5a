package berth.scheduling.places;

import static org.assertj.core.api.Assertions.assertThat;

import berth.Seeds;
import berth.batch.JobId;
import berth.cluster.AvailabilityMethod;
import berth.cluster.Binding;
import berth.outcome.Outcome;
import berth.pricing.LoadStep;
import berth.pricing.PriceFunction;
import berth.pricing.Signal;
import berth.pricing.SignalStep;
import berth.pricing.Tariff;
import berth.scheduling.LiveCluster;
import berth.scheduling.Rejection;
import berth.scheduling.Request;
import berth.scheduling.SampleCluster;
import berth.scheduling.commands.ChangeSignal;
import berth.scheduling.commands.StartJobs;
import berth.scheduling.commands.SubmitJob;
import berth.scheduling.places.Probe.Offer;
import berth.scheduling.places.Probe.Offers;
import berth.sla.AccountName;
import berth.sla.Money;
import berth.time.Slot;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.UUID;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/** The slots of a probe, compared with every start in small random worlds, and their distribution over the window. */
class BestPlacesTest {

    /** A start and what a reservation with that start gets. */
    private record Tried(long start, long end, Money price) {}

    private final Random random = new Random();

    @Test
    void theLowestPriceOfAProbeIsThatOfAllStarts() {
        int differing = 0;
        for (int seed = 0; seed < Seeds.of(3_000); seed++) {
            random.setSeed(seed);
            var cluster = world();
            var request = request();
            var all = all(cluster, request);
            if (all.isEmpty()) {
                continue;
            }
            var lowest = all.stream()
                    .min(Comparator.<Tried, BigDecimal>comparing(one -> one.price.amount())
                            .thenComparingLong(Tried::start))
                    .orElseThrow();
            differing += lowest.start == all.getFirst().start ? 0 : 1;

            var best = best(cluster, request.orderedBy(Preference.LOWEST_PRICE), 1 + random.nextInt(20));

            assertThat(best).as("seed %d", seed).isEqualTo(lowest);
        }
        assertThat(differing).isGreaterThan(Seeds.of(1_000));
    }

    /** A rising factor and falling discounts can have the lowest price between the changes of either. */
    @Test
    void theLowestPriceOfAProbeIsThatOfAllStartsIfASignalMakesHoursDearer() {
        int between = 0;
        for (int seed = 0; seed < Seeds.of(2_000); seed++) {
            random.setSeed(seed);
            var cluster = world();
            var request = request();
            var signal = signal(new Random(~seed));
            cluster.tries(new ChangeSignal(signal));
            var all = all(cluster, request);
            if (all.isEmpty()) {
                continue;
            }
            var lowest = all.stream()
                    .min(Comparator.<Tried, BigDecimal>comparing(one -> one.price.amount())
                            .thenComparingLong(Tried::start))
                    .orElseThrow();
            boolean isAChange = signal.changes(new Slot(0, 1_000))
                    .anyMatch(change -> change == lowest.start || change == lowest.end);
            between += isAChange || lowest.start == all.getFirst().start ? 0 : 1;

            assertThat(best(cluster, request.orderedBy(Preference.LOWEST_PRICE), 1 + random.nextInt(20)))
                    .as("seed %d", seed)
                    .isEqualTo(lowest);
        }
        assertThat(between).isGreaterThan(Seeds.of(200));
    }

    private static Signal signal(Random random) {
        var steps = new ArrayList<SignalStep>();
        long from = random.nextInt(20);
        for (int step = 0; step < 1 + random.nextInt(8); step++) {
            steps.add(new SignalStep(from, 500_000 + random.nextInt(1_500_000)));
            from += 1 + random.nextInt(25);
        }
        return new Signal("energy", steps, from);
    }

    @Test
    void theEarliestStartAndTheEarliestEndOfAProbeAreThoseOfAllStarts() {
        for (int seed = 0; seed < Seeds.of(1_000); seed++) {
            random.setSeed(seed);
            var cluster = world();
            var request = request();
            var all = all(cluster, request);
            if (all.isEmpty() || !cluster.schedule().jobs().isEmpty()) {
                continue;
            }
            int limit = 1 + random.nextInt(20);

            assertThat(best(cluster, request.orderedBy(Preference.EARLIEST_START), limit))
                    .as("seed %d", seed)
                    .isEqualTo(all.getFirst());
            assertThat(best(cluster, request.orderedBy(Preference.EARLIEST_COMPLETION), limit).end)
                    .as("seed %d", seed)
                    .isEqualTo(all.stream().mapToLong(Tried::end).min().orElseThrow());
        }
    }

    /** Returns what a reservation gets at each start, in order. */
    private static List<Tried> all(LiveCluster cluster, Request request) {
        var opening = PlaceSearch.open(cluster.schedule(), request.terms(), Request.ADA, cluster.now());
        if (!(opening instanceof Outcome.Done(var search))) {
            return List.of();
        }
        return LongStream.rangeClosed(
                        search.firstStart(), search.terms().window().deadline() - 1)
                .mapToObj(search::placeAt)
                .flatMap(Optional::stream)
                .map(place -> new Tried(place.start(), place.slot().end(), search.price(place)))
                .toList();
    }

    /** Returns the best slot of a probe. */
    private static Tried best(LiveCluster cluster, Request request, int limit) {
        var probe = request.probe(limit);
        var offers =
                ((Outcome.Done<Offers, Rejection>) cluster.ask(probe)).value().offers();
        assertThat(offers).hasSizeLessThanOrEqualTo(limit);
        var best = probe.preference()
                .order(
                        offers,
                        offer -> Preference.Choice.of(
                                cluster.schedule().cluster().id(), offer))
                .getFirst();
        return new Tried(best.slot().start(), best.slot().end(), best.price());
    }

    private LiveCluster world() {
        int pes = 4 + random.nextInt(5);
        var sample = SampleCluster.of(pes)
                .tariff(tariff())
                .bound(random.nextBoolean() ? Binding.EARLY : Binding.LATE)
                .horizon(150)
                .available(AvailabilityMethod.WHAT_IF, "0.5", "0", 20, 1 + random.nextInt(30));
        var cluster = LiveCluster.of(sample);
        for (int number = 1; number <= 12; number++) {
            long length = 1 + random.nextInt(30);
            cluster.tries(Request.of(number, 1 + random.nextInt(pes), length)
                    .owner(random.nextInt(4) == 0 ? "ada" : "bob")
                    .start(random.nextInt(120))
                    .reserve());
        }
        for (int jobs = random.nextInt(4) - 1; jobs > 0; jobs--) {
            cluster.tries(new SubmitJob(
                    new JobId(new UUID(7, jobs)),
                    new AccountName("eve"),
                    Optional.empty(),
                    1 + random.nextInt(pes),
                    1 + random.nextInt(40)));
            cluster.tries(new StartJobs());
        }
        if (random.nextInt(3) == 0) {
            long from = random.nextInt(80);
            cluster.tries(LiveCluster.outage(1, 1 + random.nextInt(2), from, from + 1 + random.nextInt(50)));
        }
        return cluster;
    }

    private Tariff tariff() {
        var like = SampleCluster.CENT_PER_SECOND;
        var steps = new ArrayList<LoadStep>();
        for (int step = random.nextInt(10); step > 0; step--) {
            steps.add(new LoadStep(
                    BigDecimal.valueOf(90 - 8L * step + random.nextInt(8), 2),
                    BigDecimal.valueOf(250 - 15L * step + random.nextInt(15), 2)));
        }
        return like.with("function", random.nextInt(4) == 0 ? PriceFunction.NETTO_BUYYA_2007 : PriceFunction.BERTH)
                .with("pricePerPeHour", new BigDecimal("3600"))
                .with("flexibilityDiscount", new BigDecimal(random.nextInt(5)).movePointLeft(1))
                .with("latenessDiscount", new BigDecimal(random.nextInt(6)).movePointLeft(1))
                .with("latenessScale", new BigDecimal(1 + random.nextInt(4)))
                .with("shapeDiscount", new BigDecimal(random.nextInt(4)).movePointLeft(1))
                .with("loadProfile", steps);
    }

    private Request request() {
        long duration = 1 + random.nextInt(25);
        long ready = random.nextInt(40);
        var request = Request.of(99, 1 + random.nextInt(6), duration)
                .ready(ready)
                .deadline(ready + duration + random.nextInt(90));
        if (random.nextInt(3) == 0) {
            request = request.shapes("6:%d 3:%d 1:%d".formatted(duration, 2 * duration - 1, 5 * duration));
        }
        if (random.nextInt(5) == 0) {
            return request.noDeadline();
        }
        return random.nextInt(3) == 0 ? request.fixAfter("0.5") : request;
    }

    private static List<Long> starts(LiveCluster cluster, Request request, int limit) {
        return ((Outcome.Done<Offers, Rejection>) cluster.ask(request.probe(limit)))
                .value().offers().stream()
                        .map(Offer::slot)
                        .map(slot -> slot.start())
                        .toList();
    }

    private static LiveCluster spreading(int maxSlots, long gap) {
        return LiveCluster.of(SampleCluster.of(8).available(AvailabilityMethod.WHAT_IF, "0.5", "0", maxSlots, gap));
    }

    @Test
    void aProbeOfAnEmptyClusterListsStartsOverTheWholeWindow() {
        var run = Request.of(1, 4, 10).deadline(110);

        assertThat(starts(spreading(5, 10), run, 20)).containsExactly(0L, 25L, 50L, 75L, 100L);
        assertThat(starts(spreading(20, 40), run, 20)).containsExactly(0L, 50L, 100L);
        assertThat(starts(spreading(20, 10), run, 3)).containsExactly(0L, 100L);
        assertThat(starts(spreading(20, 10), run, 1)).containsExactly(0L);
    }

    @Test
    void aProbeWithoutADeadlineListsStartsUpToTheHorizon() {
        assertThat(starts(spreading(3, 10), Request.of(1, 4, 10).noDeadline(), 20))
                .containsExactly(0L, 495L, 990L);
    }

    @Test
    void manyGapsDoNotHideTheRestOfTheWindow() {
        var cluster = spreading(20, 10);
        for (int i = 0; i < 10; i++) {
            cluster.grant(Request.of(i + 2, 8, 5).start(15 * i + 10));
        }

        assertThat(starts(cluster, Request.of(1, 4, 10).deadline(510), 8))
                .startsWith(0L, 15L)
                .endsWith(500L)
                .hasSizeLessThanOrEqualTo(8)
                .filteredOn(start -> start > 200)
                .hasSizeGreaterThan(1);
    }
}
