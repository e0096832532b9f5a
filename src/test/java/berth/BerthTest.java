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
        assertThat(isForCommands("replay", "--days", "3")).isTrue();
        assertThat(isForCommands("--help")).isTrue();
        assertThat(isForCommands("-V")).isTrue();
    }

    @Test
    void takesAMistypedSubcommandForTheCommandLine() {
        assertThat(isForCommands("repaly")).isTrue();
    }

    @Test
    void startsTheServiceWithoutArgumentsOrWithOtherOptions() {
        assertThat(isForCommands()).isFalse();
        assertThat(isForCommands("--server.port=0")).isFalse();
        assertThat(isForCommands("--spring.profiles.active=dev", "replay")).isFalse();
    }

    @ParameterizedTest
    @ValueSource(strings = {"--version", "replay --version", "experiment --version", "experiment 004 --version"})
    void tellsItsVersionInEveryCommand(String arguments) {
        var out = new StringWriter();
        int exitCode = Berth.commands().setOut(new PrintWriter(out)).execute(arguments.split(" "));

        assertThat(exitCode).isZero();
        assertThat(out.toString()).startsWith("berth ");
    }

    private static boolean isForCommands(String... arguments) {
        return Berth.isForCommands(Berth.commands(), arguments);
    }
}
