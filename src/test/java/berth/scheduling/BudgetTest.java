package berth.scheduling;

import static berth.scheduling.Request.usd;
import static org.assertj.core.api.Assertions.assertThat;

import berth.sla.Money;
import berth.time.Slot;
import java.math.BigDecimal;
import java.util.Currency;
import org.junit.jupiter.api.Test;

/** Ten PEs for ten seconds: 1.00 USD at once, five cents less for each second of waiting, 0.50 from ten seconds on. */
class BudgetTest {

    private final LiveCluster cluster = LiveCluster.of(10);
    private final Request request = Request.of(9, 10, 10);

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
    void takesTheFirstOfThoseThatCostLess() {
        assertThat(cluster.grant(request.budget("0.99")).slot().start()).isEqualTo(1);
        cluster.grant(new Cancel(Request.target(9)));
        assertThat(cluster.grant(request.budget("0.79")).slot().start()).isEqualTo(5);
        cluster.grant(new Cancel(Request.target(9)));
        assertThat(cluster.grant(request.budget("0.50")).slot().start()).isEqualTo(10);
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
    void refusesWithThePriceOfTheFirstFitIfWhatIsAffordableIsTaken() {
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
    void holdsForAChosenStartAsItIs() {
        assertThat(cluster.refuse(request.budget("0.80").start(3)))
                .isEqualTo(new Rejection.OverBudget(usd("0.85"), usd("0.80")));
        assertThat(cluster.grant(request.budget("0.80").start(4)).slot()).isEqualTo(new Slot(4, 14));
    }

    @Test
    void isComparedWithWhatTheServiceClassPays() {
        assertThat(cluster.refuse(request.budget("1.49").premium()))
                .isEqualTo(new Rejection.OverBudget(usd("3.00"), usd("1.49")));
        assertThat(cluster.grant(request.budget("1.50").premium()).price()).isEqualTo(usd("1.50"));
    }

    @Test
    void isInTheCurrencyOfTheCluster() {
        var euros = new Money(new BigDecimal("5"), Currency.getInstance("EUR"));

        assertThat(cluster.refusedField(request.budget(euros))).isEqualTo("budget");
    }
}
