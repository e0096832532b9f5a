package berth.lab.experiment;

import static org.assertj.core.api.Assertions.assertThat;

import berth.lab.experiment.Paper.Variation;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Checks the behaviour that all study commands share, with a made-up study. */
class StudyCommandTest {
    @TempDir
    private Path directory;

    @Command(name = "numbers")
    private static final class NumbersCommand extends StudyCommand {
        @Option(names = "--broken")
        private int broken;

        @Option(names = "--another")
        private boolean another;

        @Override
        protected List<Paper> papers() {
            var main = new StudyRunsTest.Numbers("numbers", options().extent().of(3, 5), broken);
            var other = new StudyRunsTest.Numbers("numbers-other", 2, 0);
            var paper = new Paper("009", "Numbers", "N. N.", main, List.of(new Variation("fewer", other)));
            var small = new StudyRunsTest.Numbers("small", 1, 0);
            return another ? List.of(paper, new Paper("010", "One", "N. N.", small, List.of())) : List.of(paper);
        }
    }

    private record Said(int exitCode, String out, String err) {}

    private static Said run(String... options) {
        var out = new StringWriter();
        var err = new StringWriter();
        int exitCode = new CommandLine(new NumbersCommand())
                .setOut(new PrintWriter(out))
                .setErr(new PrintWriter(err))
                .execute(options);
        return new Said(exitCode, out.toString(), err.toString());
    }

    @Test
    void printsAndWritesTheFindings() throws IOException {
        Path out = directory.resolve("new/one");
        Said said = run("--out", out.toString());

        assertThat(said).isEqualTo(new Said(0, "numbers up to 5%n".formatted(), ""));
        assertThat(Files.readAllLines(out.resolve("numbers/runs.csv"))).hasSize(1 + 5);
        assertThat(out.resolve("index.html")).content().contains("Numbers", "numbers up to 5");
        assertThat(out.resolve("numbers-other")).doesNotExist();
    }

    @Test
    void writesTheSameFilesAgainInTheSameDirectory() throws IOException {
        run("--out", directory.toString());
        String page = Files.readString(directory.resolve("index.html"));
        Files.delete(directory.resolve("numbers/runs.csv"));

        assertThat(run("--out", directory.toString(), "--threads", "2").exitCode())
                .isZero();
        assertThat(directory.resolve("index.html")).hasContent(page);
        assertThat(directory.resolve("numbers/runs.csv")).exists();
    }

    @Test
    void runsOtherReadingsOnlyIfAsked() {
        Path out = directory.resolve("readings");
        run("--readings", "--out", out.toString());

        assertThat(out.resolve("numbers-other/runs.csv")).exists();
    }

    @Test
    void marksAQuickRun() {
        assertThat(run("--quick").out()).contains("a quick run", "numbers up to 3");
    }

    @Test
    void failsWhereARunBreaksARule() {
        Path out = directory.resolve("broken");
        Said said = run("--broken", "2", "--out", out.toString());

        assertThat(said.exitCode()).isEqualTo(1);
        assertThat(said.err()).isEqualTo("Study numbers, Run[number=2]: A PE was held twice.%n".formatted());
        assertThat(said.out()).isEmpty();
        assertThat(out.resolve("index.html")).doesNotExist();
    }

    @Test
    void aBrokenRuleFailsOnlyItsOwnPaper() {
        Path out = directory.resolve("broken");
        Said said = run("--broken", "2", "--another", "--out", out.toString());

        assertThat(said.exitCode()).isEqualTo(1);
        assertThat(said.err()).isEqualTo("Study numbers, Run[number=2]: A PE was held twice.%n".formatted());
        assertThat(said.out()).contains("Paper 009, Numbers, is missing", "numbers up to 1");
        assertThat(out.resolve("index.html"))
                .content()
                .contains("Paper 009, Numbers, is missing", "Run[number&#x3D;2]: A PE was held twice.")
                .contains("numbers up to 1");
        assertThat(out.resolve("small/runs.csv")).exists();
        assertThat(out.resolve("numbers/runs.csv")).doesNotExist();
    }

    @Test
    void refusesADirectoryWithOtherFiles() throws IOException {
        Path precious = Files.writeString(directory.resolve("claims.csv"), "precious");

        assertThat(run("--out", directory.toString())).satisfies(said -> {
            assertThat(said.exitCode()).isEqualTo(CommandLine.ExitCode.USAGE);
            assertThat(said.err()).contains("--out is %s: it has files already".formatted(directory));
        });
        assertThat(precious).hasContent("precious");
        assertThat(run("--out", precious.toString()).err()).contains("it is not a directory");
    }

