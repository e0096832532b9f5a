package berth.terminal;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/** The bearer token: from {@code --token}, else from the file, else from the environment. */
final class Token {
    private Token() {}

    /** @throws UnusableOption if there is none, or what there is cannot be one */
    static String of(Optional<String> option, Optional<Path> file, Optional<String> environment) {
        String token = option.or(() -> file.map(Token::read))
                .or(() -> environment)
                .map(String::strip)
                .orElse("");
        if (token.isEmpty()) {
            throw new UnusableOption(
                    "There is no token: give one with --token, --token-file or the environment variable BERTH_TOKEN.");
        }
        if (!token.chars().allMatch(c -> c > ' ' && c < 127)) {
            throw new UnusableOption(
                    "The token holds white space or characters outside ASCII. Maybe the file holds more than the token.");
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
