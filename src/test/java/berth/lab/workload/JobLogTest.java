package berth.lab.workload;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class JobLogTest {
    private static final String LOG = """
            ; Version: 2.2
            ; Computer: IBM SP2
            ; UnixStartTime: 893466664
            ; MaxNodes: 64 (two PEs each)
            ; MaxProcs: 128
            ; Queue:  0  interactive
            ; Queue:  1  express
            ;
               1   100      5  28826    1  27758    -1    2  28800    -1  5 153  75 18180  3 -1 -1 -1

               2   100.9  532   7.38   32   7.38    -1   -1     -1    -1  1   6  75 18184  3 -1 -1 -1
            ; a remark between the jobs
               3   250     -1     -1   -1     -1    -1   38   6900    -1  5 189  75 18288  5 -1 -1 -1
            """;

    @TempDir
    Path directory;

    @Test
    void readsThePlainLog() throws IOException {
        assertThat(jobsOf(file("log.swf", bytes(LOG))))
                .containsExactly(
                        new SwfJob(1, 100, 28_826, 1, 2, 28_800, 153, 5, 3),
                        new SwfJob(2, 100, 8, 32, -1, -1, 6, 1, 3),
                        new SwfJob(3, 250, -1, -1, 38, 6_900, 189, 5, 5));
    }

    @Test
    void readsACompressedLogWithAnyName() throws IOException {
        assertThat(jobsOf(file("log.txt", gzip(LOG)))).isEqualTo(jobsOf(file("log.swf", bytes(LOG))));
    }

    @Test
    void readsTheHeader() throws IOException {
        SwfHeader header = JobLog.read(file("log.swf", bytes(LOG))).header();

        assertThat(header.machinePes()).hasValue(128);
        assertThat(header.number("MaxNodes")).hasValue(64);
        assertThat(header.unixStartTime()).hasValue(893_466_664);
        assertThat(header.fields()).containsEntry("Computer", "IBM SP2").containsEntry("Queue", "0  interactive");
        assertThat(header.number("MaxJobs")).isEmpty();
    }

    @Test
    void takesTheNodesWhereTheProcessorsAreUnknown() {
        assertThat(SwfHeader.of(List.of("; MaxProcs: -1", "; MaxNodes: 256")).machinePes())
                .hasValue(256);
        assertThat(SwfHeader.of(List.of("; Version: 2")).machinePes()).isEmpty();
    }

    @Test
    void fallsBackToTheAllocationWhereTheRequestIsUnknown() {
        assertThat(new SwfJob(1, 0, 60, 4, 8, -1, -1).pes()).isEqualTo(8);
        assertThat(new SwfJob(1, 0, 60, 4, -1, -1, -1).pes()).isEqualTo(4);
    }

    @Test
    void readsALogThatAnEditorHasMarkedAndWhoseLinesEndAsOnWindows() throws IOException {
        Path file = file("log.swf", bytes("\u00ef\u00bb\u00bf" + LOG.replace("\n", "\r\n")));

        assertThat(JobLog.read(file).faults()).isEqualTo(LogFaults.NONE);
        assertThat(JobLog.read(file).header().fields()).containsKey("Version");
        assertThat(jobsOf(file)).hasSize(3);
    }

    @Test
    void readsALogWhoseLastLineHasNoEnd() throws IOException {
        assertThat(jobsOf(file("log.swf", bytes(LOG.strip())))).hasSize(3);
    }

    @Test
    void findsNoFaultInASoundLog() throws IOException {
        JobLog log = read(LOG);

        assertThat(log.faults()).isEqualTo(LogFaults.NONE);
        assertThat(log.faults().texts()).isEmpty();
        assertThat(log.source()).isEqualTo("log.swf");
    }

    @Test
    void leavesOutTheLineThatWasCut() throws IOException {
        JobLog log = read(LOG.strip().substring(0, LOG.strip().length() - 20));

        assertThat(log.faults().texts()).containsExactly("1 line with a wrong number of fields (line 13)");
        assertThat(log.jobs()).extracting(SwfJob::number).containsExactly(1L, 2L);
        assertThat(log.source()).isEqualTo("log.swf (1 line left out)");
    }

    @Test
    void namesTheFirstLinesOfAFaultAndCountsTheOthers() throws IOException {
        JobLog log = read(manyJobs(20) + "1 2 3\n".repeat(4) + "1 2\n".repeat(4));

        assertThat(log.jobs()).hasSize(20);
        assertThat(log.faults().texts())
                .containsExactly("8 lines with a wrong number of fields (lines 21, 22, 23, 24, 25 and 3 more)");
    }

    @Test
    void leavesOutFieldsThatAreNoNumbers() throws IOException {
        for (String text : List.of("eight", "NaN", "Infinity", "1e300", "0x1p3p")) {
            JobLog log = read(LOG.replace("28826", text));

            assertThat(log.faults().texts())
                    .containsExactly("1 line with a field that is not the number or time that it should be (line 9)");
            assertThat(log.jobs()).hasSize(2);
        }
    }

    @Test
    void leavesOutNegativeTimesButNotThoseThatAreUnknown() throws IOException {
        assertThat(read(LOG.replace(" 28826 ", " -2 ")).faults().texts())
                .containsExactly("1 line with a negative time (line 9)");
        assertThat(read(LOG.replace(" 28800 ", " -60 ")).faults().kinds()).containsOnlyKeys(LogFault.NEGATIVE_TIME);
        assertThat(read(LOG.replace("   100   ", "   -1   ")).faults().kinds())
                .containsOnlyKeys(LogFault.NEGATIVE_TIME);
        assertThat(read(LOG.replace(" 28826 ", " -1 ").replace(" 28800 ", " -1 "))
                        .jobs())
                .hasSize(3);
    }

    @Test
    void sortsJobsSubmittedBeforeTheJobAbove() throws IOException {
        JobLog log = read(LOG.replace(" 250 ", " 99 "));

        assertThat(log.faults().texts())
                .containsExactly(
                        "1 line with a job that was submitted before the job above it and has been sorted in (line 13)");
        assertThat(log.jobs()).extracting(SwfJob::number).containsExactly(3L, 1L, 2L);
        assertThat(log.source()).as("nothing was left out").isEqualTo("log.swf");
    }

    @Test
    void leavesOutJobsThatAreLargerThanTheMachine() throws IOException {
        JobLog log = read(LOG.replace("MaxProcs: 128", "MaxProcs: 37"));

        assertThat(log.faults().texts()).containsExactly("1 line with a job larger than the machine (line 13)");
        assertThat(log.jobs()).hasSize(2);
    }

    @Test
    void skipsATooLongLine() throws IOException {
        JobLog log = read("7".repeat(1_000_000) + "\n" + manyJobs(2));

        assertThat(log.faults().texts()).containsExactly("1 line longer than 10000 characters (line 1)");
        assertThat(log.jobs()).hasSize(2);
    }

    @Test
    void readsTheJobsBeforeACutInCompressedData() throws IOException {
        byte[] whole = gzip(LOG + "\n" + manyJobs(5_000));
        Path half = file("half.swf.gz", Arrays.copyOf(whole, whole.length / 2));
        Path nearlyAll = file("nearly.swf.gz", Arrays.copyOf(whole, whole.length - 4));

        assertThat(JobLog.read(nearlyAll).jobs()).hasSize(5_003);
        assertThat(JobLog.read(nearlyAll).faults().texts())
                .containsExactly(
                        "1 line at which the compressed data end early or are damaged; the rest of the log is lost (line 5015)");
        JobLog log = JobLog.read(half);
        assertThat(log.jobs()).hasSizeBetween(1_500, 4_000);
        assertThat(log.faults().kinds()).containsOnlyKeys(LogFault.DAMAGED);
        assertThat(log.faults().texts().getFirst())
                .contains("(line " + (log.jobs().size() + 12) + ")");
    }

    @Test
    void readsTheJobsBeforeDamagedData() throws IOException {
        byte[] damaged = gzip(LOG + manyJobs(5_000));
        Arrays.fill(damaged, damaged.length / 2, damaged.length / 2 + 20, (byte) 0x55);
        JobLog log = JobLog.read(file("damaged.swf.gz", damaged));

        assertThat(log.jobs()).hasSizeGreaterThan(1_500);
        assertThat(log.faults().kinds()).containsKey(LogFault.DAMAGED);
    }

    @Test
    void refusesCompressedDataThatEndBeforeTheFirstJob() throws IOException {
        for (int length : new int[] {2, 9, 30}) {
            refuses(
                    file("cut.swf.gz", Arrays.copyOf(gzip(LOG), length)),
                    "cut.swf.gz: has no usable job: 1 line at which the compressed data end early");
        }
    }

    @Test
    void rejectsTextThatIsNotALog() throws IOException {
        refuses(
                file("page.html", bytes("<!DOCTYPE html>\n<title>Not here</title>\n")),
                "page.html: has no usable job: 2 lines with a wrong number of fields (lines 1, 2). Give a log");
    }

    @Test
    void rejectsALogWithMostlyUnusableLines() throws IOException {
        assertThat(read(manyJobs(3) + "1 2\n".repeat(3)).jobs()).hasSize(3);
        refuses(
                file("log.swf", bytes(manyJobs(3) + "1 2\n".repeat(4))),
                "most of its lines are not jobs: 4 lines with a wrong number of fields (lines 4, 5, 6, 7). Check that it is a log and that its columns");
    }

    @Test
    void doesNotCountTooLargeJobsAsDamagedLines() throws IOException {
        String large = manyJobs(3).replace(" 1 -1 -1 1 -1 ", " 9 -1 -1 9 -1 ");

        assertThat(read("; MaxProcs: 8\n" + large + manyJobs(1)).jobs()).hasSize(1);
        refuses(file("log.swf", bytes("; MaxProcs: 8\n" + large)), "has no usable job: 3 lines with a job larger");
    }

    @Test
    void takesTheFirstOfJobsWithOneNumber() throws IOException {
        JobLog log = read("""
                1 10 0 60 4 -1 -1 4 60 -1 1 1 1 1 1 1 -1 -1
                2 20 0 60 4 -1 -1 4 60 -1 1 1 1 1 1 1 -1 -1
                1 30 0 70 4 -1 -1 4 60 -1 1 1 1 1 1 1 -1 -1
                -1 40 0 60 4 -1 -1 4 60 -1 1 1 1 1 1 1 -1 -1
                -1 50 0 60 4 -1 -1 4 60 -1 1 1 1 1 1 1 -1 -1
                """);

        assertThat(log.jobs()).extracting(SwfJob::submit).containsExactly(10L, 20L, 40L, 50L);
        assertThat(log.faults().texts()).containsExactly("1 line with the number of an earlier job (line 3)");
    }

    @Test
    void readsTheMembersOfAFileThatWasPaddedWithZeros() throws IOException {
        for (int zeros : new int[] {0, 1, 512, 100_000}) {
            var bytes = new ByteArrayOutputStream();
            for (int i = 0; i < 3; i++) {
                bytes.write(gzip("%d %d 0 60 4 -1 -1 4 60 -1 1 1 1 1 1 1 -1 -1\n".formatted(i, i)));
                bytes.write(new byte[zeros]);
            }
            JobLog log = JobLog.read(file("padded.swf.gz", bytes.toByteArray()));

            assertThat(log.jobs()).as("%d zeros", zeros).hasSize(3);
            assertThat(log.faults()).isEqualTo(LogFaults.NONE);
        }
    }

    @Test
    void saysThatSomethingElseFollowsTheCompressedData() throws IOException {
        var bytes = new ByteArrayOutputStream();
        bytes.write(gzip("1 10 0 60 4 -1 -1 4 60 -1 1 1 1 1 1 1 -1 -1\n"));
        bytes.write(bytes("2 20 0 60 4 -1 -1 4 60 -1 1 1 1 1 1 1 -1 -1\n"));
        JobLog log = JobLog.read(file("followed.swf.gz", bytes.toByteArray()));

        assertThat(log.jobs()).hasSize(1);
        assertThat(log.faults().texts())
                .singleElement()
                .asString()
                .contains("at which the compressed data end early or are damaged");
    }

    @Test
    void passesOverThePartsOfAJobThatWasSwappedOut() throws IOException {
        JobLog log = read("""
                1 10 0 60 4 -1 -1 4 60 -1 1 1 1 1 1 1 -1 -1
                1 10 0 20 4 -1 -1 4 60 -1 2 1 1 1 1 1 -1 -1
                1 -1 5 40 4 -1 -1 4 60 -1 3 1 1 1 1 1 -1 -1
                2 70 0 60 4 -1 -1 4 60 -1 5 1 1 1 1 1 -1 -1
                """);

        assertThat(log.jobs()).extracting(SwfJob::number).containsExactly(1L, 2L);
        assertThat(log.faults()).isEqualTo(LogFaults.NONE);
    }

    @Test
    void refusesAnEmptyFileAndALogWithoutJobs() throws IOException {
        refuses(file("empty.swf", new byte[0]), "empty.swf: has no jobs. Give a log");
        refuses(file("header.swf", bytes("; MaxProcs: 128\n")), "header.swf: has no jobs. Give a log");
    }

    @Test
    void rejectsBinaryData() throws IOException {
        refuses(file("zeros", new byte[1_000_000]), "has no usable job: 1 line longer than 10000 characters (line 1)");
        byte[] noise = new byte[100_000];
        new Random(1).nextBytes(noise);
        refuses(file("noise", noise), "noise: ");
    }

    @Test
    void reportsAMissingFile() {
        refuses(directory.resolve("missing.swf"), "missing.swf: cannot be read");
        refuses(directory, "cannot be read");
    }

    private static void refuses(Path file, String message) {
        assertThatThrownBy(() -> JobLog.read(file))
                .isInstanceOf(UnusableLog.class)
                .hasMessageContaining(message);
    }

    private static String manyJobs(int count) {
        StringBuilder jobs = new StringBuilder();
        for (int i = 0; i < count; i++) {
            jobs.append("%d %d 0 %d 1 -1 -1 1 -1 -1 1 1 1 1 1 1 -1 -1\n"
                    .formatted(i + 4, 1_000 + i, (i * 7_919L) % 10_007));
        }
        return jobs.toString();
    }

    private static List<SwfJob> jobsOf(Path file) {
        return JobLog.read(file).jobs();
    }

    private JobLog read(String text) throws IOException {
        return JobLog.read(file("log.swf", bytes(text)));
    }

    private Path file(String name, byte[] content) throws IOException {
        return Files.write(directory.resolve(name), content);
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.ISO_8859_1);
    }

    private static byte[] gzip(String text) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (GZIPOutputStream gzip = new GZIPOutputStream(bytes)) {
            gzip.write(bytes(text));
        }
        return bytes.toByteArray();
    }
}
