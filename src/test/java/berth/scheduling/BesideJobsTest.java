package berth.scheduling;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import berth.batch.Impact;
import berth.batch.Impact.Figures;
import berth.batch.JobId;
import berth.batch.PresentWork;
import berth.cluster.AvailabilityMethod;
import berth.cluster.AvailabilityRules;
import berth.cluster.Juggling;
import berth.cluster.ReplanOrder;
import berth.outcome.Outcome;
import berth.reservation.RefusalCode;
import berth.reservation.Reservation;
import berth.scheduling.commands.AdvanceClock;
import berth.scheduling.commands.StartJobs;
import berth.scheduling.commands.SubmitJob;
import berth.scheduling.places.Alternatives;
import berth.scheduling.places.Effects;
import berth.scheduling.places.PlaceSearch;
import berth.scheduling.places.Probe.Offer;
import berth.scheduling.places.Probe.Offers;
import berth.scheduling.places.RatedPlaces;
import berth.scheduling.places.WouldFit;
import berth.scheduling.places.WouldFit.Change;
import berth.sla.AccountName;
import berth.time.Slot;
import java.math.BigDecimal;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/**
 * Reservations beside batch jobs: paper 001, section 4. Ten PEs: one job runs on all of them until second 100, the next has the kept place
 * [100, 150), and one of 100 seconds is planned behind it for [150, 250).
 */
class BesideJobsTest {

    private final Request request = Request.of(9, 10, 50).ready(150).deadline(300);

    private static LiveCluster cluster(AvailabilityMethod method, String least) {
        return busy(SampleCluster.of(10).available(method, "0.5", least, 3, 50));
    }

    private static LiveCluster busy(SampleCluster sample) {
        var cluster = LiveCluster.of(sample);
        submit(cluster, 1, 10, 100);
        submit(cluster, 2, 10, 50);
        submit(cluster, 3, 10, 100);
        return cluster;
    }

    private static void submit(LiveCluster cluster, int number, int pes, long estimate) {
        cluster.happens(
                new SubmitJob(new JobId(new UUID(7, number)), new AccountName("ada"), Optional.empty(), pes, estimate));
        cluster.happens(new StartJobs());
    }

    private static List<Offer> offers(LiveCluster cluster, Request asked) {
        return ((Outcome.Done<Offers, Rejection>) cluster.ask(asked.probe(20)))
                .value()
                .offers();
    }

    private static List<Long> starts(List<Offer> offers) {
        return offers.stream().map(offer -> offer.slot().start()).toList();
    }

    @Test
    void aProbeShowsTheImpactOfEachSlotOnTheJobs() {
        var offers = offers(cluster(AvailabilityMethod.WHAT_IF, "0"), request);

        assertThat(starts(offers)).containsExactly(150L, 200L, 250L);
        var before = new Figures(3, 250, 500 / 3.0);
        assertThat(offers.stream().map(Offer::impact).map(Optional::orElseThrow))
                .containsExactly(
                        new Impact(before, new Figures(3, 300, 550 / 3.0)),
                        new Impact(before, new Figures(3, 350, 600 / 3.0)),
                        new Impact(before, before));
        assertThat(offers.get(0).availability()).isCloseTo((250 / 300.0 + 500 / 550.0) / 2, within(1e-12));
        assertThat(offers.get(1).availability()).isCloseTo((250 / 350.0 + 500 / 600.0) / 2, within(1e-12));
        assertThat(offers.get(2).availability()).isEqualTo(1);
        assertThat(offers.stream().map(Offer::chosen)).containsExactly(true, false, false);
    }

    /** From second 280 a PE is missing: behind a slot at 150 or 200 the third job has no place any more. */
    @Test
    void aSlotThatLeavesAJobWithoutAPlaceRanksLastButIsFree() {
        var narrow = Request.of(9, 9, 50).ready(150).deadline(300);
        var lenient = cluster(AvailabilityMethod.WHAT_IF, "0");
        lenient.lose(LiveCluster.outage(1, 1, 280));

        var offers = offers(lenient, narrow);

        assertThat(starts(offers)).containsExactly(150L, 200L, 250L);
        assertThat(offers.subList(0, 2)).allSatisfy(offer -> {
            assertThat(offer.availability()).isPositive().isLessThan(1e-6);
            // the remaining two jobs would end sooner on average, which cannot be compared with all three
            assertThat(offer.impact()).isEmpty();
        });
        assertThat(offers.getLast().availability()).isEqualTo(1);
        assertThat(offers.getLast().impact()).isPresent();
        assertThat(offers.stream().map(Offer::chosen)).containsExactly(true, false, false);
        assertThat(lenient.grant(narrow).slot().start()).isEqualTo(150);
    }

