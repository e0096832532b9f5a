package berth.lab.workload;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import berth.lab.workload.BatchLog.Soundness;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class BatchLogTest {
    private static final String RECORD = "%d %d 0 %d %d 0 0 %d %d 0 1 1 1 1 1 1 -1 -1\n";

    @TempDir
    private Path directory;

    @Test
    void takesTheFirstSoundJobsInNodes() throws IOException {
        var log = BatchLog.ofLog(
                log("; MaxNodes: 144\n; MaxProcs: 1152\n"
                        + record(1, 0, 100, 32, 32, 300)
                        + record(2, 5, 0, 32, 32, 300) // did not run
                        + record(3, 6, 100, -1, 32, 300) // was given nothing
                        + record(4, 7, 100, 32, 32, -1) // without an estimate
                        + record(5, 8, 100, 1160, 1160, 300) // larger than the machine
                        + record(8, 8, 100, 32, 32, 315_360_001) // estimated at more than ten years
                        + record(6, 9, 400, 9, 9, 300)
                        + record(7, 10, 1, 1, 1, 1)),
                2);

        assertThat(log.nodes()).isEqualTo(144);
        assertThat(log.source()).isEqualTo("log.swf (1 line left out)");
        assertThat(log.faults().kinds()).containsOnlyKeys(LogFault.TOO_LARGE);
        assertThat(log.jobs()).containsExactly(new QueuedJob(1, 0, 4, 300, 100), new QueuedJob(6, 9, 2, 300, 300));
    }

    @Test
    void leavesOutJobsThatRanTooLongOrWereNotCompletedWhereTheseAreNotSound() throws IOException {
        var log = JobLog.read(log("; MaxProcs: 128\n"
                + "1 0 0 100 4 0 0 4 300 0 1 1 1 1 1 1 -1 -1\n"
                + "2 5 0 301 4 0 0 4 300 0 1 1 1 1 1 1 -1 -1\n"
                + "3 6 0 300 4 0 0 4 300 0 5 1 1 1 1 1 -1 -1\n"
                + "4 7 0 0 4 0 0 4 300 0 1 1 1 1 1 1 -1 -1\n"));

        assertThat(numbers(BatchLog.ofLog(log, Soundness.RAN, 10))).containsExactly(1L, 2L, 3L);
        assertThat(numbers(BatchLog.ofLog(log, Soundness.IN_TIME, 10))).containsExactly(1L, 3L);
        assertThat(numbers(BatchLog.ofLog(log, Soundness.COMPLETED, 10))).containsExactly(1L);
        assertThat(BatchLog.ofLog(log, Soundness.COMPLETED, 10).source()).isEqualTo("log.swf (COMPLETED)");
    }

    private static List<Long> numbers(BatchLog log) {
        return log.jobs().stream().map(QueuedJob::number).toList();
    }

    @Test
    void submitsTheSameJobsAtShorterIntervals() throws IOException {
        var log = BatchLog.ofLog(
                log("; MaxProcs: 128\n"
                        + record(1, 100, 100, 32, 32, 300)
                        + record(2, 200, 50, 8, 8, 60)
                        + record(3, 400, 10, 1, 1, 10)),
                10);

        var denser = log.arrivingEvery(50);

        assertThat(denser.jobs())
                .containsExactly(
                        new QueuedJob(1, 100, 32, 300, 100),
                        new QueuedJob(2, 150, 8, 60, 50),
                        new QueuedJob(3, 250, 1, 10, 10));
        assertThat(denser.source()).isEqualTo("log.swf, one in 50.0 s");
    }

    @Test
    void countsProcessorsWhereTheHeaderKnowsNoNodes() throws IOException {
        var log = BatchLog.ofLog(log("; MaxProcs: 128\n" + record(1, 0, 100, 32, 32, 300)), 10);

        assertThat(log.nodes()).isEqualTo(128);
        assertThat(log.jobs()).extracting(QueuedJob::pes).containsExactly(32);
    }

    @Test
    void namesTheMissingPartsOfALog() throws IOException {
        var nameless = log(record(1, 0, 100, 32, 32, 300));
        assertThatThrownBy(() -> BatchLog.ofLog(nameless, 1)).hasMessageContaining("MaxProcs");
        var unsound = log("; MaxProcs: 128\n" + record(1, 0, -1, 32, 32, 300));
        assertThatThrownBy(() -> BatchLog.ofLog(unsound, 1)).hasMessageContaining("has no job");
    }

    @Test
    void modelsJobsThatAskForAsMuchAndAreOverestimatedAsMuchAsThoseOfTheLog() {
        var log = BatchLog.modelled(7, 2000);

        assertThat(log).isEqualTo(BatchLog.modelled(7, 2000)).isNotEqualTo(BatchLog.modelled(8, 2000));
        double area = log.jobs().stream()
                .mapToDouble(job -> (double) job.pes() * job.runTime())
                .sum();
        assertThat(area / (144.0 * log.jobs().getLast().submit())).isCloseTo(0.63, within(0.001));
        assertThat(log.jobs().stream()
                        .mapToDouble(job -> (double) job.estimate() / job.runTime())
                        .average()
                        .orElseThrow())
                .isCloseTo(3.85, within(0.2));
        assertThat(log.jobs()).allMatch(job -> job.pes() <= 144 && job.estimate() >= job.runTime());
        assertThat(log.exactlyEstimated().jobs()).allMatch(job -> job.estimate() == job.runTime());
    }

    private static String record(long number, long submit, long run, long allocated, long requested, long estimate) {
        return RECORD.formatted(number, submit, run, allocated, requested, estimate);
    }

    private Path log(String text) throws IOException {
        return Files.writeString(directory.resolve("log.swf"), text);
    }

    @Test
    void goesOnAfterTheFirstJobs() {
        BatchLog log = BatchLog.modelled(1, 50);

        assertThat(log.first(20).jobs()).isEqualTo(log.jobs().subList(0, 20));
        assertThat(log.first(99)).isEqualTo(log);
        assertThat(log.after(20).orElseThrow().jobs()).isEqualTo(log.jobs().subList(20, 50));
        assertThat(log.after(20).orElseThrow().source()).isEqualTo("modelled jobs of seed 1 from its sound job 21 on");
        assertThat(log.after(50)).isEmpty();
    }
}
