package berth.scheduling.places;

import static berth.scheduling.Request.usd;
import static org.assertj.core.api.Assertions.assertThat;

import berth.cluster.AvailabilityMethod;
import berth.outcome.Outcome;
import berth.scheduling.LiveCluster;
import berth.scheduling.Rejection;
import berth.scheduling.Request;
import berth.scheduling.SampleCluster;
import berth.scheduling.commands.Cancel;
import berth.scheduling.places.Probe.Offer;
import berth.scheduling.places.Probe.Offers;
import berth.sla.Money;
import berth.sla.Part;
import berth.time.Slot;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Ten PEs for ten seconds, which cost 0.50 USD after ten seconds of waiting; the gaps begin at 0, 20 and 40. */
class ProbeTest {

    private final LiveCluster cluster = offeringGaps(10);
    private final Request request = Request.of(9, 10, 10).atAnyTime();

    ProbeTest() {
        cluster.grant(Request.of(1, 1, 5).start(15));
        cluster.grant(Request.of(2, 1, 5).start(35));
    }

    /** Returns a cluster whose probes offer gaps, and no more places in them than the earliest. */
    private static LiveCluster offeringGaps(int pes) {
        return LiveCluster.of(SampleCluster.of(pes).available(AvailabilityMethod.WHAT_IF, "0.5", "0", 1, 1));
    }

    @Test
    void offersTheEarliestPlaceInEveryGap() {
        assertThat(cluster.ask(request.probe(9)))
                .isEqualTo(new Outcome.Done<>(new Offers(
                        List.of(
                                offer(0, "1.00", true, true),
                                offer(20, "0.50", true, false),
                                offer(40, "0.50", true, false)),
                        false)));
    }

    @Test
    void offersPlacesAtTheFullPriceWithoutFreedom() {
        var offers = offers(request.noDeadline(), 9).offers();

        assertThat(offers).extracting(Offer::price).containsExactly(FULL, FULL, FULL);
        assertThat(offers).extracting(Offer::chosen).containsExactly(true, false, false);
    }

    @Test
    void saysThatThereAreMoreSlotsThanRequested() {
        assertThat(cluster.ask(request.probe(2)))
                .isEqualTo(new Outcome.Done<>(
                        new Offers(List.of(offer(0, "1.00", true, true), offer(20, "0.50", true, false)), true)));
        assertThat(offers(request, 3).truncated()).isFalse();
    }

    @Test
    void marksAffordableSlotsAndThePlaceThatABudgetLeadsTo() {
        assertThat(cluster.ask(request.budget("0.80").probe(9)))
                .isEqualTo(new Outcome.Done<>(new Offers(
                        List.of(
                                offer(0, "1.00", false, false),
                                offer(4, "0.80", true, true),
                                offer(20, "0.50", true, false),
                                offer(40, "0.50", true, false)),
                        false)));
    }

    @Test
    void namesTheChosenPlaceEvenIfOnlyOneIsAskedFor() {
        assertThat(cluster.ask(request.budget("0.80").probe(1)))
                .isEqualTo(new Outcome.Done<>(new Offers(List.of(offer(4, "0.80", true, true)), true)));
        assertThat(cluster.ask(request.budget("0.60").probe(1)))
                .isEqualTo(new Outcome.Done<>(new Offers(List.of(offer(20, "0.50", true, true)), true)));
    }

    @Test
    void saysThatThereAreMoreIfTheChosenPlaceTookTheRoomOfAGap() {
        assertThat(cluster.ask(request.budget("0.80").deadline(34).probe(2)))
                .isEqualTo(new Outcome.Done<>(
                        new Offers(List.of(offer(0, "1.00", false, false), offer(4, "0.80", true, true)), true)));
    }

    @Test
    void offersSlotsOverBudgetButChoosesNone() {
        assertThat(cluster.ask(request.budget("0.49").deadline(30).probe(9)))
                .isEqualTo(new Outcome.Done<>(
                        new Offers(List.of(offer(0, "1.00", false, false), offer(20, "0.50", false, false)), false)));
    }

    @Test
    void marksThePlaceThatAReservationGets() {
        for (var asked : List.of(request, request.ready(6), request.budget("0.80"), request.budget("0.51"))) {
            var chosen =
                    offers(asked, 9).offers().stream().filter(Offer::chosen).toList();

            var reserved = cluster.grant(asked);
            assertThat(chosen)
                    .containsExactly(new Offer(
                            reserved.parts(),
                            reserved.price(),
                            FULL,
                            true,
                            true,
                            1,
                            Optional.empty(),
                            List.of(),
                            Effects.NONE));
            cluster.grant(new Cancel(Request.target(9)));
        }
    }

