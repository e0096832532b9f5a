package berth.lab.experiment.slots;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

class SlotCommandTest {
    @TempDir
    private Path directory;

    private record Said(int exitCode, String out, String err) {}

    @Test
    void printsTheCurvesAndTheClaimsAndWritesTheTables() throws IOException {
        Path out = directory.resolve("new/004");
        Said said = run("--quick", "--repetitions", "2", "--jobs", "50", "--threads", "1", "--out", out.toString());

        assertThat(said.exitCode()).isZero();
        assertThat(said.err()).isEmpty();
        assertThat(said.out())
                .contains("2 repetitions of 50 modelled requests, seed 1, offered load 0.8")
                .contains("artime and deadline factor", "PEDU_W", "mean slowdown")
                .contains("004-C1", "004-C9", "rule:");
        assertThat(Files.readAllLines(out.resolve("004/runs.csv"))).hasSize(1 + 13 * 7 * 2);
        assertThat(Files.readAllLines(out.resolve("004/means.csv"))).hasSize(1 + 3 * 5 * 7 * 2);
        assertThat(Files.readAllLines(out.resolve("004/claims.csv")).getFirst())
                .isEqualTo("claim,verdict,check,holds,figures");
    }

    @Test
    void bindsPesLateIfItIsAskedTo() {
        assertThat(run("--repetitions", "1", "--jobs", "5", "--binding", "LATE").out())
                .contains("1024 PEs bound LATE");
    }

    @Test
    void saysOfEveryClaimThatOneRepetitionCannotCheckIt() {
        assertThat(run("--repetitions", "1", "--jobs", "5").out())
                .contains("004-C1  NOT CHECKABLE", "004-C9  NOT CHECKABLE")
                .doesNotContain("fails:");
    }

    @Test
    void namesTheOptionAndTheValueThatAreWrong() {
        assertThat(run("--repetitions", "0")).satisfies(said -> refused(said, "--repetitions is 0: give 1 to 1000."));
        assertThat(run("--jobs", "1000001")).satisfies(said -> refused(said, "--jobs is 1000001: give 1 to 1000000."));
        assertThat(run("--threads", "-1")).satisfies(said -> refused(said, "--threads is -1: give 1 to 1000."));
        assertThat(run("--load", "0")).satisfies(said -> refused(said, "--load is 0.0: give more than 0"));
        assertThat(run("--load", "NaN")).satisfies(said -> refused(said, "--load is NaN"));
        assertThat(run("--binding", "NEVER")).satisfies(said -> refused(said, "'NEVER'"));
    }

    @Test
    void doesNotOverwriteTheRecordOfAnEarlierStudy() throws IOException {
        Files.writeString(directory.resolve("means.csv"), "precious");

        assertThat(run("--jobs", "5", "--out", directory.toString()))
                .satisfies(said -> refused(said, "has files already"));
        assertThat(Files.readString(directory.resolve("means.csv"))).isEqualTo("precious");
        assertThat(Files.exists(directory.resolve("runs.csv"))).isFalse();
    }

    @Test
    void rejectsAnImpossibleDirectory() throws IOException {
        Path file = Files.writeString(directory.resolve("file"), "");

        assertThat(run("--jobs", "5", "--out", file.resolve("below").toString()))
                .satisfies(said -> refused(said, "cannot be created"));
        assertThat(run("--jobs", "5", "--out", file.toString()))
                .satisfies(said -> refused(said, "it is not a directory"));
    }

    @Test
    void refusesADirectoryThatItMayNotWriteToBeforeItRuns() {
        assumeTrue(directory.toFile().setWritable(false) && !Files.isWritable(directory), "may write everywhere");

        assertThat(run("--jobs", "5", "--out", directory.toString()))
                .satisfies(said -> refused(said, "it is not writable"));
    }

    private static void refused(Said said, String message) {
        assertThat(said.exitCode()).isEqualTo(CommandLine.ExitCode.USAGE);
        assertThat(said.err()).contains(message);
        assertThat(said.out()).isEmpty();
    }

    private static Said run(String... options) {
        var out = new StringWriter();
        var err = new StringWriter();
        int exitCode = new CommandLine(new SlotCommand())
                .setOut(new PrintWriter(out))
                .setErr(new PrintWriter(err))
                .execute(options);
        return new Said(exitCode, out.toString(), err.toString());
    }
}
