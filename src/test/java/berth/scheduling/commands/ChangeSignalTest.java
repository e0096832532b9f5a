package berth.scheduling.commands;

import static berth.scheduling.Request.target;
import static org.assertj.core.api.Assertions.assertThat;

import berth.pricing.Signal;
import berth.pricing.SignalStep;
import berth.pricing.Tariff;
import berth.reservation.ReservationId;
import berth.scheduling.Event;
import berth.scheduling.Event.ClusterEvent;
import berth.scheduling.LiveCluster;
import berth.scheduling.Rejection;
import berth.scheduling.Request;
import berth.scheduling.SampleCluster;
import berth.sla.Mobility;
import berth.sla.Money;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Currency;
import java.util.List;
import java.util.Random;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** A PE costs a cent a second, without discounts, on a cluster of eight. */
class ChangeSignalTest {

    private static final Tariff PLAIN = SampleCluster.CENT_PER_SECOND
            .with("latenessDiscount", BigDecimal.ZERO)
            .with("flexibilityDiscount", BigDecimal.ZERO)
            .with("renegotiationSurcharge", BigDecimal.ZERO)
            .with("returnShare", BigDecimal.ONE);

    /** Cheap from 100 to 200, dear from 200 to 300. */
    private static final Signal DAY =
            new Signal("day-ahead", List.of(new SignalStep(100, 100_000), new SignalStep(200, 5_000_000)), 300);

    private final LiveCluster cluster = LiveCluster.of(SampleCluster.of(8).tariff(PLAIN));

    @Test
    void laterRequestsPayTheMeanOfTheFactorsAndAgreedPricesStay() {
        var before = cluster.grant(Request.of(1, 1, 100).start(200)).price();
        var events = cluster.tries(new ChangeSignal(DAY));

        assertThat(events)
                .containsExactly(new ClusterEvent(
                        Event.Type.SIGNAL_CHANGED, cluster.schedule().cluster(), 0));
        assertThat(cluster.schedule().cluster().version()).isZero();
        assertThat(cluster.latest(1).price()).isEqualTo(before).isEqualTo(usd("1.00"));
        assertThat(price(2, 100, 100)).isEqualTo(usd("0.10"));
        assertThat(price(3, 200, 100)).isEqualTo(usd("5.00"));
        assertThat(price(4, 150, 100)).isEqualTo(usd("2.55"));
        assertThat(price(5, 50, 100)).isEqualTo(usd("0.55"));
        assertThat(price(6, 280, 40)).isEqualTo(usd("1.20"));
    }

    @Test
    void theSameFactorsAgainChangeNothing() {
        cluster.tries(new ChangeSignal(DAY));

        assertThat(cluster.tries(new ChangeSignal(DAY))).isEmpty();
        assertThat(cluster.at(150).tries(new ChangeSignal(DAY))).isEmpty();
        assertThat(cluster.at(250).tries(new ChangeSignal(Signal.NONE))).hasSize(1);
        assertThat(cluster.tries(new ChangeSignal(Signal.NONE))).isEmpty();
        assertThat(price(1, 250, 10)).isEqualTo(usd("0.10"));
    }

    @Test
    void otherRulesOfTheClusterKeepTheSignal() {
        var stale = cluster.schedule().cluster();
        cluster.tries(new ChangeSignal(DAY));
        var present = cluster.schedule().cluster();

        cluster.tries(new ChangeCluster(present, present.charging(PLAIN).with("pes", 16)));

        assertThat(cluster.schedule().cluster().tariff().signal()).isEqualTo(DAY);
        assertThat(cluster.refuse(new ChangeCluster(stale, stale.with("pes", 4))))
                .isInstanceOf(Rejection.StaleVersion.class);
    }

    @Test
    void pastFactorsStayForAsLongAsARunThatNeedsThem() {
        cluster.tries(new ChangeSignal(DAY));
        cluster.grant(Request.of(1, 1, 150).start(150));
        cluster.at(150).advance();

        var next = new Signal("intraday", List.of(new SignalStep(260, 2_000_000)), 400);
        cluster.at(250).tries(new ChangeSignal(next));
        assertThat(cluster.schedule().cluster().tariff().signal().at(199)).isEqualByComparingTo("0.1");

        cluster.at(300).advance();
        cluster.tries(new ChangeSignal(new Signal("intraday", List.of(new SignalStep(300, 3_000_000)), 400)));
        assertThat(cluster.schedule().cluster().tariff().signal().steps())
                .containsExactly(new SignalStep(300, 3_000_000));
    }

    @Test
    void aLongCheapRunThatIsMadeShorterDoesNotMakeADearHourCheaper() {
        cluster.tries(new ChangeSignal(
                new Signal("x", List.of(new SignalStep(100, 5_000_000), new SignalStep(200, 100_000)), 1_000)));
        cluster.grant(Request.of(1, 1, 800).start(100).deadline(1_000));
        assertThat(cluster.latest(1).price()).isEqualTo(usd("5.70"));

        assertThat(cluster.renegotiate(Request.like(cluster.latest(1)).duration(100))
                        .price())
                .isEqualTo(usd("5.00"));
    }

