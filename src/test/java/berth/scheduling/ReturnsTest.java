package berth.scheduling;

import static berth.scheduling.LiveCluster.outage;
import static berth.scheduling.Request.id;
import static berth.scheduling.Request.target;
import static berth.scheduling.Request.usd;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import berth.availability.PeSet;
import berth.budget.Dues;
import berth.cluster.Binding;
import berth.cluster.EnforcementRule;
import berth.pricing.LoadStep;
import berth.pricing.Tariff;
import berth.reservation.Reservation;
import berth.reservation.ReservationState;
import berth.scheduling.commands.Cancel;
import berth.scheduling.commands.Complete;
import berth.scheduling.commands.TellEnforcement;
import berth.sla.Mobility;
import berth.sla.Money;
import berth.sla.Part;
import berth.time.Slot;
import java.math.BigDecimal;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Random;
import org.junit.jupiter.api.Test;

class ReturnsTest {

    private static final Tariff HALF = SampleCluster.tariff(SampleCluster.CENT_PER_SECOND, "0.5", OptionalLong.empty());
    private static final Tariff ALL = SampleCluster.tariff(SampleCluster.CENT_PER_SECOND, "1", OptionalLong.empty());

    private final LiveCluster cluster = LiveCluster.of(SampleCluster.of(8).tariff(HALF));

    private Reservation running(LiveCluster on) {
        on.grant(Request.of(1, 8, 100).deadline(100));
        on.advance();
        return on.latest(1);
    }

    private static Request now(LiveCluster on) {
        return Request.like(on.find(id(1)));
    }

    @Test
    void anEarlyEndReducesThePriceByTheShareOfTheRest() {
        running(cluster);

        var completed = cluster.at(25).grant(new Complete(target(1)));

        assertThat(completed.price()).isEqualTo(usd("5.00"));
        assertThat(Dues.of(completed).charged().money()).isEqualTo(usd("5.00"));
        assertThat(Dues.of(completed).charged().peSeconds()).isEqualTo(500);
    }

    @Test
    void cancellingARunCostsAsMuchAsEndingIt() {
        running(cluster);

        assertThat(cluster.at(25).grant(new Cancel(target(1))).price()).isEqualTo(usd("5.00"));
    }

    @Test
    void aRunCanBeShorterForLess() {
        running(cluster);

        var shorter = cluster.at(25).grant(now(cluster).duration(50).renegotiate());

        assertThat(shorter.slot()).isEqualTo(new Slot(0, 50));
        assertThat(shorter.price()).isEqualTo(usd("6.00"));
        assertThat(Dues.of(shorter).held().peSeconds()).isEqualTo(600);
        cluster.at(50).advance();
        assertThat(cluster.latest(1).price()).isEqualTo(usd("6.00"));
        assertThat(Dues.of(cluster.latest(1)).charged().peSeconds()).isEqualTo(600);
    }

    @Test
    void aRunCanGoOnWithFewerPes() {
        running(cluster);

        var smaller = cluster.at(25).grant(now(cluster).pes(2).renegotiate());

        assertThat(smaller.terms().pes()).isEqualTo(2);
        assertThat(smaller.placement().pesNow()).isEqualTo(PeSet.range(0, 2));
        assertThat(smaller.occupied())
                .extracting(Part::slot, Part::pes)
                .containsExactly(tuple(new Slot(0, 25), 8), tuple(new Slot(25, 100), 2));
        assertThat(smaller.placement().work()).isEqualTo(200 + 150);
        assertThat(smaller.price()).isEqualTo(usd("5.75"));
        assertThat(cluster.schedule().profile().free(25)).isEqualTo(6);
        assertThat(cluster.grant(Request.of(2, 6, 75)).slot()).isEqualTo(new Slot(25, 100));
        cluster.at(100).advance();
        assertThat(cluster.latest(1).state()).isEqualTo(ReservationState.COMPLETED);
        assertThat(cluster.latest(1).price()).isEqualTo(usd("5.75"));
        assertThat(Dues.of(cluster.latest(1)).charged().peSeconds()).isEqualTo(575);
    }