    @Test
    void ifAvailabilityIsRequiredNoGrantLeavesAJobWithoutAPlace() {
        var narrow = Request.of(9, 9, 50).ready(150).deadline(300);
        var strict = cluster(AvailabilityMethod.WHAT_IF, "0.01");
        strict.lose(LiveCluster.outage(1, 1, 280));

        assertThat(strict.refuse(narrow.deadline(250))).isInstanceOf(Rejection.TooBusy.class);
        assertThat(offers(strict, narrow)).singleElement().returns(true, Offer::chosen);
        assertThat(strict.grant(narrow).slot().start()).isEqualTo(250);
    }

    @Test
    void ifNoJobCanRunEverySlotIsHarmlessAndHasNoImpact() {
        var cluster = LiveCluster.of(SampleCluster.of(10).available(AvailabilityMethod.WHAT_IF, "0.5", "1", 3, 50));
        cluster.lose(LiveCluster.outage(1, 1, 0));
        submit(cluster, 1, 10, 100);

        assertThat(offers(cluster, Request.of(9, 9, 50))).isNotEmpty().allSatisfy(offer -> {
            assertThat(offer.availability()).isEqualTo(1);
            assertThat(offer.impact()).isEmpty();
        });
    }

    @Test
    void theClusterSetsTheWeightOfTheMakespan() {
        var offers = offers(busy(SampleCluster.of(10).available(AvailabilityMethod.WHAT_IF, "1", "0", 3, 50)), request);

        assertThat(offers.getFirst().availability()).isCloseTo(250 / 300.0, within(1e-12));
    }

    @Test
    void onlySlotsFreeBesideRunsAndTheFirstWaitingJobAreOffered() {
        var cluster = cluster(AvailabilityMethod.WHAT_IF, "0");
        cluster.grant(Request.of(1, 1, 50).start(250));

        assertThat(starts(offers(cluster, request.ready(100).deadline(350)))).containsExactly(150L, 175L, 300L);
    }

    @Test
    void theSlotsIncludePlacesBesideWaitingJobs() {
        var cluster = LiveCluster.of(SampleCluster.of(10).available(AvailabilityMethod.WHAT_IF, "0.5", "0", 2, 1));
        submit(cluster, 1, 10, 30);
        submit(cluster, 2, 6, 50);
        var narrow = Request.of(9, 4, 50).deadline(400);

        // beside the second job; a probe adds the policy's choice
        assertThat(considered(cluster, narrow.ready(10))).containsExactly(30L, 80L);
        assertThat(considered(cluster, narrow.ready(40))).containsExactly(40L, 80L);
    }

    private static List<Long> considered(LiveCluster cluster, Request asked) {
        var opening = (Outcome.Done<PlaceSearch, Rejection>)
                PlaceSearch.open(cluster.schedule(), asked.terms(), Request.ADA, cluster.now());
        return RatedPlaces.of(cluster.schedule(), opening.value(), cluster.now()).rated().stream()
                .map(rated -> rated.place().start())
                .toList();
    }

    @Test
    void oneSlotBehindThePlanIsConsideredIfTheWindowReachesBeyondIt() {
        var cluster = cluster(AvailabilityMethod.WHAT_IF, "0");

        // the horizon lies at 1,000
        assertThat(starts(offers(cluster, Request.of(9, 10, 50)))).containsExactly(150L, 250L);
        assertThat(starts(offers(cluster, Request.of(9, 10, 50).ready(150)))).containsExactly(150L, 200L, 250L);
        assertThat(starts(offers(cluster, Request.of(9, 10, 50).ready(400)))).containsExactly(400L);
        cluster.grant(Request.of(1, 1, 100).start(250));
        assertThat(starts(offers(cluster, Request.of(9, 10, 50).ready(150)))).containsExactly(150L, 200L, 350L);
        assertThat(offers(cluster, Request.of(9, 10, 50).ready(150)).getLast())
                .returns(1.0, Offer::availability)
                .extracting(offer -> offer.impact().orElseThrow())
                .satisfies(impact -> assertThat(impact.after()).isEqualTo(impact.before()));
    }

