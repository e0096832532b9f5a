package berth;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

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

    private static boolean isForCommands(String... arguments) {
        return Berth.isForCommands(Berth.commands(), arguments);
    }
}
