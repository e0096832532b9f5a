package berth.lab.workload;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class JobWindowsTest {
    private static final long DAYS_15 = 15L * 86_400;

    @TempDir
    private Path directory;

    @Test
    void cutsALogIntoWholeWindowsFromItsFirstSubmission() throws IOException {
        Path log = log(50, 149, 150, 249, 250, 260);

        JobWindows jobs = JobWindows.ofLog(log, 100);

        assertThat(jobs.source()).isEqualTo("log.swf");
        assertThat(jobs.windows()).hasSize(2);
        assertThat(jobs.windows().get(0)).extracting(SwfJob::submit).containsExactly(0L, 99L);
        assertThat(jobs.windows().get(1)).extracting(SwfJob::submit).containsExactly(0L, 99L);
        assertThat(jobs.first(1).windows()).containsExactly(jobs.windows().getFirst());
        assertThat(jobs.first(9)).isEqualTo(jobs);
    }

    @Test
    void reportsTheFaultsOfTheLogAndTheSizeOfItsMachine() throws IOException {
        Path file = log(50, 250, 149, 160);
        JobWindows jobs =
                JobWindows.ofLog(Files.writeString(file, "; MaxProcs: 4\n" + Files.readString(file) + "1 2\n"), 100);

        assertThat(jobs.windows()).hasSize(2);
        assertThat(jobs.windows().getFirst()).extracting(SwfJob::number).containsExactly(1L, 3L);
        assertThat(jobs.source()).isEqualTo("log.swf (1 line left out)");
        assertThat(jobs.machinePes()).hasValue(4);
        assertThat(jobs.first(1).faults().kinds()).containsOnlyKeys(LogFault.WRONG_FIELDS, LogFault.OUT_OF_ORDER);
    }

    @Test
    void refusesALogThatIsShorterThanAWindow() throws IOException {
        Path log = log(50, 149);

        assertThatThrownBy(() -> JobWindows.ofLog(log, 100))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("log.swf is shorter than one window of 100 s");
    }

    @Test
    void dropsWindowsInWhichNothingWasSubmitted() throws IOException {
        Path log = log(0, 250, 1_000_000_000_000L);

        assertThat(JobWindows.ofLog(log, 100).windows())
                .extracting(window -> window.getFirst().submit())
                .containsExactly(0L, 50L);
    }

    @Test
    void keepsTheWindowsThatHaveAMatchingJob() throws IOException {
        JobWindows jobs = JobWindows.ofLog(log(0, 110, 220, 300), 100);

        assertThat(jobs.having(job -> job.number() == 2).orElseThrow().windows())
                .containsExactly(jobs.windows().get(1));
        assertThat(jobs.having(job -> job.number() == 5)).isEmpty();
    }

    @Test
    void modelsWindowsWithTheWorkOfALog() {
        JobWindows jobs = JobWindows.modelled(1, 48, DAYS_15);

        assertThat(jobs.windows()).hasSize(48);
        assertThat(JobWindows.modelled(1, 3, DAYS_15).windows())
                .isEqualTo(jobs.windows().subList(0, 3));
        assertThat(JobWindows.modelled(2, 3, DAYS_15)).isNotEqualTo(JobWindows.modelled(1, 3, DAYS_15));
        double work = jobs.windows().stream()
                .flatMap(window -> window.stream())
                .filter(job -> job.runTime() >= 60)
                .mapToDouble(job -> (double) job.runTime() * job.pes())
                .sum();
        assertThat(work / (128.0 * 48 * DAYS_15)).isCloseTo(0.81, within(0.05));
    }

    private Path log(long... submits) throws IOException {
        var text = new StringBuilder("; UnixStartTime: 0\n");
        for (int i = 0; i < submits.length; i++) {
            text.append("%d %d -1 100 4 -1 -1 4 100 -1 1 1 1 1 1 1 -1 -1%n".formatted(i + 1, submits[i]));
        }
        return Files.writeString(directory.resolve("log.swf"), text);
    }
}
