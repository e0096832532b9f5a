package berth.scheduling;

import static berth.scheduling.Request.usd;
import static org.assertj.core.api.Assertions.assertThat;

import berth.batch.JobId;
import berth.cluster.Juggling;
import berth.cluster.ReplanOrder;
import berth.pricing.LoadStep;
import berth.pricing.PriceFunction;
import berth.pricing.Tariff;
import berth.reservation.Reservation;
import berth.scheduling.commands.Cancel;
import berth.scheduling.commands.StartJobs;
import berth.scheduling.commands.SubmitJob;
import berth.sla.AccountName;
import berth.sla.Money;
import berth.sla.Part;
import berth.time.Slot;
import berth.time.Window;
import java.math.BigDecimal;
import java.util.Currency;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** Ten PEs for ten seconds: 1.00 USD at once, five cents less for each second of waiting, and 0.50 from ten seconds on. */
class BudgetTest {

    private final LiveCluster cluster = LiveCluster.of(10);
    private final Request request = Request.of(9, 10, 10).atAnyTime();

    @Test
    void changesNothingIfTheFirstFitIsAffordable() {
        var reservation = cluster.grant(request.budget("1.00"));

        assertThat(reservation.slot()).isEqualTo(new Slot(0, 10));
        assertThat(reservation.price()).isEqualTo(usd("1.00"));
    }

    @Test
    void passesOverStartsThatCostMore() {
        var reservation = cluster.grant(request.budget("0.80"));

        assertThat(reservation.slot()).isEqualTo(new Slot(4, 14));
        assertThat(reservation.price()).isEqualTo(usd("0.80"));
    }

    @Test
    void takesTheFirstStartThatCostsLess() {
        assertThat(cluster.grant(request.budget("0.99")).slot().start()).isEqualTo(1);
        cluster.grant(new Cancel(Request.target(9)));
        assertThat(cluster.grant(request.budget("0.79")).slot().start()).isEqualTo(5);
        cluster.grant(new Cancel(Request.target(9)));
        assertThat(cluster.grant(request.budget("0.50")).slot().start()).isEqualTo(10);
    }

    @Test
    void leadsToNoLaterStartWithoutFreedom() {
        var firm = request.noDeadline();

        assertThat(cluster.refuse(firm.budget("0.99"))).isEqualTo(new Rejection.OverBudget(usd("1.00"), usd("0.99")));
        assertThat(cluster.grant(firm.budget("1.00")).terms().window()).isEqualTo(new Window(0, 10));
    }

    @Test
    void mayLeaveTheLatestStartAlone() {
        assertThat(cluster.grant(request.deadline(14).budget("0.80")).slot()).isEqualTo(new Slot(4, 14));
        assertThat(LiveCluster.of(10).refuse(request.deadline(13).budget("0.80")))
                .isEqualTo(new Rejection.OverBudget(usd("1.00"), usd("0.80")));
    }

    @Test
    void looksForTheNextGapIfTheFirstAffordableStartIsTaken() {
        cluster.grant(Request.of(1, 1, 6).start(10));

        assertThat(cluster.grant(request.budget("0.80")).slot()).isEqualTo(new Slot(16, 26));
    }

    @Test
    void startsFromTheFirstFitEvenIfAllBeforeItIsAffordableLater() {
        cluster.grant(Request.of(1, 1, 3).start(0));

        assertThat(cluster.grant(request.budget("0.80")).slot()).isEqualTo(new Slot(4, 14));
    }

    @Test
    void refusesWithThePriceOfTheFirstFit() {
        cluster.grant(Request.of(1, 1, 3).start(0));

        assertThat(cluster.refuse(request.budget("0.49")))
                .isEqualTo(new Rejection.OverBudget(usd("0.85"), usd("0.49")));
    }

    @Test
    void rejectsWithThePriceOfTheFirstFitIfAffordablePlacesAreTaken() {
        cluster.grant(Request.of(1, 1, 10).start(10));

        assertThat(cluster.refuse(request.deadline(25).budget("0.50")))
                .isEqualTo(new Rejection.OverBudget(usd("1.00"), usd("0.50")));
    }

    @Test
    void doesNotMatterWhereTheClusterIsFull() {
        cluster.grant(Request.of(1, 1, 20));

        assertThat(cluster.refuse(request.deadline(29).budget("0.01"))).isEqualTo(new Rejection.NoSlot());
    }

