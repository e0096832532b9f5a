package berth.database;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import berth.reservation.ClusterId;
import berth.runtime.StorageUnavailable;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(30)
class ProjectionProgressTest {

    private static final ClusterId ONE = new ClusterId("one");
    private static final ClusterId TWO = new ClusterId("two");
    private static final Duration LONG = Duration.ofSeconds(20);
    private static final Duration SHORT = Duration.ofMillis(20);

    private final ProjectionProgress progress = new ProjectionProgress();

    @Test
    void aReaderWaitsOnlyForBatchesRecordedBeforeIt() throws Exception {
        progress.recorded(ONE, 7);
        progress.recorded(TWO, 2);
        assertThatThrownBy(() -> progress.awaitProjected(SHORT)).isInstanceOf(StorageUnavailable.class);

        var reader = CompletableFuture.runAsync(() -> progress.awaitProjected(LONG));
        progress.awaitWork(LONG);
        progress.recorded(ONE, 9);
        progress.projected(TWO, 2, 0);
        progress.projected(ONE, 6, 0);
        assertThat(reader).isNotDone();
        progress.projected(ONE, 7, 0);
        reader.get(10, TimeUnit.SECONDS);

        assertThat(progress.behind()).isEqualTo(2);
    }

    @Test
    void aReaderDoesNotWaitIfTheTablesAreUpToDate() {
        progress.projected(ONE, 7, 0);
        progress.recorded(ONE, 7);

        progress.awaitProjected(Duration.ZERO);
        progress.awaitRoom(0, Duration.ZERO);
        assertThat(progress.behind()).isZero();
        assertThat(progress.stuckFor()).isZero();
    }

    /** Writes to the tables do not wait for the disk, so another server may lack them. */
    @Test
    void afterAChangeOfServerReadersWaitForTheTablesAgain() throws Exception {
        progress.recorded(ONE, 7);
        progress.projected(ONE, 7, 0);

        progress.reset();

        assertThatThrownBy(() -> progress.awaitProjected(SHORT)).isInstanceOf(StorageUnavailable.class);
        assertThat(progress.awaitWork(SHORT)).containsExactly(ONE);
        // what was written before no longer counts
        progress.projected(ONE, 7, 0);
        assertThatThrownBy(() -> progress.awaitProjected(SHORT)).isInstanceOf(StorageUnavailable.class);
        progress.projected(ONE, 5, progress.resets());
        assertThat(progress.behind()).isEqualTo(2);
        progress.projected(ONE, 7, progress.resets());
        progress.awaitProjected(Duration.ZERO);
    }

    @Test
    void aWriterWaitsUntilThereIsRoom() throws Exception {
        progress.projected(ONE, 100, 0);
        progress.recorded(ONE, 110);
        assertThatThrownBy(() -> progress.awaitRoom(5, SHORT)).isInstanceOf(StorageUnavailable.class);

        var writer = CompletableFuture.runAsync(() -> progress.awaitRoom(5, LONG));
        progress.projected(ONE, 104, 0);
        assertThat(writer).isNotDone();
        progress.projected(ONE, 105, 0);
        writer.get(10, TimeUnit.SECONDS);
    }

    /** Progress of another cluster does not hide it. */
    @Test
    void aSingleStuckClusterIsDetected() throws Exception {
        progress.recorded(ONE, 1);
        progress.recorded(TWO, 1);
        Thread.sleep(SHORT);
        progress.projected(TWO, 1, 0);

        assertThat(progress.stuckFor()).isGreaterThanOrEqualTo(SHORT);
        assertThat(progress.awaitWork(Duration.ZERO)).containsExactly(ONE);
    }

    @Test
    void theProjectorGathersWorkUntilAReaderWaits() throws Exception {
        progress.recorded(ONE, 1);
        var work = CompletableFuture.supplyAsync(() -> {
            try {
                return progress.awaitWork(LONG);
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        });
        progress.recorded(TWO, 1);
        assertThatThrownBy(() -> work.get(50, TimeUnit.MILLISECONDS)).isInstanceOf(TimeoutException.class);

        assertThatThrownBy(() -> progress.awaitProjected(SHORT)).isInstanceOf(StorageUnavailable.class);

        assertThat(work.get(10, TimeUnit.SECONDS)).containsExactlyInAnyOrder(ONE, TWO);
    }
}
