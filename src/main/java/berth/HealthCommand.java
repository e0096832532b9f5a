package berth;

import java.io.IOException;
import java.net.HttpURLConnection;
import java.net.URI;
import java.time.Duration;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/**
 * {@code berth health}: checks whether a running service is healthy, without a token. It serves as the health check of a container, which
 * runs it repeatedly; it therefore uses little of Java and nothing of Spring.
 */
@Command(
        name = "health",
        mixinStandardHelpOptions = true,
        description = "Checks whether a running service is healthy.",
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {
            "0:the service is healthy",
            "1:the service is unhealthy or does not answer",
            "2:an option is invalid"
        })
final class HealthCommand implements Callable<Integer> {
    static final int UNWELL = 1;

    /** Longer than the service itself waits for its database. */
    private static final Duration PATIENCE = Duration.ofSeconds(8);

    @Spec
    @SuppressWarnings("NullAway.Init") // picocli sets it
    private CommandSpec spec;

    @Option(
            names = "--url",
            paramLabel = "URL",
            defaultValue = "http://localhost:${env:SERVER_PORT:-8080}",
            description = "Address of the service; default: http://localhost with the port in SERVER_PORT, or 8080.")
    @SuppressWarnings("NullAway.Init") // picocli sets it
    private URI url;

    /** Checks once and returns one of the exit codes listed in the help. */
    @Override
    public Integer call() {
        try {
            int status = ask(healthAddress());
            if (status == HttpURLConnection.HTTP_OK) {
                return 0;
            }
            error("The service at %s is not healthy: it answers %d.".formatted(url, status));
        } catch (IOException e) {
            error("The service at %s does not answer: %s".formatted(url, e.getMessage()));
        }
        return UNWELL;
    }

    private URI healthAddress() {
        boolean isHttp = "http".equalsIgnoreCase(url.getScheme()) || "https".equalsIgnoreCase(url.getScheme());
        if (!isHttp || url.getHost() == null || url.getQuery() != null) {
            throw new ParameterException(
                    spec.commandLine(),
                    "--url is %s. Give the address of the service, such as http://localhost:8080.".formatted(url));
        }
        return URI.create(url.toString().replaceAll("/+$", "") + "/actuator/health");
    }

    /** Returns the status of the response. This HTTP client is older than java.net.http and starts in a tenth of its time. */
    private static int ask(URI address) throws IOException {
        var connection = (HttpURLConnection) address.toURL().openConnection();
        connection.setConnectTimeout((int) PATIENCE.toMillis());
        connection.setReadTimeout((int) PATIENCE.toMillis());
        connection.setInstanceFollowRedirects(false);
        return connection.getResponseCode();
    }

    private void error(String message) {
        var err = spec.commandLine().getErr();
        err.println(message);
        err.flush();
    }
}