    @Test
    void returningInManyStepsSavesNoMoreThanAtOnce() {
        running(cluster);
        for (int pes = 7; pes >= 2; pes--) {
            cluster.at(25).grant(now(cluster).pes(pes).renegotiate());
        }
        for (int end = 90; end >= 30; end -= 20) {
            cluster.grant(now(cluster).duration(end).renegotiate());
        }

        // 8 PEs for 25 seconds and 2 for 5 of 800 PE-seconds are kept; each step is rounded up
        assertThat(cluster.latest(1).price().amount()).isBetween(new BigDecimal("5.05"), new BigDecimal("5.15"));
    }

    @Test
    void aTariffWithoutAShareOwesEverything() {
        var cluster = LiveCluster.of(SampleCluster.of(8));
        running(cluster);

        var smaller = cluster.at(25).grant(now(cluster).pes(2).duration(50).renegotiate());

        assertThat(smaller.price()).isEqualTo(usd("8.00"));
        assertThat(Dues.of(smaller).held().peSeconds()).isEqualTo(800);
    }

    @Test
    void fewerPesForLongerCostTheAddedWork() {
        running(cluster);
        cluster.grant(now(cluster).deadline(300).renegotiate());

        // 300 PE-seconds are returned for half, and 200 are added with the surcharge
        assertThat(cluster.at(25)
                        .grant(now(cluster).pes(4).duration(150).renegotiate())
                        .price())
                .isEqualTo(usd("8.70"));
    }

    @Test
    void anOwnerWhoReturnsTimeOwesAtLeastTheCancellationFee() {
        var late = LiveCluster.of(
                SampleCluster.of(8).tariff(SampleCluster.tariff(BillingTest.late(), "1", OptionalLong.empty())));
        running(late);
        var smaller = late.at(10).grant(now(late).pes(1).duration(11).renegotiate());

        assertThat(Dues.of(smaller).held().money()).isEqualTo(usd("4.00"));
        assertThat(late.at(10).grant(new Complete(target(1))).price()).isEqualTo(usd("4.00"));
    }

    @Test
    void timeThatAnOutageHasTakenIsNotCreditedAgain() {
        var all = LiveCluster.of(SampleCluster.of(8).tariff(ALL));
        running(all);
        all.at(20).happens(outage(1, 4, 20, 40));
        all.at(40).advance();

        // 80 PE-seconds were lost, 400 are returned
        var completed = all.at(50).grant(new Complete(target(1)));

        assertThat(completed.price()).isEqualTo(usd("3.20"));
        assertThat(completed.charge().credit()).contains(usd("0.80"));
    }

    @Test
    void aRunThatLacksPesKeepsThoseThatItHasAndOwesNothingForTheOthers() {
        running(cluster);
        cluster.at(50).happens(outage(1, 4, 50, 300));
        var had = cluster.latest(1).placement().pesNow();

        var smaller = cluster.grant(now(cluster).pes(4).renegotiate());

        assertThat(smaller.placement().pesNow()).isEqualTo(had);
        assertThat(smaller.placement().losses().lacks()).isEmpty();
        assertThat(smaller.price()).isEqualTo(usd("6.00"));
        cluster.at(100).advance();
        assertThat(cluster.latest(1).price()).isEqualTo(usd("6.00"));
        assertThat(cluster.latest(1).charge().credit()).isEmpty();
    }

    @Test
    void aRunKeepsThePesThatNoJobOfOthersHas() {
        var reporting = LiveCluster.of(SampleCluster.of(8)
                .bound(Binding.EARLY)
                .enforcing(EnforcementRule.REPORTED)
                .tariff(HALF));
        running(reporting);
        reporting.happens(new TellEnforcement(List.of(TakenPesTest.inPlace(reporting.latest(1)))));
        reporting.at(10).happens(new TellEnforcement(List.of(TakenPesTest.taken(0, "0-3"))));

        assertThat(reporting
                        .grant(now(reporting).pes(4).renegotiate())
                        .placement()
                        .pesNow())
                .isEqualTo(PeSet.range(4, 8));
    }

    /** The load counts over the whole run, so a long run at night could make its first hour in the day cheaper. */
    @Test
    void aLongRunThatIsReturnedDoesNotMakeABusyHourCheaper() {
        var like = SampleCluster.CENT_PER_SECOND;
        var tariff = like.with("loadProfile", List.of(new LoadStep(new BigDecimal("0.25"), BigDecimal.valueOf(3))))
                .with("returnShare", BigDecimal.ONE)
                .with("flexibilityScale", OptionalLong.empty());
        var busy = LiveCluster.of(SampleCluster.of(8).tariff(tariff));
        busy.grant(Request.of(2, 4, 10).owner("bob").deadline(10));
        busy.grant(Request.of(1, 4, 100).deadline(100));
        assertThat(busy.latest(1).price()).isEqualTo(usd("4.00"));
        busy.advance();

        // 10 seconds alone would have cost 3 times 0.40
        assertThat(busy.at(10).grant(new Complete(target(1))).price()).isEqualTo(usd("1.20"));
    }