    @Test
    void boundsThePriceOfAChosenStart() {
        assertThat(cluster.refuse(request.budget("0.80").start(3)))
                .isEqualTo(new Rejection.OverBudget(usd("0.85"), usd("0.80")));
        assertThat(cluster.grant(request.budget("0.80").start(4)).slot()).isEqualTo(new Slot(4, 14));
    }

    @Test
    void isComparedWithThePriceOfTheServiceClass() {
        assertThat(cluster.refuse(request.budget("1.49").premium()))
                .isEqualTo(new Rejection.OverBudget(usd("3.00"), usd("1.49")));
        assertThat(cluster.grant(request.budget("1.50").premium()).price()).isEqualTo(usd("1.50"));
    }

    @Test
    void isInTheCurrencyOfTheCluster() {
        var euros = new Money(new BigDecimal("5"), Currency.getInstance("EUR"));

        assertThat(cluster.refusedField(request.budget(euros))).isEqualTo("budget");
    }

    @Test
    void choosesAmongTheShapesThatItCanPay() {
        // 100 PE-seconds in ten seconds, or 60 in twelve
        var moldable = Request.of(9, 1, 1).shapes("10:10 5:12").atAnyTime();

        assertThat(cluster.grant(moldable.budget("1.00")).parts()).containsExactly(Part.whole(new Slot(0, 10), 10));
        cluster.grant(new Cancel(Request.target(9)));
        assertThat(cluster.grant(moldable.budget("0.60").deadline(12)).parts())
                .containsExactly(Part.whole(new Slot(0, 12), 5));
        cluster.grant(new Cancel(Request.target(9)));
        // the larger shape from 10 on ends at 20, the smaller from 2 on, for 0.60 x (1 - 0.5 x 2/10), at 14
        assertThat(cluster.grant(moldable.budget("0.54")).parts()).containsExactly(Part.whole(new Slot(2, 14), 5));
    }

    @Test
    void holdsForTheFirstPartOfARunThatIsSplit() {
        cluster.grant(Request.of(1, 1, 10).start(12));
        var split = request.split(2, "0.5", false);

        // a tenth less: 0.90 at once, 4.5 cents less for each second
        assertThat(slots(cluster.grant(split.budget("0.81")))).containsExactly(new Slot(2, 12));
        cluster.grant(new Cancel(Request.target(9)));
        assertThat(slots(cluster.grant(split.budget("0.80")))).containsExactly(new Slot(3, 8), new Slot(22, 27));
        cluster.grant(new Cancel(Request.target(9)));
        assertThat(slots(cluster.grant(split.budget("0.60")))).containsExactly(new Slot(7, 12), new Slot(22, 27));
        cluster.grant(new Cancel(Request.target(9)));
        assertThat(slots(cluster.grant(split.budget("0.58")))).containsExactly(new Slot(22, 32));
    }

    @Test
    void isNeverExceededByPartsOfSeveralShapes() {
        cluster.grant(Request.of(1, 4, 5).start(5));
        // six PEs over [5,10): half of the run on five of them takes 6 s longer than on ten
        var molded =
                Request.of(9, 1, 1).shapes("10:10 5:30").split(2, "0.5", true).atAnyTime();
        assertThat(cluster.grant(molded).price()).isEqualTo(usd("0.90"));
        cluster.grant(new Cancel(Request.target(9)));

        for (int cents = 40; cents < 100; cents++) {
            var asked = molded.budget("0." + cents);
            if (asked.reserve().decide(new Basis(cluster.schedule(), 0)) instanceof Decision.Accepted) {
                assertThat(cluster.grant(asked).price().exceeds(usd("0." + cents)))
                        .isFalse();
                cluster.grant(new Cancel(Request.target(9)));
            } else {
                assertThat(cents).isLessThan(45);
            }
        }
    }

    // ---- prices that double if more than half of the cluster is booked

    private final LiveCluster loaded = LiveCluster.of(SampleCluster.of(10).tariff(doubling()));

    private static Tariff doubling() {
        var like = SampleCluster.CENT_PER_SECOND;
        return like.with("function", PriceFunction.BERTH)
                .with("latenessDiscount", BigDecimal.ZERO)
                .with("loadProfile", List.of(new LoadStep(new BigDecimal("0.5"), BigDecimal.TWO)));
    }

