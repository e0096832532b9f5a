package berth.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import berth.database.Database;
import berth.database.Fence;
import berth.database.ProjectionProgress;
import berth.reservation.ClusterId;
import berth.store.Projection.Step;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import org.hibernate.SessionFactory;
import org.junit.jupiter.api.Test;

/** The tables continue to follow the journal after any failure. */
class ProjectorTest {

    @Test
    void theProjectorGoesOnAfterAnError() throws Exception {
        var cluster = new ClusterId("c");
        var transactions = new AtomicInteger();
        var sessions = (SessionFactory) Proxy.newProxyInstance(
                SessionFactory.class.getClassLoader(), new Class<?>[] {SessionFactory.class}, (_, _, _) -> {
                    if (transactions.incrementAndGet() < 3) {
                        throw new OutOfMemoryError("as the test wants it");
                    }
                    return new Step(1, Optional.empty());
                });
        var progress = new ProjectionProgress();
        try (var projector = new Projector(
                new Database(sessions, progress, Fence.NONE),
                progress,
                InstantSource.system(),
                new SimpleMeterRegistry())) {
            projector.start();
            progress.recorded(cluster, 1);

            assertThatCode(() -> progress.awaitProjected(Duration.ofSeconds(20)))
                    .doesNotThrowAnyException();
            assertThat(transactions).hasValue(3);
        }
    }
}
