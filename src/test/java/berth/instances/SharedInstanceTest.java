package berth.instances;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import berth.engine.ThreadsOfTheJvm;
import berth.instances.Instance.State;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class SharedInstanceTest {

    private static final String WRONG_CLOCK = "The clock is wrong. Correct it.";

    private final Instance self = instance(State.STANDBY);
    private final SimpleMeterRegistry registry = new SimpleMeterRegistry();
    private final List<Roll.Row> others = new CopyOnWriteArrayList<>();

    private volatile Optional<String> obstacle = Optional.empty();
    private volatile Optional<String> refusal = Optional.empty();

    private final ThreadsOfTheJvm threads = new ThreadsOfTheJvm();

    private final SharedInstance member =
            new SharedInstance(Listed::new, new Place(), () -> self, SharedInstance.SHORTEST_LEASE, threads, registry);

    private static Instance instance(State state) {
        return new Instance(
                UUID.randomUUID(),
                "name",
                URI.create("http://10.0.0.7:8080"),
                "1",
                state,
                Instant.EPOCH,
                Instant.EPOCH);
    }

    @AfterEach
    void end() {
        member.close();
    }

    /** Otherwise the wrong clock shows when the only instance left refuses to take over. */
    @Test
    void aStandbyReportsAnObstacleBeforeItHasToTakeOver() {
        others.add(new Roll.Row(instance(State.ACTIVE), Duration.ZERO, true));
        obstacle = Optional.of(WRONG_CLOCK);

        member.standBy();

        await().untilAsserted(() -> assertThat(member.obstacle()).contains(WRONG_CLOCK));
        assertThat(obstructed()).isEqualTo(1);
        obstacle = Optional.empty();
        await().untilAsserted(() -> assertThat(member.obstacle()).isEmpty());
        assertThat(obstructed()).isZero();
    }

    private double obstructed() {
        return registry.get("berth.standby.obstructed").gauge().value();
    }

    @Test
    void aRefusedTakeoverIsReportedAsAnObstacle() {
        refusal = Optional.of(WRONG_CLOCK);

        member.standBy();

        await().untilAsserted(() -> assertThat(member.obstacle()).contains(WRONG_CLOCK));
        assertThat(member.turn()).isInstanceOf(Instances.Turn.Nobody.class);
    }

    @Test
    void theActiveInstanceHasNoObstacle() {
        member.standBy();

        await().until(() -> member.turn() instanceof Instances.Turn.Here);
        assertThat(member.obstacle()).isEmpty();
    }

    @Test
    void noThreadOfAClosedInstanceGoesOn() {
        member.standBy();
        await().until(() -> member.turn() instanceof Instances.Turn.Here);

        member.close();

        assertThat(threads.living()).isEmpty();
    }

    private final class Place implements WriterRole {
        @Override
        public void rehearse() {
            // nothing to rehearse
        }

        @Override
        public void follow() {
            // nothing to follow
        }

        @Override
        public void take() {
            refusal.ifPresent(why -> {
                throw new Refused(why);
            });
        }

        @Override
        public void open() {
            // no desks
        }

        @Override
        public void replaced(String successor) {
            throw new AssertionError(successor);
        }

        @Override
        public void leave() {
            // no desks
        }
    }

    /** A session on a list without a database. */
    private final class Listed implements Roll {
        private boolean isHolder;

        @Override
        public void enter(Instance entered) {
            // always listed
        }

        @Override
        public boolean beat(UUID instance, State state) {
            return true;
        }

        @Override
        public List<Row> all() {
            var rows = new ArrayList<>(others);
            rows.add(new Row(self, Duration.ZERO, isHolder));
            return rows;
        }

        @Override
        public Optional<String> successor() {
            return Optional.empty();
        }

        @Override
        public Optional<String> obstacle() {
            return obstacle;
        }

        @Override
        public boolean tryLock() {
            isHolder = others.isEmpty();
            return isHolder;
        }

        @Override
        public void unlock() {
            isHolder = false;
        }

        @Override
        public void endSessions(UUID instance) {
            throw new AssertionError("Nobody is silent.");
        }

        @Override
        public void remove(UUID instance) {
            // always listed
        }

        @Override
        public void close() {
            // no connection
        }
    }
}
