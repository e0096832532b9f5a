package berth.scheduling;

import static org.assertj.core.api.Assertions.assertThat;

import berth.cluster.Juggling;
import berth.cluster.ReplanOrder;
import berth.pricing.Tariff;
import berth.reservation.Reservation;
import berth.reservation.ReservationState;
import berth.scheduling.commands.Fix;
import berth.sla.Mobility;
import berth.sla.Money;
import java.math.BigDecimal;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/**
 * Flexibility that the provider cannot use earns nothing: no sequence of an owner's changes leads to a promise that is cheaper than the
 * same promise requested directly. Prices do not depend on the load, and the provider moves nothing.
 */
class SameTermsPriceTest {

    private static final int SEEDS = 3_000;
    private static final int NOTICE = 5;

    /** So that rounding loses no discount. */
    private static final Tariff TEN_DOLLARS_A_SECOND = Tariff.STANDARD
            .with("pricePerPeHour", new BigDecimal("36000"))
            .with("premiumFactor", BigDecimal.TWO)
            .with("flexibilityDiscount", new BigDecimal("0.3"))
            .with("latenessDiscount", new BigDecimal("0.4"))
            .with("latenessScale", BigDecimal.TWO)
            .with("preemptionIncentive", new BigDecimal("0.2"))
            .with("shapeDiscount", new BigDecimal("0.25"));

    /** An agreed price is rounded and counts in proportion if the run takes less: half a cent for each change. */
    private static final Money ROUNDED = Request.usd("0.03");

    private int tighter;
    private int looser;
    private int fixed;

    @Test
    void noSequenceOfCallsMakesTheSameTermsCheaper() {
        for (int seed = 0; seed < SEEDS; seed++) {
            play(new Random(seed), seed);
        }
        assertThat(tighter).isGreaterThan(SEEDS / 4);
        assertThat(looser).isGreaterThan(SEEDS / 4);
        assertThat(fixed).isGreaterThan(SEEDS / 4);
    }

    private void play(Random random, int seed) {
        var cluster = LiveCluster.of(SampleCluster.of(8)
                .notice(NOTICE)
                .tariff(TEN_DOLLARS_A_SECOND)
                .juggling(Juggling.NEVER, ReplanOrder.EARLIEST_DEADLINE_FIRST));
        boolean timePasses = seed % 2 == 1;
        long acceptedAt = 0;
        var first = request(random, 1, 0);
        if (!(cluster.tries(first.reserve()) instanceof List<Event> events && !events.isEmpty())) {
            return;
        }
        for (int call = 0; call < 6; call++) {
            if (timePasses) {
                cluster.at(cluster.now() + random.nextInt(12)).advance();
            }
            var before = cluster.schedule().find(Request.id(1));
            if (before.isEmpty() || before.get().state() != ReservationState.CONFIRMED) {
                return;
            }
            if (random.nextInt(4) == 0) {
                fixed += cluster.tries(new Fix(Request.target(1), Fix.Wish.OWNERS))
                        .size();
            } else {
                change(random, cluster, before.get());
            }
            var after = cluster.schedule().find(Request.id(1)).orElseThrow();
            var straight = straight(cluster, after, acceptedAt);
            assertThat(straight.less(ROUNDED).exceeds(after.price()))
                    .as("seed %d, call %d, straight %s: %s", seed, call, straight, after)
                    .isFalse();
        }
    }

    private void change(Random random, LiveCluster cluster, Reservation before) {
        var wanted = changed(random, Request.like(before), before, cluster.now());
        if (!cluster.tries(wanted.renegotiate()).isEmpty()) {
            var after = cluster.schedule().find(Request.id(1)).orElseThrow();
            boolean isLooser = after.terms().areAsFlexibleAs(before.terms());
            looser += isLooser ? 1 : 0;
            tighter += isLooser ? 0 : 1;
        }
    }

    /**
     * Returns the price of the same promise requested directly at the time of the first request; later the wait is shorter and the mobility
     * lower.
     */
    private static Money straight(LiveCluster cluster, Reservation promise, long at) {
        long start = promise.slot().start();
        var fixing = promise.terms().fixing();
        long fixesAt = promise.placement().fixesAt();
        var mobility = fixesAt == fixing.fixesAt(at, start, NOTICE)
                ? fixing.mobility(at, at, start, NOTICE)
                : Mobility.until(fixesAt, at, start);
        return cluster.schedule().prices(promise.origin().customer()).of(promise.terms(), promise.parts(), mobility);
    }

    private static Request request(Random random, int number, long now) {
        long duration = 5 + random.nextInt(20);
        long ready = now + random.nextInt(60);
        var request = Request.of(number, 1 + random.nextInt(8), duration)
                .ready(ready)
                .deadline(ready + duration + (random.nextBoolean() ? 0 : random.nextInt(300)));
        if (random.nextInt(3) == 0) {
            request = request.fixAfter(List.of("0", "0.25", "1").get(random.nextInt(3)));
        }
        if (random.nextInt(3) == 0) {
            request = request.shapes("8:%d 4:%d 2:%d".formatted(duration, 2 * duration, 5 * duration));
            request = request.deadline(ready + duration + random.nextInt(400));
        }
        return random.nextInt(4) == 0 ? request.split(1 + random.nextInt(2), "0.5", random.nextBoolean()) : request;
    }

    private static Request changed(Random random, Request as, Reservation before, long now) {
        var window = before.terms().window();
        return switch (random.nextInt(9)) {
            case 0 -> as.deadline(window.deadline() + random.nextInt(200));
            case 1 -> as.deadline(window.deadline() - random.nextInt(100));
            case 2 -> as.ready(Math.max(now, window.readyTime() - random.nextInt(50)));
            case 3 -> as.ready(window.readyTime() + random.nextInt(50));
            case 4 -> {
                long shift = random.nextInt(100) - 50;
                yield as.ready(window.readyTime() + shift).deadline(window.deadline() + shift);
            }
            case 5 -> as.rigid().pes(1 + random.nextInt(8));
            case 6 -> as.rigid().duration(1 + random.nextInt(40));
            case 7 -> as.fixAfter(List.of("0", "0.5", "1").get(random.nextInt(3)));
            default -> as.split(1 + random.nextInt(2), "0.5", random.nextBoolean());
        };
    }
}
