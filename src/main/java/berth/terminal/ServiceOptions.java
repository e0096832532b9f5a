package berth.terminal;

import java.net.URI;
import java.nio.file.Path;
import java.util.Optional;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Option;

/** The options that name the service and the token to call it with. */
@SuppressWarnings("NullAway.Init") // picocli sets them all
public final class ServiceOptions {
    @Option(
            names = "--url",
            paramLabel = "URL",
            defaultValue = "http://localhost:8080",
            description = "Address of the service; default: ${DEFAULT-VALUE}.")
    private URI url;

    @ArgGroup
    private TokenOptions token = new TokenOptions();

    /** The token options, of which at most one may be given. */
    private static final class TokenOptions {
        @Option(
                names = "--token",
                paramLabel = "TOKEN",
                description = "The bearer token. Other users of the machine can see it in the process list. To avoid"
                        + " that, use --token-file or the environment variable BERTH_TOKEN.")
        private Optional<String> text = Optional.empty();

        @Option(names = "--token-file", paramLabel = "FILE", description = "A file that contains only the token.")
        private Optional<Path> file = Optional.empty();
    }

    /**
     * Returns the address that the path of every call is appended to, including {@code /api/v1}.
     *
     * @throws UnusableOption if {@code --url} is not an http or https address
     */
    public String api() {
        boolean isHttp = "http".equalsIgnoreCase(url.getScheme()) || "https".equalsIgnoreCase(url.getScheme());
        if (!isHttp || url.getHost() == null || url.getQuery() != null) {
            throw new UnusableOption(
                    "--url is %s. Give the address of the service, such as http://localhost:8080.".formatted(url));
        }
        return url.toString().replaceAll("/+$", "") + "/api/v1";
    }

    /**
     * Returns the bearer token.
     *
     * @throws UnusableOption if there is none, or if it cannot be a token
     */
    public String bearerToken() {
        return Token.of(token.text, token.file, Optional.ofNullable(System.getenv("BERTH_TOKEN")));
    }
}
