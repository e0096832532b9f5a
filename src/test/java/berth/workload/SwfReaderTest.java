package berth.workload;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SwfReaderTest {
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
                        new SwfJob(1, 100, 28_826, 1, 2, 28_800, 153),
                        new SwfJob(2, 100, 8, 32, -1, -1, 6),
                        new SwfJob(3, 250, -1, -1, 38, 6_900, 189));
    }

    @Test
    void readsTheCompressedLogWhateverItsName() throws IOException {
        assertThat(jobsOf(file("log.txt", gzip(LOG)))).isEqualTo(jobsOf(file("log.swf", bytes(LOG))));
    }

    @Test
    void readsTheHeader() throws IOException {
        try (SwfReader reader = SwfReader.open(file("log.swf", bytes(LOG)))) {
            SwfHeader header = reader.header();
            assertThat(header.machinePes()).hasValue(128);
            assertThat(header.number("MaxNodes")).hasValue(64);
            assertThat(header.unixStartTime()).hasValue(893_466_664);
            assertThat(header.fields()).containsEntry("Computer", "IBM SP2").containsEntry("Queue", "0  interactive");
            assertThat(header.number("MaxJobs")).isEmpty();
        }
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
    void readsALogWithoutJobs() throws IOException {
        assertThat(jobsOf(file("log.swf", bytes("; MaxProcs: 128\n")))).isEmpty();
    }

    @Test
    void readsALogWhoseLastLineHasNoEnd() throws IOException {
        assertThat(jobsOf(file("log.swf", bytes(LOG.strip())))).hasSize(3);
    }

    @Test
    void namesTheLineWithTooFewColumns() throws IOException {
        Path file = file("log.swf", bytes("; MaxProcs: 8\n1 2 3\n"));
        assertThatThrownBy(() -> jobsOf(file))
                .isInstanceOf(SwfException.class)
                .hasMessageContainingAll(file.toString(), "line 2", "3 fields", "18");
    }

    @Test
    void namesTheFieldThatIsNoNumber() throws IOException {
        Path file = file("log.swf", bytes(LOG.replace("28826", "eight")));
        assertThatThrownBy(() -> jobsOf(file))
                .isInstanceOf(SwfException.class)
                .hasMessageContainingAll("line 9", "field 4 (run time)", "\"eight\"");
    }

    @Test
    void refusesNumbersThatAreNoTimes() throws IOException {
        for (String text : List.of("NaN", "Infinity", "1e300")) {
            Path file = file("log" + text, bytes(LOG.replace("28826", text)));
            assertThatThrownBy(() -> jobsOf(file))
                    .isInstanceOf(SwfException.class)
                    .hasMessageContaining(text);
        }
    }

    @Test
    void refusesJobsThatAreNotInTheOrderOfTheirSubmission() throws IOException {
        Path file = file("log.swf", bytes(LOG.replace(" 250 ", " 99 ")));
        assertThatThrownBy(() -> jobsOf(file))
                .isInstanceOf(SwfException.class)
                .hasMessageContainingAll("line 13", "submit time (99)", "100");
    }

    @Test
    void refusesTextThatIsNoLog() throws IOException {
        Path file = file("page.html", bytes("<!DOCTYPE html>\n<title>Not here</title>\n"));
        assertThatThrownBy(() -> jobsOf(file))
                .isInstanceOf(SwfException.class)
                .hasMessageContainingAll("page.html", "line 1", "no SWF log");
    }

    @Test
    void refusesAnEmptyFile() throws IOException {
        Path file = file("empty.swf", new byte[0]);
        assertThatThrownBy(() -> jobsOf(file))
                .isInstanceOf(SwfException.class)
                .hasMessageContainingAll("empty.swf", "no SWF log");
    }

    @Test
    void refusesALineWithoutEndBeforeItFillsTheMemory() throws IOException {
        Path file = file("zeros", new byte[1_000_000]);
        assertThatThrownBy(() -> jobsOf(file))
                .isInstanceOf(SwfException.class)
                .hasMessageContainingAll("zeros", "line 1", "longer than");
    }

    @Test
    void saysThatTheCompressedLogIsCut() throws IOException {
        String longLog = LOG + "%n".formatted() + manyJobs(5_000);
        byte[] whole = gzip(longLog);
        for (int length : new int[] {2, 9, 30, whole.length / 2, whole.length - 4}) {
            Path file = file("cut" + length + ".swf.gz", Arrays.copyOf(whole, length));
            assertThatThrownBy(() -> jobsOf(file))
                    .isInstanceOf(SwfException.class)
                    .hasMessageContainingAll(file.toString(), "line ", "gzip data end early");
        }
    }

    @Test
    void saysThatTheCompressedLogIsDamaged() throws IOException {
        byte[] damaged = gzip(LOG + manyJobs(5_000));
        Arrays.fill(damaged, damaged.length / 2, damaged.length / 2 + 20, (byte) 0x55);
        Path file = file("damaged.swf.gz", damaged);
        assertThatThrownBy(() -> jobsOf(file)).isInstanceOf(SwfException.class).hasMessageContaining("damaged.swf.gz");
    }

    @Test
    void saysThatThereIsNoFile() {
        assertThatThrownBy(() -> SwfReader.open(directory.resolve("missing.swf")))
                .isInstanceOf(SwfException.class)
                .hasMessageContainingAll("missing.swf", "cannot be read");
        assertThatThrownBy(() -> SwfReader.open(directory))
                .isInstanceOf(SwfException.class)
                .hasMessageContaining("cannot be read");
    }

    private static String manyJobs(int count) {
        StringBuilder jobs = new StringBuilder();
        for (int i = 0; i < count; i++) {
            jobs.append(
                    "%d %d 0 %d 1 -1 -1 1 -1 -1 1 1 1 1 1 1 -1 -1%n".formatted(i, 1_000 + i, (i * 7_919L) % 10_007));
        }
        return jobs.toString();
    }

    private static List<SwfJob> jobsOf(Path file) {
        try (SwfReader reader = SwfReader.open(file)) {
            List<SwfJob> jobs = new ArrayList<>();
            reader.forEachRemaining(jobs::add);
            return jobs;
        }
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