    @Test
    void alternativesLieAroundRunningAndPlannedJobs() {
        var asked = Request.of(9, 10, 50).ready(100).deadline(150);
        var cluster = cluster(AvailabilityMethod.WHAT_IF, "0");

        assertThat(cluster.refuse(asked)).isEqualTo(new Rejection.NoSlot());
        var found = alternatives(cluster, asked);
        // behind the head of the queue, where the other job is delayed; and behind all jobs
        assertThat(found).extracting(one -> one.offer().slot().start()).containsExactly(150L, 250L);
        var before = new Figures(3, 250, 500 / 3.0);
        assertThat(found.getFirst().offer().availability()).isCloseTo((250 / 300.0 + 500 / 550.0) / 2, within(1e-12));
        assertThat(found.getFirst().offer().impact()).contains(new Impact(before, new Figures(3, 300, 550 / 3.0)));
        assertThat(found.getLast().offer().availability()).isEqualTo(1);
        assertThat(found.getLast().offer().impact()).contains(new Impact(before, before));
        assertThat(starts(cluster(AvailabilityMethod.WHAT_IF, "0.87"), asked)).containsExactly(150L, 250L);
        assertThat(starts(cluster(AvailabilityMethod.WHAT_IF, "0.88"), asked)).containsExactly(250L);
    }

    @Test
    void alternativesLieWhereTheClusterIsNotTooBusy() {
        var asked = request.deadline(200);
        var cluster = cluster(AvailabilityMethod.WHAT_IF, "0.88");

        assertThat(cluster.refuse(asked)).isInstanceOf(Rejection.TooBusy.class);
        assertThat(starts(cluster, asked)).containsExactly(250L);
        assertThat(new WouldFit(asked.terms(), Request.ADA)
                        .ask(cluster.schedule(), 0)
                        .deadline())
                .hasValue(new Change(300, Effects.NONE));
        assertThat(new WouldFit(asked.terms(), Request.ADA)
                        .ask(cluster.schedule().whereAnySlotIsAvailableEnough(), 0)
                        .deadline()
                        .orElseThrow()
                        .figure())
                .isEqualTo(201);
    }

    @Test
    void byLoadAlternativesLieAfterThePresentWork() {
        var cluster = LiveCluster.of(SampleCluster.of(10).available(AvailabilityMethod.LOAD, "0.5", "0", 3, 50));
        submit(cluster, 1, 4, 100);
        var asked = Request.of(9, 5, 10).deadline(10);

        assertThat(cluster.refuse(asked)).isInstanceOf(Rejection.TooBusy.class);
        // 400 PE-seconds, half of them on ten PEs; and when the job ends
        assertThat(starts(cluster, asked)).containsExactly(20L, 100L);
        assertThat(alternatives(cluster, asked)).allSatisfy(one -> {
            assertThat(one.offer().availability()).isEqualTo(1);
            assertThat(one.offer().impact()).isEmpty();
        });
    }

    private static List<Alternatives.Alternative> alternatives(LiveCluster cluster, Request asked) {
        return new Alternatives(asked.terms(), Request.ADA, new BigDecimal("20"), 20)
                .ask(cluster.schedule(), 0)
                .found();
    }

    private static List<Long> starts(LiveCluster cluster, Request asked) {
        return alternatives(cluster, asked).stream()
                .map(one -> one.offer().slot().start())
                .toList();
    }

    @Test
    void theAlternativesOfARejectionMatchProbesAndAreGranted() {
        int alternatives = 0;
        int figures = 0;
        for (int seed = 0; seed < 600; seed++) {
            var random = new Random(seed);
            var least = List.of("0", "0.9", "0.97", "1").get(random.nextInt(4));
            var method = random.nextInt(4) == 0 ? AvailabilityMethod.LOAD : AvailabilityMethod.WHAT_IF;
            var cluster = LiveCluster.of(SampleCluster.of(8)
                    .available(method, "0.5", least, 6, 5)
                    .juggling(Juggling.values()[random.nextInt(3)], ReplanOrder.EARLIEST_DEADLINE_FIRST));
            fill(cluster, random);
            long ready = random.nextInt(40);
            long duration = 1 + random.nextInt(20);
            var asked = Request.of(99, 1 + random.nextInt(8), duration)
                    .ready(ready)
                    .deadline(ready + duration + random.nextInt(3));
            if (!cluster.schedule().jobs().isEmpty()
                    && asked.reserve().decide(new Basis(cluster.schedule(), 0)) instanceof Decision.Rejected) {
                try {
                    alternatives += Remedy.areAsAProbeSaysAndGranted(cluster.schedule(), asked.terms(), 20, 0);
                    figures += Remedy.wouldFit(cluster.schedule(), asked.terms(), 0);
                } catch (AssertionError e) {
                    throw new AssertionError("seed " + seed, e);
                }
            }
        }
        assertThat(alternatives).isGreaterThan(500);
        assertThat(figures).isGreaterThan(100);
    }

