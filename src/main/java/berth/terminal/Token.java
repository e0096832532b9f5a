package berth.terminal;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/** Finds the bearer token: in {@code --token}, else in the file, else in the environment. */
final class Token {
    private Token() {}

    /**
     * Returns the bearer token.
     *
     * @throws UnusableOption if there is none, or if it cannot be a token
     */
    static String of(Optional<String> option, Optional<Path> file, Optional<String> environment) {
        String token = option.or(() -> file.map(Token::read))
                .or(() -> environment)
                .map(String::strip)
                .orElse("");
        if (token.isEmpty()) {
            throw new UnusableOption(
                    "There is no token. Give one with --token, --token-file or the environment variable BERTH_TOKEN.");
        }
        if (!token.chars().allMatch(c -> c > ' ' && c < 127)) {
            throw new UnusableOption(
                    "The token contains white space or characters outside ASCII. Check that the file contains only the token.");
        }
        return token;
    }

    private static String read(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new UnusableOption("--token-file is %s, which cannot be read (%s).".formatted(file, e));
        }
    }
}
