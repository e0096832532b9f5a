package berth.lab.experiment.flexible;

import static org.assertj.core.api.Assertions.assertThat;

import berth.lab.experiment.Sp2Setup;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

class FlexibleCommandTest {
    @TempDir
    private Path directory;

    private record Said(int exitCode, String out, String err) {}

    /** Writes a log with ten jobs in one window and a last submission one second after it. */
    private Path log() throws IOException {
        var text = new StringBuilder();
        for (int i = 0; i <= 10; i++) {
            text.append("%d %d -1 3600 64 -1 -1 64 3600 -1 1 1 1 1 1 1 -1 -1%n"
                    .formatted(i + 1, i == 10 ? Sp2Setup.WINDOW : i * 900));
        }
        return Files.writeString(directory.resolve("short.swf"), text);
    }

    @Test
    void printsTheFiguresAndTheClaimsOfALogAndWritesTheTables() throws IOException {
        Path out = directory.resolve("new/000");
        Said said = run("--quick", "--log", log().toString(), "--threads", "1", "--out", out.toString());

        assertThat(said.err()).isEmpty();
        assertThat(said.exitCode()).isZero();
        assertThat(said.out())
                .contains("128 PEs, short.swf, windows of 15 days: 1, seed 1")
                .contains("figure 1", "figure 6", "EDF", "75 %")
                .contains("000-C1  NOT CHECKABLE", "000-C8", "rule:");
        assertThat(Files.readAllLines(out.resolve("000/runs.csv"))).hasSize(1 + 117);
        assertThat(Files.readAllLines(out.resolve("000/means.csv")).getFirst())
                .isEqualTo("figure,line,point,mean,halfWidth95,samples");
        assertThat(Files.readAllLines(out.resolve("000/claims.csv")).getFirst())
                .isEqualTo("claim,verdict,check,holds,figures");
    }

    @Test
    void saysWhichLinesOfTheLogWereLeftOut() throws IOException {
        Path log = Files.writeString(log(), "1 2 3\n", StandardOpenOption.APPEND);
        Said said = run("--quick", "--log", log.toString(), "--threads", "1");

        assertThat(said.exitCode()).isZero();
        assertThat(said.err().strip()).isEqualTo(log + ": 1 line with a wrong number of fields (line 12)");
        assertThat(said.out()).contains("short.swf (1 line left out), windows of 15 days: 1");
    }

    /** In such windows the machine was idle or ran only jobs that become no requests. */
    @Test
    void leavesOutWindowsWithoutRequests() throws IOException {
        String later = "%d %d -1 %d 64 -1 -1 64 3600 -1 1 1 1 1 1 1 -1 -1%n";
        Path log = Files.writeString(
                log(),
                later.formatted(12, 3 * Sp2Setup.WINDOW, 30)
                        + later.formatted(13, 6 * Sp2Setup.WINDOW, 3600)
                        + later.formatted(14, 7 * Sp2Setup.WINDOW, 3600),
                StandardOpenOption.APPEND);

        Said said = run("--quick", "--log", log.toString(), "--windows", "9", "--threads", "1");

        assertThat(said.exitCode()).isZero();
        assertThat(said.out()).contains("short.swf, windows of 15 days: 3, seed 1");
    }

    @Test
    void runsOtherReadingsOfThePaper() throws IOException {
        Path out = directory.resolve("readings");
        Said said = run("--quick", "--readings", "--log", log().toString(), "--out", out.toString());

        assertThat(said.exitCode()).isZero();
        assertThat(said.out())
                .contains("  utilisation up to the last end of a run: 000-C1 ")
                .contains("  p = 0 is taken as 1: 000-C3 ")
                .contains("longer; reserved PE-seconds, not used ones: 000-C5 ");
        assertThat(Files.readAllLines(out.resolve("000-farthest/runs.csv"))).hasSize(1 + 9);
    }

    @Test
    void namesTheOptionAndTheValueThatAreWrong() throws IOException {
        Path none = directory.resolve("none.swf");
        Path idle = Files.writeString(
                directory.resolve("idle.swf"),
                "1 0 -1 30 64 -1 -1 64 3600 -1 1 1 1 1 1 1 -1 -1%n2 %d -1 30 64 -1 -1 64 3600 -1 1 1 1 1 1 1 -1 -1%n"
                        .formatted(Sp2Setup.WINDOW));
        Path tooShort =
                Files.writeString(directory.resolve("two.swf"), "1 0 -1 3600 64 -1 -1 64 3600 -1 1 1 1 1 1 1 -1 -1\n");

        assertThat(run("--log", idle.toString()))
                .satisfies(said -> refused(
                        said,
                        "--log is %s: no window has a job of at least one minute on at most 128 PEs. Give another log."
                                .formatted(idle)));
        assertThat(run("--windows", "0")).satisfies(said -> refused(said, "--windows is 0: give 1 to 1000."));
        assertThat(run("--threads", "1001")).satisfies(said -> refused(said, "--threads is 1001: give 1 to 1000."));
        assertThat(run("--log", none.toString())).satisfies(said -> refused(said, "--log is " + none));
        assertThat(run("--log", tooShort.toString()))
                .satisfies(said -> refused(said, "two.swf is shorter than one window of 1296000 s"));
    }

    @Test
    void doesNotOverwriteTheRecordOfAnEarlierStudy() throws IOException {
        Files.writeString(directory.resolve("claims.csv"), "precious");

        assertThat(run("--quick", "--out", directory.toString())).satisfies(said -> refused(said, "has files already"));
    }

    private static void refused(Said said, String message) {
        assertThat(said.exitCode()).isEqualTo(CommandLine.ExitCode.USAGE);
        assertThat(said.err()).contains(message);
        assertThat(said.out()).isEmpty();
    }

    private static Said run(String... options) {
        var out = new StringWriter();
        var err = new StringWriter();
        int exitCode = new CommandLine(new FlexibleCommand())
                .setOut(new PrintWriter(out))
                .setErr(new PrintWriter(err))
                .execute(options);
        return new Said(exitCode, out.toString(), err.toString());
    }
}