    @Test
    void theSlotsLieEvenlyOverTheWindowAndNotTooClose() {
        var rules = new AvailabilityRules(AvailabilityMethod.WHAT_IF, BigDecimal.ONE, BigDecimal.ZERO, 4, 10);

        assertThat(RatedPlaces.starts(5, 105, rules.maxSlots(), rules.minSlotGap()))
                .containsExactly(5L, 38L, 71L, 105L);
        assertThat(RatedPlaces.starts(5, 34, rules.maxSlots(), rules.minSlotGap()))
                .containsExactly(5L, 19L, 34L);
        assertThat(RatedPlaces.starts(5, 15, rules.maxSlots(), rules.minSlotGap()))
                .containsExactly(5L, 15L);
        assertThat(RatedPlaces.starts(5, 14, rules.maxSlots(), rules.minSlotGap()))
                .containsExactly(5L);
        assertThat(RatedPlaces.starts(5, 5, rules.maxSlots(), rules.minSlotGap()))
                .containsExactly(5L);
        long far = Long.MAX_VALUE / 2;
        assertThat(RatedPlaces.starts(0, far, rules.maxSlots(), rules.minSlotGap()))
                .containsExactly(0L, far / 3, far / 3 * 2 + far % 3 * 2 / 3, far);
    }

    @Test
    void aReservationWithFreedomGetsTheMostAvailablePlace() {
        assertThat(cluster(AvailabilityMethod.WHAT_IF, "0").grant(request).slot())
                .isEqualTo(new Slot(150, 200));
        for (var least : List.of("0.01", "0.87", "1")) {
            assertThat(cluster(AvailabilityMethod.WHAT_IF, least).grant(request).slot())
                    .as("at least %s", least)
                    .isEqualTo(new Slot(250, 300));
        }
    }

    @Test
    void amongEquallyAvailablePlacesTheEarliestIsGranted() {
        assertThat(cluster(AvailabilityMethod.WHAT_IF, "0.5")
                        .grant(request.ready(260).deadline(500))
                        .slot()
                        .start())
                .isEqualTo(260);
    }

    @Test
    void aReservationWithoutFreedomGetsTheFirstPlaceThatIsAvailableEnough() {
        var strict = Request.of(9, 10, 50).ready(150).noDeadline();

        assertThat(cluster(AvailabilityMethod.WHAT_IF, "0").grant(strict).slot().start())
                .isEqualTo(150);
        assertThat(cluster(AvailabilityMethod.WHAT_IF, "0.87")
                        .grant(strict)
                        .slot()
                        .start())
                .isEqualTo(150);
        assertThat(cluster(AvailabilityMethod.WHAT_IF, "0.88")
                        .grant(strict)
                        .slot()
                        .start())
                .isEqualTo(250);
    }

    @Test
    void aPlaceThatIsChosenByItsStartOnlyHasToBeAvailableEnough() {
        assertThat(cluster(AvailabilityMethod.WHAT_IF, "0.87")
                        .grant(request.start(150))
                        .slot()
                        .start())
                .isEqualTo(150);
    }

    @Test
    void withoutWaitingJobsThePlaceIsThatOfThePolicy() {
        var running = LiveCluster.of(SampleCluster.of(10).available(AvailabilityMethod.WHAT_IF, "0.5", "0.95", 3, 50));
        submit(running, 1, 10, 100);

        assertThat(running.grant(request).slot().start()).isEqualTo(150);
    }

