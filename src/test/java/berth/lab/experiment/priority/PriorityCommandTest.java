package berth.lab.experiment.priority;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

class PriorityCommandTest {
    @TempDir
    private Path directory;

    private record Said(int exitCode, String out, String err) {}

    @Test
    void printsTheFiguresAndTheClaimsAndWritesTheTables() throws IOException {
        Path out = directory.resolve("new/002");
        Said said = run("--repetitions", "2", "--jobs", "4", "--threads", "1", "--out", out.toString());

        assertThat(said.exitCode()).isZero();
        assertThat(said.err()).isEmpty();
        assertThat(said.out())
                .contains("50 users with 4 jobs each, 2 repetitions, seed 1")
                .contains("figure 4", "figure 5", "figure 6", "figure 7", "DPSAR", "ARWP")
                .contains("002-C1", "002-C6  REPRODUCED", "002-C7  REPRODUCED", "rule:");
        assertThat(Files.readAllLines(out.resolve("002/runs.csv"))).hasSize(1 + 2 * 4 * 2);
        assertThat(Files.readAllLines(out.resolve("002/means.csv"))).hasSize(1 + 4 * 4 * 2);
        assertThat(Files.readAllLines(out.resolve("002/claims.csv")).getFirst())
                .isEqualTo("claim,verdict,check,holds,figures");
    }

    @Test
    void equalOptionsGiveEqualFiguresOnAnyNumberOfThreads() {
        assertThat(run("--repetitions", "2", "--jobs", "3", "--threads", "3"))
                .isEqualTo(run("--repetitions", "2", "--jobs", "3", "--threads", "1"));
    }

    @Test
    void oneRepetitionShowsOnlyTheExamples() {
        assertThat(run("--repetitions", "1", "--jobs", "2").out())
                .contains("002-C1  NOT CHECKABLE", "002-C5  NOT CHECKABLE", "002-C6  REPRODUCED");
    }

    @Test
    void namesTheOptionAndTheValueThatAreWrong() {
        assertThat(run("--repetitions", "0")).satisfies(said -> refused(said, "--repetitions is 0: give 1 to 1000."));
        assertThat(run("--jobs", "1001")).satisfies(said -> refused(said, "--jobs is 1001: give 1 to 1000."));
        assertThat(run("--threads", "-1")).satisfies(said -> refused(said, "--threads is -1: give 1 to 1000."));
        assertThat(run("--spread", "0")).satisfies(said -> refused(said, "--spread is 0.0: give more than 0"));
        assertThat(run("--scale", "NaN")).satisfies(said -> refused(said, "--scale is NaN"));
    }

    private static void refused(Said said, String message) {
        assertThat(said.exitCode()).isEqualTo(CommandLine.ExitCode.USAGE);
        assertThat(said.err()).contains(message);
        assertThat(said.out()).isEmpty();
    }

    private static Said run(String... options) {
        var out = new StringWriter();
        var err = new StringWriter();
        int exitCode = new CommandLine(new PriorityCommand())
                .setOut(new PrintWriter(out))
                .setErr(new PrintWriter(err))
                .execute(options);
        return new Said(exitCode, out.toString(), err.toString());
    }
}
