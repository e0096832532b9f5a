package berth.lab.workload;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SacctTableTest {
    /** 2026-01-02T08:00:00 */
    private static final long EIGHT = 1_767_340_800;

    @TempDir
    private Path directory;

    @Test
    void readsJobsByTheNamesOfTheColumnsAndSortsThemBySubmission() throws URISyntaxException {
        JobLog log = sample();

        assertThat(log.header().machinePes()).hasValue(64);
        assertThat(log.jobs())
                .containsExactly(
                        new SwfJob(101, EIGHT, 3_600, 16, 16, 7_200, 1),
                        new SwfJob(102, EIGHT + 600, 7_200, 8, 8, -1, 2),
                        new SwfJob(103, EIGHT + 1_800, 30, 2, 1, -1, 2),
                        new SwfJob(104, EIGHT + 3_600, 0, -1, 32, 3_600, 1),
                        new SwfJob(105, EIGHT + 4_200, -1, 4, 4, 3_600, 3),
                        new SwfJob(106, EIGHT + 4_800, -1, -1, 4, 3_600, 3));
    }

    @Test
    void countsTheRowsThatCannotBeUsed() throws URISyntaxException {
        assertThat(sample().faults().texts())
                .containsExactly(
                        "2 lines with a wrong number of fields (lines 12, 17)",
                        "1 line with a field that is not the number or time that it should be (line 16)",
                        "1 line without a submission time (line 14)",
                        "1 line with a negative time (line 15)",
                        "1 line with a job larger than the machine (line 13)");
        assertThat(sample().source()).isEqualTo("sacct.txt (6 lines left out)");
    }

    @Test
    void readsTimesAndNumbersInEitherForm() throws IOException {
        assertThat(jobs("JobID|Submit|Elapsed|Timelimit|AllocCPUS\n1|1767340800|1-02:03:04|2-00:00:00|4\n"))
                .containsExactly(new SwfJob(1, EIGHT, 93_784, 4, -1, 172_800, -1));
        assertThat(jobs("jobid|submit|elapsed|timelimit|alloccpus\n1|1767340800|05:06|00:30:00|4\n"))
                .containsExactly(new SwfJob(1, EIGHT, 306, 4, -1, 1_800, -1));
        assertThat(jobs("JobID|Submit|Start|End|NCPUS\n1|1767340800|2026-01-02T08:00:10|2026-01-02T08:01:00|4\n"))
                .containsExactly(new SwfJob(1, EIGHT, 50, 4, -1, -1, -1));
    }

    @Test
    void countsARunThatEndsBeforeItBeginsAsANegativeTime() throws IOException {
        String heading = "JobID|Submit|Start|End|NCPUS\n1|100|100|200|4\n";

        assertThat(read(heading + "2|100|200|199|4\n").faults().kinds()).containsOnlyKeys(LogFault.NEGATIVE_TIME);
        assertThat(read(heading + "2|-1|200|300|4\n").faults().kinds()).containsOnlyKeys(LogFault.NEGATIVE_TIME);
    }

    @Test
    void numbersTasksAndComponentsUnlikeAnyOtherJob() throws IOException {
        assertThat(
                        jobs(
                                "JobID|Submit|ElapsedRaw|AllocCPUS\n" //
                                        + "12|1|60|4\n12_0|1|60|4\n12_3|1|60|4\n12+0|1|60|4\n12+3|1|60|4\n12_[4-9]|1|0|4\n12.batch|1|60|4\n"))
                .extracting(SwfJob::number)
                .containsExactly(12L, 120_000_000_000L, 120_000_000_003L, 125_000_000_000L, 125_000_000_003L);
    }

    /** Job numbers have ten digits on federated clusters. */
    @Test
    void acceptsTheLargestNumbersAndDates() throws IOException {
        JobLog log = read("JobID|Submit|ElapsedRaw|AllocCPUS\n"
                + "4294967295|1|60|4\n900000000_1|1|60|4\n922337204_0|1|60|4\n12|+999999999-01-01T00:00:00|60|4\n");

        assertThat(log.jobs()).extracting(SwfJob::number).containsExactly(4_294_967_295L, 9_000_000_000_000_000_001L);
        assertThat(log.faults().texts())
                .containsExactly("2 lines with a field that is not the number or time that it should be (lines 4, 5)");
    }

    /** Reads the format of {@code sacct --parsable}. */
    @Test
    void readsRowsThatEndWithASeparator() throws IOException {
        assertThat(jobs("JobID|Submit|ElapsedRaw|AllocCPUS|\n12|1|60|4|\n")).hasSize(1);
    }

    @Test
    void saysWhichColumnsAreLackingAndHowToPrintThem() {
        assertThatThrownBy(() -> read("JobID|State\n1|COMPLETED\n"))
                .isInstanceOf(UnusableLog.class)
                .hasMessageContaining(
                        "names no column Submit, nor ElapsedRaw or Elapsed or Start and End, nor ReqCPUS or AllocCPUS")
                .hasMessageContaining("sacct -a -X --parsable2 --format=JobIDRaw,Submit");
        assertThatThrownBy(() -> read("12|2026-01-02T08:00:00|60|4\n"))
                .isInstanceOf(UnusableLog.class)
                .hasMessageContaining("names no column JobIDRaw or JobID");
    }

    @Test
    void reportsATableWithoutJobs() {
        assertThatThrownBy(() -> read("JobID|Submit|ElapsedRaw|AllocCPUS\n"))
                .isInstanceOf(UnusableLog.class)
                .hasMessageContaining("has no jobs");
    }

    private static String rows(String... rows) {
        return "JobIDRaw|Submit|ElapsedRaw|AllocCPUS|State|User\n" + String.join("\n", rows) + "\n";
    }

    @Test
    void leavesOutEarlierAttemptsOfRequeuedJobs() throws IOException {
        JobLog log = read(rows(
                "1|100|30|4|REQUEUED|ada",
                "1|100|60|4|COMPLETED|ada",
                "2|200|30|4|REQUEUED|ada",
                "2|290|70|4|COMPLETED|ada",
                "3|300|30|4|REQUEUED|ada"));

        assertThat(log.jobs()).extracting(SwfJob::number).containsExactly(1L, 2L);
        assertThat(log.jobs()).extracting(SwfJob::runTime).containsExactly(60L, 70L);
        assertThat(log.faults().texts())
                .containsExactly("3 lines with an attempt of a job that was queued again (lines 2, 4, 6)");
    }

    @Test
    void theLastRowThatShowsTheEndOfAJobCounts() throws IOException {
        JobLog log = read(rows(
                "1|100|0|4|PENDING|ada",
                "2|200|30|4|RUNNING|ada",
                "3|300|30|4|COMPLETED|ada",
                "1|100|10|8|RUNNING|ada",
                "2|200|90|4|COMPLETED|ada",
                "3|300|30|4|COMPLETED|ada",
                "2|200|40|4|RUNNING|ada"));

        assertThat(log.jobs()).extracting(SwfJob::runTime).containsExactly(-1L, 90L, 30L);
        assertThat(log.jobs()).extracting(SwfJob::allocatedPes).containsExactly(8L, 4L, 4L);
        assertThat(log.faults().texts())
                .singleElement()
                .asString()
                .startsWith("4 lines with another row of a job above");
    }

    @Test
    void aReusedNumberIsAnotherJob() throws IOException {
        JobLog log = read(rows(
                "1|100|30|4|COMPLETED|ada",
                "1|900000|40|4|COMPLETED|bob",
                "1|1900000|50|4|COMPLETED|bob",
                "1|900000|60|4|COMPLETED|bob"));

        assertThat(log.jobs()).extracting(SwfJob::runTime).containsExactly(30L, 60L, 50L);
        assertThat(log.jobs()).extracting(SwfJob::number).doesNotHaveDuplicates();
        assertThat(log.jobs().getFirst().number()).isEqualTo(1);
        assertThat(log.faults().texts())
                .anySatisfy(text -> assertThat(text).startsWith("2 lines with the number of an earlier job that"))
                .anySatisfy(text -> assertThat(text).startsWith("1 line with another row"));
        assertThat(log.source()).endsWith("(1 line left out)");
    }

    private JobLog read(String text) throws IOException {
        return JobLog.read(Files.writeString(directory.resolve("jobs.txt"), text));
    }

    private List<SwfJob> jobs(String text) throws IOException {
        JobLog log = read(text);
        assertThat(log.faults()).isEqualTo(LogFaults.NONE);
        return log.jobs();
    }

    private static JobLog sample() throws URISyntaxException {
        return JobLog.read(Path.of(Objects.requireNonNull(SacctTableTest.class.getResource("sacct.txt"))
                .toURI()));
    }
}