    @Test
    void aReservationGetsThePlaceThatAProbeMarksAsChosen() {
        for (var least : List.of("0", "0.5", "0.86", "0.88", "1")) {
            for (var asked : List.of(
                    request, request.budget("40.00"), request.shapes("10:50 5:90"), request.split(2, "0.5", false))) {
                for (var juggling : Juggling.values()) {
                    var cluster = busy(SampleCluster.of(10)
                            .available(AvailabilityMethod.WHAT_IF, "0.5", least, 3, 50)
                            .juggling(juggling, ReplanOrder.EARLIEST_DEADLINE_FIRST));
                    cluster.happens(
                            Request.of(1, 2, 40).ready(150).deadline(900).reserve());
                    if (cluster.ask(asked.probe(20)) instanceof Outcome.NotDone(var why)) {
                        assertThat(cluster.refuse(asked.reserve())).isEqualTo(why);
                        continue;
                    }
                    var chosen = offers(cluster, asked).stream()
                            .filter(Offer::chosen)
                            .toList();

                    assertThat(chosen).hasSize(1);
                    var events = cluster.happens(asked.reserve());
                    var granted = ((Event.ReservationEvent) events.getLast()).reservation();
                    assertThat(granted.parts()).isEqualTo(chosen.getFirst().parts());
                    assertThat(granted.price()).isEqualTo(chosen.getFirst().price());
                }
            }
        }
    }

    @Test
    void aChosenStartMustBeAvailableEnough() {
        var cluster = cluster(AvailabilityMethod.WHAT_IF, "0.9");

        assertThat(cluster.refuse(request.start(150))).isInstanceOfSatisfying(Rejection.TooBusy.class, why -> {
            assertThat(why.availability()).isCloseTo((250 / 300.0 + 500 / 550.0) / 2, within(1e-12));
            assertThat(why.least()).isEqualByComparingTo("0.9");
            assertThat(why.code()).isEqualTo(RefusalCode.NO_SLOT);
        });
        assertThat(cluster.grant(request.start(250)).slot()).isEqualTo(new Slot(250, 300));
    }

    @Test
    void aHoldDoesNotGetASlotThatBeginsAtOnce() {
        var cluster = LiveCluster.of(SampleCluster.of(10).available(AvailabilityMethod.WHAT_IF, "0.5", "1", 5, 25));
        submit(cluster, 1, 8, 100);
        submit(cluster, 2, 5, 100);
        submit(cluster, 3, 2, 101);

        var held = cluster.grant(Request.of(9, 2, 50).deadline(300).hold(10).reserve());

        assertThat(held.slot().start()).isPositive();
    }

    @Test
    void aRequestWithoutChoiceIsComparedWithWaitingItsTurn() {
        var cluster = cluster(AvailabilityMethod.WHAT_IF, "0.88");

        assertThat(cluster.refuse(request.deadline(200)))
                .isInstanceOfSatisfying(
                        Rejection.TooBusy.class,
                        why -> assertThat(why.availability())
                                .isCloseTo((250 / 300.0 + 500 / 550.0) / 2, within(1e-12)));
        assertThat(cluster(AvailabilityMethod.WHAT_IF, "0.87")
                        .grant(request.deadline(200))
                        .slot())
                .isEqualTo(new Slot(150, 200));
    }

    @Test
    void aSlotIsRefusedWhereTheClusterIsTooBusy() {
        // whichever slot it is, another one is better in one of the figures
        var cluster = LiveCluster.of(SampleCluster.of(10).available(AvailabilityMethod.WHAT_IF, "0.5", "1", 2, 50));
        submit(cluster, 1, 10, 100);
        submit(cluster, 2, 1, 10);
        submit(cluster, 3, 9, 30);
        submit(cluster, 4, 6, 200);
        submit(cluster, 5, 10, 10);
        var asked = Request.of(9, 5, 60).ready(110).deadline(260);

        // at 110 the third job must wait; at 200 the fourth must, but the fifth runs before it; if the request waits
        // its turn, everything
        // has ended at 340
        var refused = cluster.refuse(asked);
        assertThat(refused)
                .isInstanceOfSatisfying(
                        Rejection.TooBusy.class,
                        why -> assertThat(why.availability()).isCloseTo((340 / 460.0 + 1) / 2, within(1e-12)));
        assertThat(cluster.ask(asked.probe(20))).isEqualTo(new Outcome.NotDone<>(refused));
        assertThat(cluster.refuse(asked.start(110)))
                .isInstanceOfSatisfying(
                        Rejection.TooBusy.class,
                        why -> assertThat(why.availability())
                                .isCloseTo((340 / 410.0 + 188 / 244.0) / 2, within(1e-12)));
    }

