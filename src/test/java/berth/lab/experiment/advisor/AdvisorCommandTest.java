package berth.lab.experiment.advisor;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import picocli.CommandLine;

class AdvisorCommandTest {
    @TempDir
    private Path directory;

    private record Said(int exitCode, String out, String err) {}

    /**
     * Writes a log of two days with a job every 20 minutes that ran for half of the requested time, plus the first second of a third day.
     */
    private Path log(String header) throws IOException {
        var text = new StringBuilder(header);
        for (int i = 0; i <= 144; i++) {
            text.append("%d %d -1 3600 -1 -1 -1 %d 7200 -1 1 1 1 1 1 1 -1 -1%n"
                    .formatted(i + 1, i * 1200, i % 7 == 0 ? 64 : 24));
        }
        return Files.writeString(directory.resolve("short.swf"), text);
    }

    @Test
    void advisesOnALogAndWritesTheTables() throws IOException {
        Path out = directory.resolve("out");
        Said said = run(
                "--trace",
                log("").toString(),
                "--pes",
                "64",
                "--window-days",
                "1",
                "--placement",
                "FIRST_FIT,PE_WORST_FIT",
                "--replan-order",
                "FIFO,EARLIEST_DEADLINE_FIRST",
                "--binding",
                "LATE",
                "--bound-requests",
                "10",
                "--threads",
                "1",
                "--out",
                out.toString());

        assertThat(said.err()).isEmpty();
        assertThat(said.exitCode()).isZero();
        assertThat(said.out())
                .contains("Policies for short.swf: 64 PEs, windows of 1 days: 2, settings: 14, load x1.0, seed 1")
                .contains("Recommended for UTILISATION", "PATCH /api/v1/clusters/{id} {\"policy\":{\"placement\":\"")
                .contains("not worse beyond chance", "of 14 settings")
                .contains("utilisation by order", "utilisation by placement")
                .contains("upper bound", "10 requests closest together in each of 2 windows");
        assertThat(Files.readAllLines(out.resolve("advisor/runs.csv"))).hasSize(1 + 14 * 2);
        assertThat(Files.readAllLines(out.resolve("advisor/settings.csv"))).hasSize(1 + 14);
        assertThat(Files.readAllLines(out.resolve("bound/runs.csv"))).hasSize(1 + 14 * 2);
        assertThat(out.resolve("advisor/orders.svg")).exists();
        assertThat(out.resolve("advisor/placements.svg")).exists();
    }

    @Test
    void writesTheSameWithTwoThreadsAndInThreeShards() throws IOException {
        Path one = directory.resolve("one");
        Path two = directory.resolve("two");
        Path shards = directory.resolve("shards");
        String log = log("; MaxProcs: 64\n").toString();
        runSmall(log, one, "--threads", "1");
        runSmall(log, two, "--threads", "2");
        for (String shard : new String[] {"2/3", "0/3", "1/3"}) {
            assertThat(runSmall(log, shards, "--shard", shard).out()).contains("runs were made now");
        }
        assertThat(shards.resolve("advisor")).doesNotExist();
        runSmall(log, shards);

        for (String file : new String[] {
            "advisor/runs.csv", "advisor/settings.csv", "bound/runs.csv", "advisor/orders.svg", "index.html"
        }) {
            assertThat(two.resolve(file)).hasSameTextualContentAs(one.resolve(file));
            assertThat(shards.resolve(file)).hasSameTextualContentAs(one.resolve(file));
        }
    }

    private static Said runSmall(String log, Path out, String... options) {
        return run(Stream.concat(
                        Stream.of(
                                "--trace",
                                log,
                                "--window-days",
                                "0.5",
                                "--placement",
                                "FIRST_FIT",
                                "--binding",
                                "EARLY",
                                "--bound-requests",
                                "12",
                                "--out",
                                out.toString()),
                        Stream.of(options))
                .toArray(String[]::new));
    }

    @Test
    void reservesTheRequestedTimeOrEndsRunsEarly() throws IOException {
        String log = log("; MaxProcs: 64\n").toString();

        double exact = utilisation(log);
        assertThat(utilisation(log, "--estimates", "REQUESTED"))
                .as("twice as long as they take")
                .isLessThan(exact);
        assertThat(utilisation(log, "--actual-percent", "50")).isLessThan(exact);
    }

