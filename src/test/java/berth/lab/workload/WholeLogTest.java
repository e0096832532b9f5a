package berth.lab.workload;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/**
 * Reads the SDSC SP2 log of the Parallel Workloads Archive, which is not part of the sources. The system property or environment variable
 * {@code BERTH_TRACES} names its directory; otherwise the test is skipped.
 */
class WholeLogTest {
    private static final String NAME = "SDSC-SP2-1998-4.2-cln.swf.gz";

    @Test
    void readsEveryJobOfTheLog() {
        JobLog log = JobLog.read(log());

        assertThat(log.header().machinePes()).hasValue(128);
        assertThat(log.header().number("MaxRecords")).hasValue(59_715);
        assertThat(log.faults()).isEqualTo(LogFaults.NONE);
        assertThat(log.jobs()).hasSize(59_715);
        assertThat(log.jobs().stream().filter(job -> job.runTime() >= 60)).hasSize(41_036);
    }

    @Test
    void offersTheLoadOfTheLogIn48Windows() {
        var recipe = new AdvanceReservationRecipe(128, 1, 0, 50);
        long days15 = 15 * 86_400;
        double area = 0;
        var requests = new WindowedRequests(JobLog.read(log()), recipe, new LogWindow(0, 48 * days15));
        while (requests.hasNext()) {
            area += requests.next().area();
        }
        assertThat(requests.leftOut()).containsOnlyKeys(SkipReason.SHORT);
        assertThat(area / (128.0 * 48 * days15)).isCloseTo(0.81, within(0.03));
    }

    @Test
    void has48WholeWindowsOf15Days() {
        JobWindows jobs = JobWindows.ofLog(log(), 15 * 86_400);

        assertThat(jobs.windows()).hasSize(48);
        assertThat(jobs.windows().stream()
                        .flatMap(window -> window.stream())
                        .filter(job -> SkipReason.reason(job, 128).isEmpty()))
                .hasSize(40_824);
    }

    private static Path log() {
        String property = System.getProperty("BERTH_TRACES", System.getenv().getOrDefault("BERTH_TRACES", ""));
        assumeTrue(!property.isEmpty(), "BERTH_TRACES names no directory of logs");
        Path log = Path.of(property, NAME);
        assumeTrue(Files.exists(log), log + " is not there");
        return log;
    }
}
