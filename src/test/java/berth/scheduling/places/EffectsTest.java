package berth.scheduling.places;

import static org.assertj.core.api.Assertions.assertThat;

import berth.batch.JobId;
import berth.cluster.AvailabilityMethod;
import berth.cluster.Juggling;
import berth.cluster.ReplanOrder;
import berth.outcome.Outcome;
import berth.scheduling.Event.ReservationEvent;
import berth.scheduling.LiveCluster;
import berth.scheduling.Rejection;
import berth.scheduling.Request;
import berth.scheduling.SampleCluster;
import berth.scheduling.commands.StartJobs;
import berth.scheduling.commands.SubmitJob;
import berth.scheduling.places.Probe.Offer;
import berth.scheduling.places.Probe.Offers;
import berth.scheduling.places.WouldFit.Change;
import berth.sla.AccountName;
import java.math.BigDecimal;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** The cost for others of places that probes and refusals name. */
class EffectsTest {

    private final LiveCluster cluster =
            LiveCluster.of(SampleCluster.of(10).juggling(Juggling.ON_CONFLICT, ReplanOrder.EARLIEST_DEADLINE_FIRST));

    @Test
    void aPlaceShowsHowManyReservationsItMovesAndHowFar() {
        cluster.grant(Request.of(1, 5, 10).ready(10).deadline(40));
        cluster.grant(Request.of(2, 5, 10).ready(10).deadline(60));
        var request = Request.of(9, 10, 10).ready(10).deadline(20);

        var offer = chosen(request);

        assertThat(offer.effects()).isEqualTo(new Effects(2, 20, 10, OptionalInt.of(0)));
        assertThat(offer.moves())
                .extracting(ReservationEvent::reservation)
                .extracting(moved -> moved.slot().start())
                .containsExactly(20L, 20L);
    }

    @Test
    void aPlaceWithoutEffectsOnOthersSaysSo() {
        var offer = chosen(Request.of(9, 10, 10).ready(10).deadline(20));

        assertThat(offer.effects()).isEqualTo(Effects.NONE);
        assertThat(offer.moves()).isEmpty();
    }

    @Test
    void aPlaceShowsHowManyJobsItDelays() {
        var busy = busy(AvailabilityMethod.WHAT_IF);

        // the second job keeps its place at 100; the third is planned at 150
        var offers = ((Outcome.Done<Offers, Rejection>)
                        busy.ask(Request.of(9, 10, 50).ready(150).deadline(300).probe(20)))
                .value()
                .offers();

        assertThat(offers).extracting(Offer::effects).contains(delaying(OptionalInt.of(1)), Effects.NONE);
        assertThat(offers.getLast().effects()).isEqualTo(Effects.NONE);
        assertThat(offers)
                .allSatisfy(offer -> assertThat(offer.effects())
                        .isEqualTo(delaying(OptionalInt.of(offer.slot().start() < 250 ? 1 : 0))));
    }

    @Test
    void theJobsDelayedAreNotKnownWithoutPlans() {
        var busy = busy(AvailabilityMethod.LOAD);

        var offers = ((Outcome.Done<Offers, Rejection>)
                        busy.ask(Request.of(9, 10, 50).ready(250).deadline(400).probe(20)))
                .value()
                .offers();

        assertThat(offers)
                .isNotEmpty()
                .allSatisfy(offer -> assertThat(offer.effects()).isEqualTo(delaying(OptionalInt.empty())));
    }

    @Test
    void anAlternativeShowsItsEffectsOnOthers() {
        cluster.grant(Request.of(1, 10, 10).ready(10).deadline(20));
        cluster.grant(Request.of(2, 10, 10).ready(20).deadline(60));

        var found = new Alternatives(
                        Request.of(9, 10, 10).ready(10).deadline(20).terms(), Request.ADA, BigDecimal.ONE, 10)
                .ask(cluster.schedule(), 0)
                .found();

        assertThat(found)
                .extracting(alternative -> alternative.offer().slot().start())
                .containsExactly(20L, 0L);
        assertThat(found)
                .extracting(alternative -> alternative.offer().effects())
                .containsExactly(new Effects(1, 10, 10, OptionalInt.of(0)), Effects.NONE);
    }

    @Test
    void aSuggestedChangeShowsItsEffectsOnOthers() {
        cluster.grant(Request.of(1, 10, 10).ready(10).deadline(20));
        cluster.grant(Request.of(2, 10, 10).ready(20).deadline(60));

        var would = new WouldFit(Request.of(9, 10, 10).ready(10).deadline(20).terms(), Request.ADA)
                .ask(cluster.schedule(), 0);

        assertThat(would.deadline()).hasValue(new Change(30, new Effects(1, 10, 10, OptionalInt.of(0))));
    }

    private static Effects delaying(OptionalInt jobs) {
        return new Effects(0, 0, 0, jobs);
    }

    private Offer chosen(Request request) {
        var answer = ((Outcome.Done<Offers, Rejection>) cluster.ask(request.probe(9))).value();
        return answer.offers().stream().filter(Offer::chosen).findFirst().orElseThrow();
    }

    /** Ten PEs: the first job runs until 100, the second one is planned until 150 and the third one until 250. */
    private static LiveCluster busy(AvailabilityMethod method) {
        var busy = LiveCluster.of(SampleCluster.of(10).available(method, "0.5", "0", 3, 50));
        for (long estimate : List.of(100L, 50L, 100L)) {
            busy.happens(new SubmitJob(
                    new JobId(
                            new UUID(7, estimate + busy.schedule().jobs().all().size())),
                    new AccountName("ada"),
                    Optional.empty(),
                    10,
                    estimate));
            busy.happens(new StartJobs());
        }
        return busy;
    }
}
