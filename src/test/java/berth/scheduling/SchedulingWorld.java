package berth.scheduling;

import berth.cluster.Cluster;
import berth.pricing.Tariff;
import berth.sla.Money;
import berth.time.Slot;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Currency;
import java.util.List;
import java.util.Random;

/** Where random commands are decided: a cluster so small and busy that its edges are met all the time. */
record SchedulingWorld(Cluster cluster, long begin, int steps) {

    private static final Currency USD = Currency.getInstance("USD");
    private static final int LONGEST_PAUSE = 3;
    private static final int LONGEST_RUN = 6;

    /** A command and when it is decided. */
    record Step(long now, Command command) {}

    /** One to four PEs and a horizon of 6 to 21 seconds; a PE costs ten cents a second before discounts. */
    static SchedulingWorld of(int seed) {
        var tariff = new Tariff(
                USD,
                new BigDecimal("360"),
                new BigDecimal("2"),
                new BigDecimal("0.3"),
                seed % 5 == 0 ? BigDecimal.ZERO : new BigDecimal("0.6"),
                BigDecimal.valueOf(1 + seed % 3),
                BigDecimal.ZERO,
                BigDecimal.ONE);
        return new SchedulingWorld(
                SampleCluster.of(1 + seed % 4)
                        .horizon(6 + seed % 16)
                        .tariff(tariff)
                        .cluster(),
                100,
                40);
    }

    /** All the time in which anything may lie. */
    Slot all() {
        return new Slot(
                0, begin + (long) steps * LONGEST_PAUSE + cluster.policy().horizon() + 1);
    }

    List<Step> steps(Random random) {
        var sequence = new ArrayList<Step>();
        long now = begin;
        for (int number = 0; number < steps; number++) {
            now += Math.max(0, random.nextInt(LONGEST_PAUSE + 4) - 3);
            sequence.add(new Step(now, command(random, number, now)));
        }
        return sequence;
    }

    private Command command(Random random, int number, long now) {
        return switch (random.nextInt(10)) {
            case 0, 1 -> new Confirm(Request.target(earlier(random, number)));
            case 2 -> new Cancel(Request.target(earlier(random, number)));
            case 3 -> new AdvanceClock(1 + random.nextInt(3));
            default -> request(random, number, now).reserve();
        };
    }

    /** One of the last commands, which may have been a reservation. */
    private static int earlier(Random random, int number) {
        return Math.max(0, number - 1 - random.nextInt(6));
    }

    private Request request(Random random, int number, long now) {
        long duration =
                rarely(random) ? random.nextLong(cluster.policy().horizon() + 2) : 1 + random.nextInt(LONGEST_RUN);
        int pes = 1 + random.nextInt(rarely(random) ? cluster.pes() + 1 : cluster.pes());
        var request = Request.of(number, pes, duration);
        long ready = rarely(random)
                ? now - 59 - random.nextInt(3)
                : now - 1 + random.nextLong(cluster.policy().horizon());
        if (random.nextInt(5) < 2) {
            request = request.ready(ready);
        }
        if (random.nextInt(5) < 3) {
            long slack = random.nextInt(6) - (rarely(random) ? 1 : 0);
            long from = request.terms().readyTime().orElse(now);
            request = request.deadline(from + duration + slack);
        }
        if (random.nextInt(4) == 0) {
            request = request.start(now - 1 + random.nextLong(cluster.policy().horizon() + 1));
        }
        if (random.nextInt(3) == 0) {
            request = request.hold(random.nextInt(8));
        }
        if (random.nextInt(2) == 0) {
            long highest = Math.max(1, 12 * pes * duration);
            request = request.budget(new Money(BigDecimal.valueOf(1 + random.nextLong(highest), 2), USD));
        }
        return random.nextInt(4) == 0 ? request.premium() : request;
    }

    private static boolean rarely(Random random) {
        return random.nextInt(12) == 0;
    }
}
