package berth;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class BerthTest {

    @Test
    void takesSubcommandsAndItsOwnOptionsForTheCommandLine() {
        assertThat(isForCommands("export", "--out", "all.zip")).isTrue();
        assertThat(isForCommands("--help")).isTrue();
        assertThat(isForCommands("-V")).isTrue();
    }

    @Test
    void takesAMistypedSubcommandForTheCommandLine() {
        assertThat(isForCommands("exprot")).isTrue();
    }

    @Test
    void startsTheServiceWithoutArgumentsOrWithOtherOptions() {
        assertThat(isForCommands()).isFalse();
        assertThat(isForCommands("--server.port=0")).isFalse();
        assertThat(isForCommands("--spring.profiles.active=dev", "export")).isFalse();
    }

    @ParameterizedTest
    @ValueSource(strings = {"--version", "export --version", "slurm-agent --version", "slurm-agent init --version"})
    void everyCommandPrintsTheVersion(String arguments) {
        var out = new StringWriter();
        int exitCode = Berth.commands().setOut(new PrintWriter(out)).execute(arguments.split(" "));

        assertThat(exitCode).isZero();
        assertThat(out.toString()).startsWith("berth ");
    }

    @ParameterizedTest
    @ValueSource(strings = {"experiment all --quick", "replay --help", "replay-policies"})
    void aCommandOfTheLaboratorySaysWhichJarHasIt(String arguments) {
        var err = new StringWriter();
        int exitCode = Berth.execute(Berth.commands().setErr(new PrintWriter(err)), arguments.split(" "));

        assertThat(exitCode).isEqualTo(2);
        assertThat(err.toString()).hasLineCount(1).contains(arguments.split(" ")[0], "java -jar berth-lab.jar");
    }

    private static boolean isForCommands(String... arguments) {
        return Berth.isForCommands(arguments);
    }
}