    @Test
    void aLimitedProbeOffersTheMostAvailableSlotsAndTheChosenOne() {
        var cluster = cluster(AvailabilityMethod.WHAT_IF, "0");

        var two = ((Outcome.Done<Offers, Rejection>) cluster.ask(request.probe(2))).value();
        assertThat(starts(two.offers())).containsExactly(150L, 250L);
        assertThat(two.truncated()).isTrue();
        var one = ((Outcome.Done<Offers, Rejection>) cluster.ask(request.probe(1))).value();
        assertThat(starts(one.offers())).containsExactly(150L);
        assertThat(((Outcome.Done<Offers, Rejection>) cluster.ask(request.probe(3)))
                        .value()
                        .truncated())
                .isFalse();
    }

    @Test
    void thePlanOfASlotMovesTheReservationsThatMakeRoomForIt() {
        var cluster = busy(SampleCluster.of(10)
                .available(AvailabilityMethod.WHAT_IF, "0.5", "0", 2, 1_000)
                .juggling(Juggling.ON_CONFLICT, ReplanOrder.EARLIEST_DEADLINE_FIRST));
        cluster.grant(Request.of(1, 10, 100).ready(150).deadline(900));

        // it was in front of the third job, which now starts after the newcomer and the one that moved
        var chosen = offers(cluster, request.deadline(200)).getFirst();

        assertThat(chosen.slot()).isEqualTo(new Slot(150, 200));
        assertThat(chosen.impact())
                .contains(new Impact(new Figures(3, 350, 600 / 3.0), new Figures(3, 400, 650 / 3.0)));
    }

    @Test
    void byLoadNothingBeginsBeforeHalfOfThePresentWorkIsDone() {
        // 10 x 250 PE-seconds, half of them on ten PEs
        var cluster = LiveCluster.of(SampleCluster.of(10).available(AvailabilityMethod.LOAD, "0.5", "0", 3, 50));
        submit(cluster, 1, 5, 100);
        submit(cluster, 2, 10, 200);
        var asked = Request.of(9, 5, 10);

        assertThat(PresentWork.end(cluster.schedule().jobs(), List.of(), 10, 0)).isEqualTo(125);
        assertThat(cluster.refuse(asked.start(20))).isEqualTo(new Rejection.TooBusy(0, BigDecimal.ZERO));
        assertThat(cluster.refuse(asked.deadline(134))).isEqualTo(new Rejection.TooBusy(0, BigDecimal.ZERO));
        assertThat(cluster.ask(asked.deadline(134).probe(3)))
                .isEqualTo(new Outcome.NotDone<>(new Rejection.TooBusy(0, BigDecimal.ZERO)));
        assertThat(cluster.refuse(asked.deadline(150))).isEqualTo(new Rejection.NoSlot());
        var offers = offers(cluster, asked.ready(1).deadline(611));
        assertThat(starts(offers)).containsExactly(300L, 301L, 601L);
        assertThat(offers).allSatisfy(offer -> {
            assertThat(offer.availability()).isEqualTo(1);
            assertThat(offer.impact()).isEmpty();
        });
        assertThat(cluster.grant(asked).slot()).isEqualTo(new Slot(300, 310));
    }

    @Test
    void reservationsThatBeginBeforeTheWorkIsDoneProlongIt() {
        var cluster = LiveCluster.of(10);
        submit(cluster, 1, 5, 120);
        cluster.grant(Request.of(1, 1, 41));
        cluster.grant(Request.of(2, 4, 20).start(30));
        cluster.grant(Request.of(3, 4, 10).start(55));
        cluster.happens(new AdvanceClock(9));

        cluster.at(20);
        // 500 PE-seconds are left, half of them take 25 s; reservations take 2.1 s, 8 s and, beginning at 55, 4 s
        // more
        assertThat(end(cluster)).isEqualTo(60);
        cluster.grant(Request.of(4, 1, 10).start(65));
        assertThat(end(cluster)).isEqualTo(60);
        cluster.grant(Request.of(5, 1, 10).start(59));
        assertThat(end(cluster)).isEqualTo(61);
    }

