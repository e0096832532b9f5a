package berth.lab.experiment.all;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/** Checks errors that occur before any run. All experiments together take minutes; they are run by hand and by the build. */
class AllCommandTest {
    @TempDir
    private Path directory;

    @Test
    void namesADirectoryOfLogsThatCannotBeRead() {
        Path none = directory.resolve("none");

        refused("--trace is %s: the directory cannot be read".formatted(none), "--trace", none.toString());
    }

    @Test
    void namesADirectoryThatHasNoneOfTheLogs() throws IOException {
        Files.writeString(directory.resolve("another.swf"), "");

        refused(
                "--trace is %s: it has neither SDSC-SP2*.swf nor SDSC-BLUE*.swf.".formatted(directory),
                "--trace",
                directory.toString());
    }

    @Test
    void namesAnUnusableLog() throws IOException {
        Path log = Files.writeString(directory.resolve("SDSC-SP2-1998.swf"), "this is no log\n");

        refused("--trace has " + log, "--trace", directory.toString());
    }

    @Test
    void namesALogThatIsShorterThanAWindow() throws IOException {
        Path log = Files.writeString(
                directory.resolve("SDSC-SP2-1998.swf"), "1 0 -1 3600 64 -1 -1 64 3600 -1 1 1 1 1 1 1 -1 -1\n");

        refused("--trace has " + log, "--trace", directory.toString());
    }

    @Test
    void refusesADirectoryWithOtherFiles() throws IOException {
        Files.writeString(directory.resolve("claims.csv"), "precious");

        refused("--out is %s: it has files already".formatted(directory), "--quick", "--out", directory.toString());
    }

    private static void refused(String message, String... options) {
        var out = new StringWriter();
        var err = new StringWriter();
        int exitCode = new CommandLine(new AllCommand())
                .setOut(new PrintWriter(out))
                .setErr(new PrintWriter(err))
                .execute(options);

        assertThat(err.toString()).contains(message);
        assertThat(exitCode).isEqualTo(CommandLine.ExitCode.USAGE);
        assertThat(out.toString()).isEmpty();
    }
}
