package berth.lab.experiment.whatif;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

class WhatIfCommandTest {
    @TempDir
    private Path directory;

    private record Said(int exitCode, String out, String err) {}

    @Test
    void printsTheFiguresAndTheClaimsAndWritesTheTables() throws IOException {
        Path out = directory.resolve("new/001");
        Said said = run(new WhatIfCommand(), "--quick", "--jobs", "60", "--threads", "1", "--out", out.toString());

        assertThat(said.err()).isEmpty();
        assertThat(said.exitCode()).isZero();
        assertThat(said.out())
                .contains("144 nodes, modelled jobs of seed 1, 60 jobs, seed 1, repetitions: 2")
                .contains("WHAT_IF, paper", "table 1, stw 30 h", "001-C1", "001-C9", "rule:");
        assertThat(Files.readAllLines(out.resolve("001/runs.csv"))).hasSize(1 + 2 * 2 * 42);
        assertThat(Files.readAllLines(out.resolve("001/claims.csv")).getFirst())
                .isEqualTo("claim,verdict,check,holds,figures");
        assertThat(Files.readAllLines(out.resolve("001/delays.csv")).getFirst())
                .isEqualTo("method,bat,start,extra,cumulated");
        assertThat(out.resolve("001/means.csv")).isNotEmptyFile();
        assertThat(out.resolve("001/figure4-what-if.svg")).isNotEmptyFile();
    }

    @Test
    void showsWhichClaimsDependOnReadings() throws IOException {
        String log = IntStream.rangeClosed(1, 110)
                .mapToObj(i -> "%d %d -1 %d 64 -1 -1 64 7200 -1 1 1 1 1 1 1 -1 -1".formatted(i, i * 600, 900 + i * 30))
                .collect(Collectors.joining("\n", "; MaxNodes: 144\n; MaxProcs: 1152\n", "\n"));
        Path file = Files.writeString(directory.resolve("some.swf"), log);
        Path out = directory.resolve("readings");
        Said said = run(
                new WhatIfCommand(),
                "--readings",
                "--jobs",
                "50",
                "--repetitions",
                "1",
                "--log",
                file.toString(),
                "--out",
                out.toString());

        assertThat(said.exitCode()).isZero();
        assertThat(said.out())
                .contains(
                        "some.swf, 50 jobs",
                        "other readings:",
                        "5 slots: 001-C1",
                        "the same number of later jobs of the log: 001-C1")
                .contains("4 choices of the jobs that become requests: 001-C1");
        assertThat(Files.readAllLines(out.resolve("001-later-jobs/runs.csv"))).hasSize(1 + 2 * 42);
        assertThat(out.resolve("001-calibration/calibration.svg")).isNotEmptyFile();
    }

    @Test
    void saysOfEveryClaimThatOneRepetitionCannotCheckIt() {
        assertThat(run(new WhatIfCommand(), "--quick", "--jobs", "50", "--repetitions", "1")
                        .out())
                .contains("001-C1  NOT CHECKABLE", "001-C9  NOT CHECKABLE")
                .doesNotContain("fails:");
    }

    @Test
    void printsAndWritesTheObservationsOfSlots() throws IOException {
        Path out = directory.resolve("slots");
        Said said = run(new CalibrationCommand(), "--quick", "--jobs", "60", "--out", out.toString());

        assertThat(said.exitCode()).isZero();
        assertThat(said.out())
                .contains(
                        "Calibration: 144 nodes",
                        "rank correlation",
                        "the earliest of at least 0.95",
                        "the best in hindsight");
        assertThat(Files.readAllLines(out.resolve("001-calibration/runs.csv")).getFirst())
                .startsWith("estimates,bat,repetition,job");
        assertThat(out.resolve("001-calibration/means.csv")).isNotEmptyFile();
        assertThat(out.resolve("001-calibration/claims.csv")).doesNotExist();
    }

    @Test
    void namesTheOptionAndTheValueThatAreWrong() throws IOException {
        refused("--jobs is 49: give 50 to 10000.", "--jobs", "49");
        refused("--repetitions is 0: give 1 to 1000.", "--repetitions", "0");
        refused("--threads is 1001: give 1 to 1000.", "--threads", "1001");
        Path few = Files.writeString(
                directory.resolve("few.swf"), "; MaxProcs: 8\n1 0 -1 60 4 -1 -1 4 90 -1 1 1 1 1 1 1 -1 -1\n");
        refused("few.swf has 1 jobs with a run time, PEs and an estimate", "--log", few.toString());
        refused("no-such-log", "--log", directory.resolve("no-such-log").toString());
        Files.writeString(directory.resolve("delays.csv"), "precious");
        refused("has files already", "--out", directory.toString());
        assertThat(Files.readString(directory.resolve("delays.csv"))).isEqualTo("precious");
    }

    private static void refused(String message, String... options) {
        Said said = run(new WhatIfCommand(), options);
        assertThat(said.exitCode()).isEqualTo(CommandLine.ExitCode.USAGE);
        assertThat(said.err()).contains(message);
        assertThat(said.out()).isEmpty();
    }

    private static Said run(Callable<Integer> command, String... options) {
        var out = new StringWriter();
        var err = new StringWriter();
        int exitCode = new CommandLine(command)
                .setOut(new PrintWriter(out))
                .setErr(new PrintWriter(err))
                .execute(options);
        return new Said(exitCode, out.toString(), err.toString());
    }
}
