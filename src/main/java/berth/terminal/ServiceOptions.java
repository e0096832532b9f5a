package berth.terminal;

import java.net.URI;
import java.nio.file.Path;
import java.util.Optional;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Option;

/** The options that say which service is asked, and by whom. */
@SuppressWarnings("NullAway.Init") // picocli sets them all
public final class ServiceOptions {
    @Option(
            names = "--url",
            paramLabel = "URL",
            defaultValue = "http://localhost:8080",
            description = "Where the service stands; ${DEFAULT-VALUE} unless given.")
    private URI url;

    @ArgGroup
    private TokenOptions token = new TokenOptions();

    /** At most one of them. */
    private static final class TokenOptions {
        @Option(
                names = "--token",
                paramLabel = "TOKEN",
                description =
                        "The bearer token. Other users of the machine may see it in the list of processes: the file"
                                + " or the environment variable BERTH_TOKEN keeps it from them.")
        private Optional<String> text = Optional.empty();

        @Option(names = "--token-file", paramLabel = "FILE", description = "A file that holds the token alone.")
        private Optional<Path> file = Optional.empty();
    }

    /**
     * The address that every call's path is appended to, {@code /api/v1} included.
     *
     * @throws UnusableOption if {@code --url} is no http or https address
     */
    public String api() {
        boolean isHttp = "http".equalsIgnoreCase(url.getScheme()) || "https".equalsIgnoreCase(url.getScheme());
        if (!isHttp || url.getHost() == null || url.getQuery() != null) {
            throw new UnusableOption(
                    "--url is %s: give the address of the service, such as http://localhost:8080.".formatted(url));
        }
        return url.toString().replaceAll("/+$", "") + "/api/v1";
    }

    /** @throws UnusableOption if there is no token, or what there is cannot be one */
    public String bearerToken() {
        return Token.of(token.text, token.file, Optional.ofNullable(System.getenv("BERTH_TOKEN")));
    }
}
