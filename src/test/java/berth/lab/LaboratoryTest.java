package berth.lab;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;

class LaboratoryTest {

    @ParameterizedTest
    @ValueSource(
            strings = {"replay --version", "experiment 004 --version", "replay-policies --version", "export --version"})
    void everyCommandPrintsTheVersion(String arguments) {
        var out = new StringWriter();
        int exitCode = Laboratory.commands().setOut(new PrintWriter(out)).execute(arguments.split(" "));

        assertThat(exitCode).isZero();
        assertThat(out.toString()).startsWith("berth ");
    }

    /** In help texts a percent sign must be written twice. These commands are all those of the service, too. */
    @Test
    void hasHelpThatCanBeShown() {
        assertThat(help(Laboratory.commands()))
                .hasSizeGreaterThan(10)
                .allSatisfy(line -> assertThatCode(() -> String.format(line)).doesNotThrowAnyException());
    }

    private static List<String> help(CommandLine command) {
        List<String> lines =
                new ArrayList<>(List.of(command.getCommandSpec().usageMessage().description()));
        command.getSubcommands().values().forEach(below -> lines.addAll(help(below)));
        return lines;
    }
}
