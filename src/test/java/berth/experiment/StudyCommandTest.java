package berth.experiment;

import static org.assertj.core.api.Assertions.assertThat;

import berth.experiment.Paper.Variation;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** What every command of a study does, on a made-up one. */
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
    void printsAndWritesWhatWasFound() throws IOException {
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
    void readsOtherwiseOnlyIfAskedTo() {
        Path out = directory.resolve("readings");
        run("--readings", "--out", out.toString());

        assertThat(out.resolve("numbers-other/runs.csv")).exists();
    }

    @Test
    void saysThatAQuickRunIsOne() {
        assertThat(run("--quick").out()).contains("A quick run", "numbers up to 3");
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
    void aBrokenRuleCostsItsOwnPaperAlone() {
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
    void refusesADirectoryThatHasSomethingElse() throws IOException {
        Path precious = Files.writeString(directory.resolve("claims.csv"), "precious");

        assertThat(run("--out", directory.toString())).satisfies(said -> {
            assertThat(said.exitCode()).isEqualTo(CommandLine.ExitCode.USAGE);
            assertThat(said.err()).contains("--out is %s: it has files already".formatted(directory));
        });
        assertThat(precious).hasContent("precious");
        assertThat(run("--out", precious.toString()).err()).contains("it is no directory");
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
    void namesTheOptionAndTheValueThatAreWrong() {
        assertThat(run("--threads", "0").err()).contains("--threads is 0: give 1 to 1000.");
        assertThat(run("--threads", "1001").exitCode()).isEqualTo(CommandLine.ExitCode.USAGE);
    }
}