    private static long end(LiveCluster cluster) {
        var schedule = cluster.schedule();
        return PresentWork.end(schedule.jobs(), schedule.reservations(), 10, 20);
    }

    @Test
    void withoutJobsEverySlotIsAvailable() {
        for (var method : AvailabilityMethod.values()) {
            var cluster = LiveCluster.of(SampleCluster.of(10).available(method, "0.5", "1", 3, 50));
            cluster.grant(Request.of(1, 9, 100));

            var offers = offers(cluster, Request.of(9, 10, 50));

            assertThat(starts(offers)).containsExactly(100L, 475L, 950L);
            assertThat(offers).allSatisfy(offer -> {
                assertThat(offer.availability()).isEqualTo(1);
                assertThat(offer.impact()).isEmpty();
            });
            assertThat(cluster.grant(Request.of(9, 10, 50)).slot().start()).isEqualTo(100);
        }
    }

    @Test
    void aRenegotiationNeedsNoAvailability() {
        var cluster = LiveCluster.of(SampleCluster.of(10).available(AvailabilityMethod.LOAD, "0.5", "1", 3, 50));
        Reservation agreed = cluster.grant(Request.of(1, 1, 10).atAnyTime().start(10));
        submit(cluster, 1, 10, 400);

        assertThat(agreed.slot().start()).isEqualTo(10);
        var longer =
                cluster.happens(Request.like(agreed).duration(20).deadline(60).renegotiate());
        assertThat(longer).isNotEmpty();
    }

    @Test
    void theImpactOfASlotMatchesThePlanAfterItsReservation() {
        var random = new Random(31);
        int compared = 0;
        for (int run = 0; run < 300; run++) {
            var cluster = LiveCluster.of(SampleCluster.of(8)
                    .available(AvailabilityMethod.WHAT_IF, "0.5", random.nextBoolean() ? "0.9" : "0", 6, 5)
                    .juggling(
                            Juggling.values()[random.nextInt(Juggling.values().length)],
                            ReplanOrder.EARLIEST_DEADLINE_FIRST));
            fill(cluster, random);
            var asked = Request.of(99, 1 + random.nextInt(8), 1 + random.nextInt(20))
                    .ready(random.nextInt(30))
                    .deadline(60 + random.nextInt(60));
            if (cluster.schedule().jobs().isEmpty()
                    || !(cluster.ask(asked.probe(20)) instanceof Outcome.Done(Offers(var offers, var _)))) {
                continue;
            }
            // if others always move, they do so for a chosen start too
            var juggling = cluster.schedule().cluster().policy().juggling();
            for (var offer : offers) {
                if (offer.chosen() || juggling != Juggling.ALWAYS) {
                    compared++;
                    var command =
                            offer.chosen() ? asked : asked.start(offer.slot().start());
                    var next = ((Decision.Accepted) command.reserve().decide(new Basis(cluster.schedule(), 0))).next();
                    assertThat(next.find(Request.id(99)).orElseThrow().parts()).isEqualTo(offer.parts());
                    assertThat(next.plans(0).original().figures(0))
                            .isEqualTo(offer.impact().orElseThrow().after());
                }
            }
        }
        assertThat(compared).isGreaterThan(500);
    }

    private static void fill(LiveCluster cluster, Random random) {
        for (int number = 1; number < 12; number++) {
            int pes = 1 + random.nextInt(8);
            long duration = 1 + random.nextInt(20);
            if (random.nextInt(4) > 0) {
                submit(cluster, number, pes, duration);
            } else {
                long ready = random.nextInt(50);
                cluster.tries(Request.of(number, pes, duration)
                        .ready(ready)
                        .deadline(ready + 80)
                        .reserve());
            }
        }
    }

    @Test
    void thePlansOfAScheduleAreMadeOnceAsLongAsTheyHold() {
        var schedule = cluster(AvailabilityMethod.WHAT_IF, "0").schedule();

        var plan = schedule.plans(0).original();

        assertThat(schedule.plans(20).original()).isSameAs(plan);
        assertThat(schedule.whereNobodyMoves().plans(20).original()).isSameAs(plan);
        assertThat(schedule.plans(20).original().figures(20)).isEqualTo(new Figures(3, 230, 500 / 3.0));
        assertThat(schedule.plans(100).original()).isNotSameAs(plan);
    }
}