    @Test
    void returnedTimeIsCreditedAtItsPresentPriceIfThatIsLower() {
        var all = LiveCluster.of(SampleCluster.of(8).tariff(ALL));
        running(all);
        all.change(SampleCluster.of(8)
                .tariff(SampleCluster.tariff(
                        SampleCluster.tariff(new BigDecimal("9"), BigDecimal.ZERO, ALL.cancellation()),
                        "1",
                        OptionalLong.empty())));

        // 600 PE-seconds at a quarter of a cent
        assertThat(all.at(25).grant(new Complete(target(1))).price()).isEqualTo(usd("6.50"));
    }

    /**
     * Plays changes of running reservations of two accounts on one cluster, one of which books what the other returns. Together they owe
     * at least the price of all PE-seconds that they had.
     */
    @Test
    void noSequenceOfReturnsSavesMoney() {
        int returned = 0;
        for (int seed = 0; seed < 2_000; seed++) {
            var random = new Random(seed);
            var on = LiveCluster.of(SampleCluster.of(8)
                    .tariff(SampleCluster.tariff(
                            SampleCluster.CENT_PER_SECOND,
                            List.of("0.3", "0.5", "1").get(random.nextInt(3)),
                            OptionalLong.empty())));
            on.grant(Request.of(1, 1 + random.nextInt(8), 20 + random.nextInt(100)));
            on.advance();
            int last = 1;
            for (int step = 0; step < 8; step++) {
                on.at(on.now() + random.nextInt(15)).advance();
                int number = 1 + random.nextInt(last);
                var live = on.schedule().find(id(number));
                if (random.nextInt(3) == 0) {
                    if (!on.tries(Request.of(++last, 1 + random.nextInt(8), 1 + random.nextInt(40))
                                    .owner("bob")
                                    .start(on.now())
                                    .reserve())
                            .isEmpty()) {
                        on.advance();
                    } else {
                        last--;
                    }
                } else if (live.isPresent()) {
                    var before = live.get();
                    var as = Request.like(before);
                    var all = Math.max(1, before.terms().duration() + random.nextInt(40) - 25);
                    var command = switch (random.nextInt(4)) {
                        case 0 -> new Complete(target(number));
                        case 1 ->
                            as.pes(Math.max(1, before.terms().pes() - random.nextInt(4)))
                                    .renegotiate();
                        case 2 -> as.duration(all).noDeadline().renegotiate();
                        default ->
                            as.pes(Math.max(1, before.terms().pes() - random.nextInt(4)))
                                    .duration(all)
                                    .noDeadline()
                                    .renegotiate();
                    };
                    var cancelled = on.schedule();
                    on.tries(command);
                    var after = on.latest(number);
                    if (command instanceof Complete && after.state() == ReservationState.COMPLETED) {
                        var cancel =
                                (Decision.Accepted) new Cancel(target(number)).decide(new Basis(cancelled, on.now()));
                        var event = (Event.ReservationEvent) cancel.events().getFirst();
                        assertThat(after.price()).isEqualTo(event.reservation().price());
                    }
                    returned += after.charge().returned().isPresent() ? 1 : 0;
                }
            }
            on.at(1_000).advance();
            for (int number = 1; number <= last; number++) {
                var over = on.latest(number);
                var alone = new Part(new Slot(0, 1), 1, Optional.empty(), 1);
                long had = over.occupied().stream().mapToLong(Part::work).sum();
                var second =
                        on.schedule().prices(over.origin().customer()).of(over.terms(), List.of(alone), Mobility.NONE);
                var price = new Money(second.amount().multiply(BigDecimal.valueOf(had)), second.currency());
                assertThat(over.price().exceeds(price) || over.price().equals(price))
                        .as("seed %d: %s for %s", seed, price, over)
                        .isTrue();
            }
        }
        assertThat(returned).isGreaterThan(1_000);
    }
}