    private double utilisation(String log, String... options) throws IOException {
        Path out = directory.resolve("run" + options.length + String.join("", options));
        String[] all = Stream.concat(
                        Stream.of(
                                "--trace",
                                log,
                                "--window-days",
                                "1",
                                "--placement",
                                "FIRST_FIT",
                                "--juggling",
                                "NEVER",
                                "--binding",
                                "LATE",
                                "--bound-requests",
                                "0",
                                "--out",
                                out.toString()),
                        Stream.of(options))
                .toArray(String[]::new);
        assertThat(run(all).exitCode()).isZero();
        assertThat(out.resolve("bound")).doesNotExist();
        return Double.parseDouble(
                Files.readAllLines(out.resolve("advisor/settings.csv")).get(1).split(",", -1)[7]);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "--placement BEST | Invalid value for option '--placement'",
                "--placement BEST | FIRST_FIT, PE_BEST_FIT",
                "--placement ,    | --placement is empty: name at least one value",
                "--juggling SOMETIMES | NEVER, ON_CONFLICT, ALWAYS, LEAST_MOVES",
                "--binding FIRST_FIT | LATE, EARLY",
                "--aim MONEY | ACCEPTANCE, UTILISATION, SLOWDOWN, REVENUE",
                "--pes 0 | --pes is 0: give 1 to 65536.",
                "--flexible-share 2 | --flexible-share is 2.0: give 0 to 1.",
                "--flexibility -1 | --flexibility is -1.0: give 0 to 10000.",
                "--load 0 | --load is 0.0: give more than 0 and at most 1000.",
                "--window-days 0 | --window-days is 0.0: give more than 0",
                "--windows 0 | --windows is 0: give 1 to 1000.",
                "--actual-percent 0 | --actual-percent is 0.0: give more than 0 and at most 100.",
                "--actual-percent 50 --estimates REQUESTED | --actual-percent is 50.0 and --estimates is REQUESTED: give only one",
                "--alternatives-up-to -1 | --alternatives-up-to is -1: give 0 to 1000.",
                "--notice -1 | --notice is -1: give 0 to 1440.",
                "--bound-requests 201 | --bound-requests is 201: give 0 to 200.",
                "--trace none.swf | --trace is none.swf"
            })
    void namesTheOptionAndTheValueThatAreWrong(String options, String message) {
        Said said = run(options.strip().split(" "));

        assertThat(said.exitCode()).isEqualTo(CommandLine.ExitCode.USAGE);
        assertThat(said.err()).contains(message);
        assertThat(said.out()).isEmpty();
    }

    @Test
    void namesTheFaultsOfALog() throws IOException {
        String unnamed = log("").toString();
        String noLog = Files.writeString(directory.resolve("notes.txt"), "no log\nat all\n")
                .toString();

        assertThat(run("--trace", unnamed, "--window-days", "1").err())
                .contains("--pes is missing, and short.swf does not name the PEs");
        assertThat(run("--trace", unnamed, "--pes", "64").err()).contains("shorter than one window of 1296000 s");
        assertThat(run("--trace", unnamed, "--pes", "8", "--window-days", "1").err())
                .contains("--pes is 8: no window has a job of at least one minute that fits");
        assertThat(run("--trace", noLog, "--pes", "8").err()).contains("--trace is " + noLog);
        assertThat(Stream.of(unnamed, noLog).map(log -> run("--trace", log).exitCode()))
                .containsOnly(CommandLine.ExitCode.USAGE);
    }

    @Test
    void warnsAgainstChoosingByAQuickRunOfModelledJobs() {
        Said said = run(
                "--quick",
                "--window-days",
                "0.5",
                "--placement",
                "FIRST_FIT",
                "--juggling",
                "NEVER",
                "--bound-windows",
                "0");

        assertThat(said.exitCode()).isZero();
        assertThat(said.out()).startsWith("Modelled jobs replace the log").contains("too small to choose settings by");
    }

    @Test
    void saysHowManyJobsAreTooLarge() throws IOException {
        Said said = run(
                "--trace",
                log("").toString(),
                "--pes",
                "32",
                "--window-days",
                "1",
                "--placement",
                "FIRST_FIT",
                "--juggling",
                "NEVER",
                "--bound-windows",
                "0");

        assertThat(said.exitCode()).isZero();
        assertThat(said.out()).contains("left out: more than 32 PEs  21");
    }

    private static Said run(String... options) {
        var out = new StringWriter();
        var err = new StringWriter();
        int exitCode = new CommandLine(new AdvisorCommand())
                .setOut(new PrintWriter(out))
                .setErr(new PrintWriter(err))
                .execute(options);
        return new Said(exitCode, out.toString(), err.toString());
    }
}
