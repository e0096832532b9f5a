package berth.scheduling.places;

import static org.assertj.core.api.Assertions.assertThat;

import berth.outcome.Outcome;
import berth.pricing.Signal;
import berth.pricing.SignalStep;
import berth.scheduling.LiveCluster;
import berth.scheduling.Request;
import berth.scheduling.commands.ChangeSignal;
import berth.scheduling.places.PlaceSearch.Search;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class PlaceSearchTest {

    /** The signal changes in each second, and the run has eight shapes. */
    @Test
    void aRequestWithABudgetComputesABoundedNumberOfPrices() {
        var cluster = LiveCluster.of(8);
        var steps = IntStream.range(0, 900)
                .mapToObj(second -> new SignalStep(second, 1_000_000 + second % 7))
                .toList();
        cluster.happens(new ChangeSignal(new Signal("energy", steps, 900)));
        var wanted = Request.of(1, 8, 10)
                .shapes("8:10 7:12 6:14 5:16 4:18 3:20 2:22 1:24")
                .deadline(900)
                .budget("0.50");

        assertThat(prices(cluster, wanted, Integer.MAX_VALUE)).isBetween(4_000, 4_200);
        assertThat(prices(cluster, wanted, 300)).isLessThan(4_000);
    }

    /** Counts the prices that the search computes if the run costs more than its budget before a start, and less from it on. */
    private static int prices(LiveCluster cluster, Request wanted, int affordable) {
        var terms = ((Outcome.Done<PlaceSearch, ?>)
                        PlaceSearch.open(cluster.schedule(), wanted.terms(), Request.ADA, cluster.now()))
                .value()
                .terms();
        var count = new AtomicInteger();
        var search = PlaceSearch.of(
                cluster.schedule(),
                terms,
                place -> {
                    count.incrementAndGet();
                    return Request.usd(place.start() < affordable ? "0.51" : "0.49");
                },
                cluster.now());

        var found = search.choose();

        if (affordable < 900) {
            assertThat(found)
                    .isInstanceOfSatisfying(
                            Search.Found.class,
                            place -> assertThat(place.place().start()).isEqualTo(affordable));
        } else {
            assertThat(found).isInstanceOf(Search.Nothing.class);
        }
        return count.get();
    }
}