    @Test
    void timeThatIsAddedCostsItsOwnHours() {
        cluster.tries(new ChangeSignal(DAY));
        cluster.grant(Request.of(1, 1, 100).start(100));
        cluster.at(150).advance();

        assertThat(cluster.renegotiate(
                                Request.like(cluster.latest(1)).duration(110).noDeadline())
                        .price())
                .isEqualTo(usd("0.60"));
    }

    @Test
    void aRunIsNotPulledForwardIntoDearerHours() {
        var pulling = LiveCluster.of(SampleCluster.of(8).tariff(PLAIN).replanning(rules -> rules.pullingForward(true)));
        pulling.tries(new ChangeSignal(
                new Signal("x", List.of(new SignalStep(0, 2_000_000), new SignalStep(300, 500_000)), 1_000)));
        pulling.grant(Request.of(1, 8, 300).start(0));
        pulling.grant(Request.of(2, 8, 300).start(300));
        pulling.grant(Request.of(3, 8, 100).deadline(900));
        assertThat(pulling.latest(3).slot().start()).isEqualTo(600);

        assertThat(afterCancelling(pulling, 1)).isEmpty();
        assertThat(afterCancelling(pulling, 2)).hasSize(1);
        assertThat(pulling.latest(3).slot().start()).isEqualTo(300);
    }

    private static List<Event> afterCancelling(LiveCluster on, int number) {
        var before = on.schedule();
        on.grant(new Cancel(target(number)));
        return on.tries(new PullForward(before));
    }

    /** Plays clients who change what they have in every way, on a cluster where hours cost a tenth to ten times as much as others. */
    @Test
    void noSequenceOfChangesMakesHoursCheaper() {
        int changed = 0;
        for (int seed = 0; seed < 3_000; seed++) {
            var random = new Random(seed);
            var on = LiveCluster.of(SampleCluster.of(8).tariff(PLAIN));
            on.tries(new ChangeSignal(signal(random)));
            int last = 0;
            for (int step = 0; step < 10; step++) {
                on.at(on.now() + random.nextInt(20)).advance();
                var live = on.schedule().find(id(1 + random.nextInt(Math.max(1, last))));
                if (live.isEmpty()) {
                    last += 1;
                    var ready = on.now() + random.nextInt(100);
                    var request = Request.of(last, 1 + random.nextInt(4), 5 + random.nextInt(100))
                            .owner(random.nextBoolean() ? "ada" : "bob")
                            .ready(ready)
                            .deadline(ready + 300);
                    if (on.tries(request.reserve()).isEmpty()) {
                        last -= 1;
                    }
                    continue;
                }
                var before = live.get();
                int number = (int) before.id().value().getLeastSignificantBits();
                var as = Request.like(before);
                long duration = Math.max(1, before.terms().duration() + random.nextInt(80) - 50);
                var command = switch (random.nextInt(7)) {
                    case 0 -> new Complete(target(number));
                    case 1 -> as.pes(1 + random.nextInt(4)).renegotiate();
                    case 2 -> as.duration(duration).renegotiate();
                    case 3 -> as.duration(duration).noDeadline().renegotiate();
                    case 4 ->
                        as.ready(Math.max(on.now(), before.terms().window().readyTime() + random.nextInt(60) - 20))
                                .renegotiate();
                    case 5 -> new Fix(target(number), Fix.Wish.OWNERS);
                    default -> new Extend(target(number), 1 + random.nextInt(60), 1);
                };
                changed += on.tries(command).isEmpty() ? 0 : 1;
            }
            on.at(1_000).advance();
            for (int number = 1; number <= last; number++) {
                var over = on.latest(number);
                var had = over.occupied();
                if (had.isEmpty()) {
                    continue;
                }
                var alone = on.schedule().prices(over.origin().customer()).of(over.terms(), had, Mobility.NONE);
                assertThat(alone.exceeds(over.price()))
                        .as("seed %d: %s for %s", seed, alone, over)
                        .isFalse();
            }
        }
        assertThat(changed).isGreaterThan(5_000);
    }

    private static Signal signal(Random random) {
        var steps = new ArrayList<SignalStep>();
        long from = random.nextInt(50);
        for (int step = 0; step < 1 + random.nextInt(10); step++) {
            steps.add(new SignalStep(from, random.nextBoolean() ? 100_000 : 10_000_000));
            from += 1 + random.nextInt(60);
        }
        return new Signal("energy", steps, from);
    }

    private Money price(int number, long start, long duration) {
        return cluster.grant(Request.of(number, 1, duration).start(start)).price();
    }

    private static ReservationId id(int number) {
        return new ReservationId(new UUID(0, number));
    }

    private static Money usd(String amount) {
        return new Money(new BigDecimal(amount), Currency.getInstance("USD"));
    }
}