    @Test
    void namesThePriceOfASlotThatIsHeldFirst() {
        for (long seconds : List.of(1L, 7L, 15L)) {
            var held = request.hold(seconds);
            var offered = offers(held, 9).offers().stream()
                    .filter(offer -> offer.slot().start() > 0)
                    .toList();

            assertThat(offered)
                    .hasSizeGreaterThan(1)
                    .isNotEqualTo(offers(request, 9).offers().stream()
                            .filter(offer -> offer.slot().start() > 0)
                            .toList());
            for (var offer : offered) {
                var reserved = cluster.grant(held.start(offer.slot().start()));
                assertThat(reserved.price()).isEqualTo(offer.price());
                cluster.grant(new Cancel(Request.target(9)));
            }
        }
    }

    @Test
    void changesNothing() {
        var before = List.copyOf(cluster.schedule().reservations());
        var profile = cluster.schedule().profile().steps(new Slot(0, 2_000));

        cluster.ask(request.budget("0.80").probe(9));

        assertThat(cluster.schedule().reservations()).containsExactlyInAnyOrderElementsOf(before);
        assertThat(cluster.schedule().profile().steps(new Slot(0, 2_000))).isEqualTo(profile);
        assertThat(cluster.ask(request.probe(9))).isEqualTo(cluster.ask(request.probe(9)));
    }

    @Test
    void saysWhyNothingFits() {
        assertThat(cluster.ask(Request.of(9, 11, 10).probe(9)))
                .isEqualTo(new Outcome.NotDone<>(cluster.refuse(Request.of(9, 11, 10))));
        assertThat(cluster.ask(request.ready(6).deadline(24).probe(9)))
                .isEqualTo(new Outcome.NotDone<>(new Rejection.NoSlot()));
        assertThat(cluster.ask(request.deadline(9).probe(9)))
                .isEqualTo(new Outcome.NotDone<>(cluster.refuse(request.deadline(9))));
    }

    @Test
    void offersTheLargestShapeThatFitsAtTheBeginningOfEachGap() {
        var eight = offeringGaps(8);
        eight.grant(Request.of(1, 4, 100));
        eight.grant(Request.of(2, 2, 10).start(60));

        assertThat(starts(eight, Request.of(9, 1, 1).shapes("8:20 4:40 2:90")))
                .containsExactly("[0,40) on 4, chosen", "[70,110) on 4", "[100,120) on 8");
    }

    @Test
    void showsThePartsOfARunThatMayBeSplit() {
        var four = offeringGaps(4);
        four.grant(Request.of(1, 1, 10).start(10));
        four.grant(Request.of(2, 1, 10).start(35));

        assertThat(starts(four, Request.of(9, 4, 20).split(2, "0.5", false)))
                .containsExactly("[0,10) on 4 [20,30) on 4, chosen", "[20,30) on 4 [45,55) on 4", "[45,65) on 4");
        assertThat(starts(four, Request.of(9, 4, 20).split(2, "0.5", false).deadline(54)))
                .containsExactly("[0,10) on 4 [20,30) on 4, chosen");
    }

    @Test
    void offersOnlyWhatAReservationWithThatStartGets() {
        var four = offeringGaps(4);
        four.grant(Request.of(1, 1, 10).start(10));
        four.grant(Request.of(2, 2, 10).start(35));
        for (var asked : List.of(
                Request.of(9, 1, 1).shapes("4:20 3:25 2:41"),
                Request.of(9, 1, 1).shapes("4:20 2:38").split(3, "0.25", true),
                Request.of(9, 4, 20).split(4, "0.25", false))) {
            var answer = ((Outcome.Done<Offers, Rejection>) four.ask(asked.probe(20))).value();
            assertThat(answer.offers()).hasSizeGreaterThan(1);
            for (var offered : answer.offers()) {
                var reserved = four.grant(asked.start(offered.slot().start()));
                assertThat(reserved.parts()).isEqualTo(offered.parts());
                assertThat(reserved.price()).isEqualTo(offered.price());
                four.grant(new Cancel(Request.target(9)));
            }
        }
    }

    private static List<String> starts(LiveCluster cluster, Request asked) {
        return ((Outcome.Done<Offers, Rejection>) cluster.ask(asked.probe(20)))
                .value().offers().stream()
                        .map(offer -> String.join(
                                        " ",
                                        offer.parts().stream()
                                                .map(part -> "[%d,%d) on %d"
                                                        .formatted(
                                                                part.slot().start(),
                                                                part.slot().end(),
                                                                part.pes()))
                                                .toList())
                                + (offer.chosen() ? ", chosen" : ""))
                        .toList();
    }

    private Offers offers(Request asked, int limit) {
        var answer = cluster.ask(asked.probe(limit));
        assertThat(answer).isInstanceOf(Outcome.Done.class);
        return ((Outcome.Done<Offers, Rejection>) answer).value();
    }

    /** Ten PEs for ten seconds. */
    private static final Money FULL = usd("1.00");

    private static Offer offer(long start, String price, boolean withinBudget, boolean chosen) {
        return new Offer(
                List.of(Part.whole(Slot.of(start, 10), 10)),
                usd(price),
                FULL,
                withinBudget,
                chosen,
                1,
                Optional.empty(),
                List.of(),
                Effects.NONE);
    }
}
