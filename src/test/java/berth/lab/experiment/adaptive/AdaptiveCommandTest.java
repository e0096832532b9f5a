package berth.lab.experiment.adaptive;

import static org.assertj.core.api.Assertions.assertThat;

import berth.lab.experiment.Sp2Setup;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

class AdaptiveCommandTest {
    @TempDir
    private Path directory;

    private record Said(int exitCode, String out, String err) {}

    @Test
    void printsTheFiguresAndTheClaimsOfALogAndWritesTheTables() throws IOException {
        Path out = directory.resolve("new");
        Said said = run("--quick", "--jobs", "LARGE", "--log", log().toString(), "--out", out.toString());

        assertThat(said.err()).isEmpty();
        assertThat(said.exitCode()).isZero();
        assertThat(said.out())
                .contains("128 PEs, short.swf (LARGE), windows of 15 days: 1, seed 1")
                .contains("figure 4", "figure 9", "MDF, both, 60 %", "incentive")
                .contains("003-C1  NOT CHECKABLE", "003-C7", "rule:");
        assertThat(Files.readAllLines(out.resolve("003-large-jobs/runs.csv"))).hasSize(1 + 6 * 2 * 6);
        assertThat(Files.readAllLines(out.resolve("003-large-jobs/means.csv")).getFirst())
                .isEqualTo("figure,line,point,mean,halfWidth95,samples");
        assertThat(Files.readAllLines(out.resolve("003-large-jobs/claims.csv")).getFirst())
                .isEqualTo("claim,verdict,check,holds,figures");
    }

    @Test
    void namesTheOptionAndTheValueThatAreWrong() {
        assertThat(run("--jobs", "SOME")).satisfies(said -> {
            assertThat(said.exitCode()).isEqualTo(CommandLine.ExitCode.USAGE);
            assertThat(said.err()).contains("--jobs", "SOME");
        });
    }

    @Test
    void leavesOutReadingsThatHaveNoJobs() throws IOException {
        Path log = log(600);
        Path out = directory.resolve("readings");

        assertThat(run("--quick", "--jobs", "LARGE", "--log", log.toString())).satisfies(said -> {
            assertThat(said.exitCode()).isEqualTo(CommandLine.ExitCode.USAGE);
            assertThat(said.err()).contains("--jobs is LARGE: at least one window has no such job. Give ALL");
        });
        assertThat(run("--quick", "--readings", "--log", log.toString(), "--out", out.toString())
                        .exitCode())
                .isZero();
        assertThat(out.resolve("003-later-deadlines")).exists();
        assertThat(out.resolve("003-large-jobs")).doesNotExist();
    }

    private Path log() throws IOException {
        return log(7200);
    }

    /** Writes a log with ten jobs of {@code runTime} seconds in one window and a last submission one second after it. */
    private Path log(long runTime) throws IOException {
        var text = new StringBuilder();
        for (int i = 0; i <= 10; i++) {
            text.append("%d %d -1 %d 64 -1 -1 64 7200 -1 1 1 1 1 1 1 -1 -1%n"
                    .formatted(i + 1, i == 10 ? Sp2Setup.WINDOW : i * 900, runTime));
        }
        return Files.writeString(directory.resolve("short.swf"), text);
    }

    private static Said run(String... options) {
        var out = new StringWriter();
        var err = new StringWriter();
        int exitCode = new CommandLine(new AdaptiveCommand())
                .setOut(new PrintWriter(out))
                .setErr(new PrintWriter(err))
                .execute(options);
        return new Said(exitCode, out.toString(), err.toString());
    }
}