    @Test
    void leadsToATimeOfLessLoad() {
        loaded.grant(Request.of(1, 6, 20).owner("bob"));
        var one = Request.of(9, 1, 10);

        assertThat(loaded.grant(one).price()).isEqualTo(usd("0.20"));
        loaded.grant(new Cancel(Request.target(9)));
        var later = loaded.grant(one.budget("0.19"));
        assertThat(later.slot()).isEqualTo(new Slot(20, 30));
        assertThat(later.price()).isEqualTo(usd("0.10"));
        loaded.grant(new Cancel(Request.target(9)));
        assertThat(loaded.refuse(one.budget("0.09"))).isEqualTo(new Rejection.OverBudget(usd("0.20"), usd("0.09")));
        // half of it at the latest start
        assertThat(loaded.grant(one.budget("0.19").deadline(22)).slot()).isEqualTo(new Slot(12, 22));
    }

    @Test
    void doesNotCountThePlaceThatAMoveLeaves() {
        var juggling = LiveCluster.of(SampleCluster.of(10)
                .tariff(doubling())
                .juggling(Juggling.ON_CONFLICT, ReplanOrder.EARLIEST_DEADLINE_FIRST));
        juggling.grant(Request.of(1, 6, 9).owner("bob").ready(10).deadline(19));
        var waiting = juggling.grant(Request.of(2, 4, 10).ready(10).deadline(100));
        assertThat(waiting.price()).isEqualTo(usd("0.80"));

        juggling.happens(Request.of(3, 4, 2).owner("bob").ready(10).deadline(12).reserve());

        // others have 42 of 100 PE-seconds there
        assertThat(juggling.slot(2)).isEqualTo(new Slot(12, 22));
        assertThat(juggling.find(waiting.id()).price()).isEqualTo(usd("0.40"));
    }

    @Test
    void countsTheLoadInTheTimeOfTheRunOnly() {
        loaded.grant(Request.of(1, 10, 5).owner("bob").start(0));

        // 50 of 100 PE-seconds are taken in the first ten
        assertThat(loaded.schedule().prices(Request.ADA).booked(List.of(Part.whole(new Slot(0, 10), 1))))
                .isEqualByComparingTo("0.5");
        assertThat(loaded.schedule().prices(Request.ADA).booked(List.of(Part.whole(new Slot(0, 9), 1))))
                .isEqualByComparingTo("0.555556");
        assertThat(loaded.schedule()
                        .prices(Request.ADA)
                        .booked(List.of(Part.whole(new Slot(4, 5), 1), Part.whole(new Slot(7, 10), 1))))
                .isEqualByComparingTo("0.25");
        assertThat(cluster.schedule().prices(Request.ADA).booked(List.of(Part.whole(new Slot(0, 10), 1))))
                .isEqualByComparingTo("0");
    }

    @Test
    void isNotRaisedByTheClientsOwnRuns() {
        loaded.grant(Request.of(1, 6, 20));
        var one = Request.of(9, 1, 10);

        assertThat(loaded.grant(one).price()).isEqualTo(usd("0.10"));
        assertThat(loaded.grant(Request.of(8, 1, 10).owner("bob")).price()).isEqualTo(usd("0.20"));
    }

    @Test
    void isNotRaisedByOutagesOrBatchJobs() {
        loaded.lose(LiveCluster.outage(1, 3, 0, 20));
        loaded.happens(new SubmitJob(new JobId(new UUID(7, 1)), new AccountName("eve"), Optional.empty(), 5, 20));
        loaded.happens(new StartJobs());
        // a job that waits for a kept place
        loaded.happens(new SubmitJob(new JobId(new UUID(7, 2)), new AccountName("eve"), Optional.empty(), 8, 20));
        var one = Request.of(9, 1, 10);

        assertThat(loaded.grant(one).price()).isEqualTo(usd("0.10"));
        assertThat(loaded.grant(Request.of(8, 1, 10).ready(20).start(20)).price())
                .isEqualTo(usd("0.10"));
    }

    @Test
    void countsBookingsOfOthersBesideOutagesAndOwnRuns() {
        loaded.lose(LiveCluster.outage(1, 2, 0));
        loaded.grant(Request.of(1, 2, 10).start(0));
        loaded.grant(Request.of(2, 4, 5).owner("bob").start(0));
        var booked = loaded.schedule().prices(Request.ADA);

        assertThat(booked.booked(List.of(Part.whole(new Slot(0, 10), 1)))).isEqualByComparingTo("0.2");
        assertThat(booked.booked(List.of(Part.whole(new Slot(0, 5), 1)))).isEqualByComparingTo("0.4");
    }

    private static List<Slot> slots(Reservation reservation) {
        return reservation.parts().stream().map(Part::slot).toList();
    }
}