    @Test
    void refusesADirectoryWithRunsOfOtherOptions() {
        run("--quick", "--out", directory.toString());

        assertThat(run("--out", directory.toString())).satisfies(said -> {
            assertThat(said.exitCode()).isEqualTo(CommandLine.ExitCode.USAGE);
            assertThat(said.err()).contains("--out is " + directory, "it has runs of another study");
        });
    }

    @Test
    void writesTheSameFilesAfterShardsAsOneCommandDoes() throws IOException {
        Path one = directory.resolve("one");
        Path several = directory.resolve("several");
        run("--another", "--readings", "--out", one.toString());
        for (String shard : List.of("0/3", "1/3", "2/3")) {
            Said said = run("--another", "--readings", "--out", several.toString(), "--shard", shard);
            assertThat(said.exitCode()).isZero();
            assertThat(said.err()).isEmpty();
            assertThat(said.out())
                    .matches("Shard %s: [23] of its [23] runs were made now\\. When all .*\\R".formatted(shard));
            assertThat(several)
                    .isDirectoryContaining("glob:**/runs")
                    .isDirectoryNotContaining("glob:**/{*.html,*.csv,numbers*}");
        }

        assertThat(run("--another", "--readings", "--out", several.toString()))
                .isEqualTo(run("--another", "--readings", "--out", one.toString()));
        assertThat(files(several)).isEqualTo(files(one)).hasSizeGreaterThan(4);
        assertThat(several.resolve("runs")).isDirectoryNotContaining("glob:**.lock");
        assertThat(Files.readAllLines(several.resolve("runs/numbers.jsonl")))
                .as("nothing was missing")
                .hasSize(1);
    }

    /** Returns the files for readers: all except the run logs. */
    private static Map<String, String> files(Path out) throws IOException {
        Map<String, String> files = new TreeMap<>();
        try (Stream<Path> all = Files.walk(out)) {
            for (Path file : all.filter(Files::isRegularFile).toList()) {
                Path name = out.relativize(file);
                if (!name.startsWith("runs")) {
                    files.put(name.toString(), Files.readString(file));
                }
            }
        }
        return files;
    }

    @Test
    void aShardFailsWhereARunBreaksARule() {
        Said said = run("--broken", "2", "--out", directory.toString(), "--shard", "0/1");

        assertThat(said.exitCode()).isEqualTo(1);
        assertThat(said.err()).isEqualTo("Study numbers, Run[number=2]: A PE was held twice.%n".formatted());
    }

    @ParameterizedTest
    @ValueSource(strings = {"3/3", "a/b", "0/0", "0/10001", "1"})
    void rejectsAShardThatDoesNotExist(String shard) {
        assertThat(run("--shard", shard, "--out", directory.toString())).satisfies(said -> {
            assertThat(said.exitCode()).isEqualTo(CommandLine.ExitCode.USAGE);
            assertThat(said.err())
                    .contains("--shard is %s: give K/N, with N from 1 to 10000 and K from 0 to N - 1, such as 0/16."
                            .formatted(shard));
        });
    }

    @Test
    void aShardNeedsADirectory() {
        assertThat(run("--shard", "0/3").err())
                .contains("--shard is 0/3: give --out as well, the directory that keeps the runs.");
    }

    @Test
    void refusesAShardThatAnotherProgramMakes() throws IOException {
        Path lock = Files.createDirectory(directory.resolve("runs")).resolve("0-of-3.lock");
        Files.writeString(lock, "{\"host\":\"n17\",\"pid\":4711,\"job\":\"99\",\"restarts\":0}");

        assertThat(run("--shard", "0/3", "--out", directory.toString())).satisfies(said -> {
            assertThat(said.exitCode()).isEqualTo(CommandLine.ExitCode.USAGE);
            assertThat(said.err())
                    .contains("--out is %s: process 4711 on n17, Slurm job 99 is making this shard."
                            .formatted(directory));
        });
        assertThat(run("--shard", "1/3", "--out", directory.toString()).exitCode())
                .isZero();
    }

    @Test
    void namesTheOptionAndTheValueThatAreWrong() {
        assertThat(run("--threads", "0").err()).contains("--threads is 0: give 1 to 1000.");
        assertThat(run("--threads", "1001").exitCode()).isEqualTo(CommandLine.ExitCode.USAGE);
    }
}
