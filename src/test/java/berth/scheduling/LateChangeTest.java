package berth.scheduling;

import static berth.scheduling.Request.id;
import static berth.scheduling.Request.target;
import static org.assertj.core.api.Assertions.assertThat;

import berth.Seeds;
import berth.budget.Dues;
import berth.cluster.Juggling;
import berth.cluster.ReplanOrder;
import berth.pricing.Cancellation;
import berth.pricing.Tariff;
import berth.reservation.Quantity;
import berth.reservation.Reservation;
import berth.reservation.ReservationState;
import berth.scheduling.Event.ReservationEvent;
import berth.scheduling.commands.Cancel;
import berth.scheduling.commands.Command;
import berth.sla.Money;
import java.math.BigDecimal;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** What a cancellation owes cannot be escaped by a change before it: each pair of a change and an end is compared with a cancellation alone. */
class LateChangeTest {

    private static final int WORLDS = Seeds.of(3_000);

    private int dear;
    private int changed;

    @Test
    void noChangeMakesACancellationCheaper() {
        for (int seed = 0; seed < WORLDS; seed++) {
            play(new Random(seed), seed);
        }
        assertThat(dear).isGreaterThan(WORLDS / 3);
        assertThat(changed).isGreaterThan(WORLDS / 3);
    }

    @Test
    void aMovedAndCancelledReservationBlocksNoOther() {
        var cluster = LiveCluster.of(SampleCluster.of(8)
                .juggling(Juggling.LEAST_MOVES, ReplanOrder.EARLIEST_DEADLINE_FIRST)
                .tariff(SampleCluster.tariff(
                        BigDecimal.ONE, BigDecimal.ZERO, new Cancellation(1_000, new BigDecimal("0.5")))));
        cluster.grant(Request.of(1, 8, 100).ready(200).deadline(600));
        cluster.happens(Request.of(2, 8, 100).ready(200).deadline(300).reserve());
        cluster.happens(new Cancel(target(1)));
        cluster.grant(Request.of(3, 8, 100).ready(300).deadline(600));

        var events =
                cluster.happens(Request.of(4, 8, 100).ready(300).deadline(400).reserve());

        assertThat(events).hasSize(2);
        assertThat(cluster.latest(3).slot().start()).isEqualTo(400);
    }

    private void play(Random random, int seed) {
        var cluster = LiveCluster.of(SampleCluster.of(8)
                .juggling(
                        random.nextBoolean() ? Juggling.ON_CONFLICT : Juggling.NEVER,
                        ReplanOrder.EARLIEST_DEADLINE_FIRST)
                .tariff(tariff(random)));
        long ready = 200 + random.nextInt(300);
        cluster.grant(Request.of(1, 1 + random.nextInt(8), 1 + random.nextInt(100))
                .ready(ready)
                .deadline(ready + 100 + random.nextInt(400)));
        var due = new Quantity(Request.usd("0.00"), 0);
        long now = 0;
        for (int change = 1 + random.nextInt(3); change > 0; change--) {
            now += random.nextInt(200);
            cluster.at(now).advance();
            var before = cluster.latest(1);
            if (before.state() != ReservationState.CONFIRMED) {
                break;
            }
            var cancelled = owed(new Cancel(target(1)).decide(new Basis(cluster.schedule(), now)));
            assertThat(shown(before, cluster, now))
                    .as("shown in world %d", seed)
                    .contains(cancelled.money());
            var events = cluster.tries(change(random, before, now));
            boolean isChanged = events.stream()
                    .anyMatch(event -> event instanceof ReservationEvent of
                            && of.reservation().id().equals(id(1)));
            if (isChanged) {
                due = due.orMore(cancelled);
                changed++;
            }
        }
        var last = end(random, cluster, now);
        var owed = Dues.of(last).charged();
        assertThat(owed.orMore(due)).as("owed in world %d for %s", seed, last).isEqualTo(owed);
        dear += due.isNothing() ? 0 : 1;
    }

    /** Returns what a cancellation may owe by what the reservation shows: one amount, or two if it owes something in any case. */
    private static List<Money> shown(Reservation before, LiveCluster cluster, long now) {
        var due = CancellationDue.of(before, cluster.schedule());
        if (due.freeUntil().isPresent()) {
            return List.of(now <= due.freeUntil().getAsLong() ? due.late().none() : due.late());
        }
        return before.charge()
                .least()
                .map(least -> List.of(least.money(), due.late()))
                .orElse(List.of(due.late()));
    }

    /** Returns a change of the reservation, or a request of the same account that may displace it. */
    private static Command change(Random random, Reservation before, long now) {
        if (random.nextInt(3) == 0) {
            return Request.of(2 + random.nextInt(1000), 8, 1 + random.nextInt(100))
                    .start(before.slot().start())
                    .reserve();
        }
        var terms = before.terms();
        long ready = random.nextBoolean() ? terms.window().readyTime() : now + random.nextInt(500);
        long duration = random.nextBoolean() ? terms.duration() : 1 + random.nextInt(100);
        return Request.like(before)
                .pes(1 + random.nextInt(8))
                .duration(duration)
                .ready(ready)
                .deadline(ready + duration + random.nextInt(400))
                .renegotiate();
    }

    private static Reservation end(Random random, LiveCluster cluster, long now) {
        long end = now + random.nextInt(600);
        cluster.at(end).advance();
        if (cluster.latest(1).state().isLive() && random.nextInt(4) > 0) {
            cluster.grant(new Cancel(target(1)));
        }
        cluster.at(10_000).advance();
        return cluster.latest(1);
    }

    private static Quantity owed(Decision decision) {
        var accepted = (Decision.Accepted) decision;
        return Dues.of(((ReservationEvent) accepted.events().getFirst()).reservation())
                .charged();
    }

    private static Tariff tariff(Random random) {
        return SampleCluster.tariff(
                BigDecimal.valueOf(random.nextInt(1000), 1),
                random.nextBoolean() ? BigDecimal.ZERO : SampleCluster.CENT_PER_SECOND.renegotiationSurcharge(),
                new Cancellation(random.nextInt(400), BigDecimal.valueOf(random.nextInt(101), 2)));
    }
}
