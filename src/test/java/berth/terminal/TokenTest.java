package berth.terminal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TokenTest {
    @TempDir
    Path directory;

    @Test
    void prefersTheOptionToTheFileAndTheFileToTheEnvironment() throws IOException {
        Optional<Path> file = Optional.of(Files.writeString(directory.resolve("token"), "filed\n"));
        Optional<String> environment = Optional.of("inherited");
        assertThat(Token.of(Optional.of("given"), file, environment)).isEqualTo("given");
        assertThat(Token.of(Optional.empty(), file, environment)).isEqualTo("filed");
        assertThat(Token.of(Optional.empty(), Optional.empty(), environment)).isEqualTo("inherited");
    }

    @Test
    void saysWhereATokenMayComeFrom() {
        assertThatThrownBy(() -> Token.of(Optional.empty(), Optional.empty(), Optional.empty()))
                .hasMessageContainingAll("--token", "--token-file", "BERTH_TOKEN");
        assertThatThrownBy(() -> Token.of(Optional.of("  "), Optional.empty(), Optional.empty()))
                .hasMessageContaining("There is no token");
    }

    @Test
    void rejectsMalformedTokens() {
        assertThatThrownBy(() -> Token.of(Optional.of("two words"), Optional.empty(), Optional.empty()))
                .hasMessageContaining("white space");
        Optional<Path> missing = Optional.of(directory.resolve("missing"));
        assertThatThrownBy(() -> Token.of(Optional.empty(), missing, Optional.empty()))
                .hasMessageContainingAll("--token-file", "missing");
    }
}
