package berth.yard;

import static org.assertj.core.api.Assertions.assertThat;

import berth.Seeds;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.ReentrantLock;
import org.junit.jupiter.api.Test;

/** Time and threads of a simulation. */
class SimulationTest {

    private final Simulation simulation = simulation(1);

    private static Simulation simulation(long seed) {
        return new Simulation(new Random(seed), Instant.parse("2027-01-01T12:00:00Z"), Duration.ZERO);
    }

    @Test
    void aDayPassesWhileNoThreadHasWork() {
        var process = simulation.new Process();
        var seen = new ArrayList<Instant>();
        process.begin("sleeper", () -> {
            process.pause(Duration.ofDays(1));
            seen.add(process.instant());
        });

        simulation.run(Duration.ofDays(2));

        assertThat(seen).containsExactly(Instant.parse("2027-01-02T12:00:00Z"));
        assertThat(simulation.elapsed()).isEqualTo(Duration.ofDays(2));
    }

    @Test
    void anUnansweredWaitTimesOut() {
        var process = simulation.new Process();
        var heard = new ArrayList<Duration>();
        process.begin("client", () -> {
            try {
                process.get(new CompletableFuture<>(), Duration.ofSeconds(10));
            } catch (TimeoutException e) {
                heard.add(simulation.elapsed());
            } catch (Exception e) {
                throw new AssertionError(e);
            }
        });

        simulation.run(Duration.ofMinutes(1));

        assertThat(heard).containsExactly(Duration.ofSeconds(10));
    }

    @Test
    void noThreadOfADeadProcessGoesOn() {
        var process = simulation.new Process();
        var ran = new ArrayList<String>();
        process.begin("victim", () -> {
            ran.add("before");
            process.pause(Duration.ofSeconds(2));
            ran.add("after");
        });

        simulation.run(Duration.ofSeconds(1));
        process.die();
        simulation.run(Duration.ofSeconds(5));

        assertThat(ran).containsExactly("before");
    }

    @Test
    void aSeedDrawsTheOrderInWhichThreadsGoOn() {
        assertThat(order(1)).isEqualTo(order(1)).containsExactlyInAnyOrder(0, 1, 2, 3, 4, 5, 6, 7);
        assertThat(order(1)).isNotEqualTo(order(2));
    }

    private static List<Integer> order(long seed) {
        var simulation = simulation(seed);
        var process = simulation.new Process();
        var lock = new ReentrantLock();
        var order = new ArrayList<Integer>();
        for (int i = 0; i < 8; i++) {
            int number = i;
            process.begin("client " + i, () -> {
                lock.lock();
                try {
                    process.pause(Duration.ofSeconds(1));
                    order.add(number);
                } finally {
                    lock.unlock();
                }
            });
        }
        simulation.run(Duration.ofMinutes(1));
        return order;
    }

    @Test
    void anExceptionInAThreadEndsTheSimulation() {
        var process = simulation.new Process();
        process.begin("liar", () -> {
            throw new AssertionError("a lie");
        });

        org.assertj.core.api.Assertions.assertThatThrownBy(() -> simulation.run(Duration.ofSeconds(1)))
                .hasMessage("a lie");
    }

    /** Independent of random hash codes of objects. */
    @Test
    void aSeedAlwaysMakesTheSameHistory() {
        for (long seed = 60; seed < 60 + Seeds.of(40); seed++) {
            var first = new Yard(seed, Swarm.of(seed), new Coverage());
            var second = new Yard(seed, Swarm.of(seed), new Coverage());
            first.run();
            second.run();

            assertThat(first.simulation().steps())
                    .as("steps of seed %d", seed)
                    .isGreaterThan(100)
                    .isEqualTo(second.simulation().steps());
            assertThat(first.reservations()).isEqualTo(second.reservations());
            assertThat(first.simulation().elapsed())
                    .isEqualTo(second.simulation().elapsed());
        }
    }
}
