package berth.load;

import berth.terminal.ServiceOptions;
import berth.terminal.UnusableOption;
import java.io.IOException;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code berth load}: makes calls to a running service for a while, and prints how long they took. */
@Command(
        name = "load",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        description = {
            "Makes calls to a running service and reports how long they took.",
            "",
            "With a rate (--call probe@200) calls are due at random times, so many a second on average, whatever is answered"
                    + " (open loop); times count from when a call was due, also where it could not be made yet because no"
                    + " connection was free. Without a rate each connection makes its next call when it has the answer to"
                    + " its last (closed loop). For a service to throw away: reservations stay."
        },
        footerHeading = "%nThe figures, for the calls that were due in the warm-up and in the time that is measured:%n",
        footer = {
            "  requests/s    calls that were made / length of that part",
            "  never made    due, but no connection was free before the end; they count with the time until then",
            "  no answer     counts with the time until it was given up",
            "  client late   how much later a call was made than there was a connection for it: the client's own fault"
        },
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {
            "0:every call that was measured was answered with success",
            "1:some were not; the table says which",
            "2:an option, the token or the cluster is wrong",
            "3:the service was not there"
        })
public final class LoadCommand implements Callable<Integer> {
    static final int UNSUCCESSFUL = 1;
    static final int BAD_INPUT = 2;
    static final int NOT_THERE = 3;

    /** Above it, what is told of the service may be due to the client. */
    private static final double LATE_MILLIS = 1;

    private static final Duration LONGEST = Duration.ofHours(24);

    /** A request takes a while to come, and what is behind cannot be reserved. */
    private static final Duration SHORTEST_AHEAD = Duration.ofSeconds(10);

    /** Clusters are reserved as far ahead as their horizon. */
    private static final Duration LONGEST_AHEAD = Duration.ofDays(30);

    private static final long SEED = 1;

    @Spec
    @SuppressWarnings("NullAway.Init") // picocli sets it
    private CommandSpec spec;

    @Mixin
    private final ServiceOptions service = new ServiceOptions();

    @Option(
            names = "--call",
            paramLabel = "CALL[@RATE]",
            required = true,
            converter = Traffic.Converter.class,
            description = {
                "probe: what would fit 32 PEs for two hours. reserve: one PE for a minute, under a new"
                        + " idempotency key each time. With a rate, so many a second, else as fast as answers come. Given"
                        + " more than once, all are made at the same time."
            })
    private final List<Traffic> traffic = new ArrayList<>();

    @Option(
            names = "--cluster",
            paramLabel = "ID",
            defaultValue = "load",
            description = "The cluster to ask; ${DEFAULT-VALUE} unless given. Where there is none of this id it is"
                    + " registered with ten million PEs, which takes an ADMIN's token. Given more than once, each request"
                    + " leaves the choice among them to the service.")
    private final List<String> clusters = new ArrayList<>();

    @Option(
            names = "--ahead",
            paramLabel = "DURATION",
            defaultValue = "P1D",
            description =
                    "How far ahead runs are reserved; ${DEFAULT-VALUE} unless given, so that nothing starts while the"
                            + " load lasts. With a minute as many end as are reserved, and a service can be watched for hours.")
    @SuppressWarnings("NullAway.Init") // picocli sets it
    private Duration ahead;

    @Option(
            names = "--connections",
            paramLabel = "N",
            defaultValue = "64",
            description = "For each --call, 1 to 1000; ${DEFAULT-VALUE} unless given.")
    private int connections;

    @Option(
            names = "--warm-up",
            paramLabel = "DURATION",
            defaultValue = "PT10S",
            description =
                    "Told apart; ${DEFAULT-VALUE} unless given. A service that has just been started takes a minute"
                            + " under load to become as fast as it will be.")
    @SuppressWarnings("NullAway.Init") // picocli sets it
    private Duration warmUp;

    @Option(
            names = "--duration",
            paramLabel = "DURATION",
            defaultValue = "PT30S",
            description = "What is measured, after the warm-up; ${DEFAULT-VALUE} unless given.")
    @SuppressWarnings("NullAway.Init") // picocli sets it
    private Duration duration;

    /** Makes the calls; the exit code is one of those listed in the help. */
    @Override
    public Integer call() throws InterruptedException, ExecutionException {
        try {
            return load(phases());
        } catch (UnusableOption e) {
            error(e.getMessage());
            return BAD_INPUT;
        } catch (IOException e) {
            error("The service does not answer (%s). Maybe it is not started, or --url is wrong."
                    .formatted(e.getMessage() == null ? e.getClass().getSimpleName() : e.getMessage()));
            return NOT_THERE;
        }
    }

    private int load(Phases phases) throws IOException, InterruptedException, ExecutionException {
        if (connections < 1 || connections > 1_000) {
            throw new UnusableOption("--connections is %d: give 1 to 1000.".formatted(connections));
        }
        if (ahead.compareTo(SHORTEST_AHEAD) < 0 || ahead.compareTo(LONGEST_AHEAD) > 0) {
            throw new UnusableOption("--ahead is %s: give a time from PT10S to P30D.".formatted(ahead));
        }
        List<LoadRun> runs = new ArrayList<>();
        try (var client = new LoadClient(service.api(), service.bearerToken(), clusters, ahead)) {
            client.prepare();
            long start = System.nanoTime();
            var random = new SplittableRandom(SEED);
            List<Future<?>> workers = new ArrayList<>();
            try (ExecutorService threads = Executors.newCachedThreadPool()) {
                for (Traffic each : traffic) {
                    var run = new LoadRun(
                            each.toString(), arrivals(each, random.split(), phases), call(each, client), phases, start);
                    runs.add(run);
                    workers.addAll(run.begin(threads, connections));
                }
                for (Future<?> worker : workers) {
                    worker.get();
                }
            }
        }
        var table = new LoadTable(spec.commandLine().getOut(), phases);
        runs.forEach(table::print);
        runs.forEach(this::warn);
        return runs.stream().allMatch(run -> run.measured().allSucceeded()) ? 0 : UNSUCCESSFUL;
    }

    private static Arrivals arrivals(Traffic traffic, SplittableRandom random, Phases phases) {
        return traffic.rate().isPresent()
                ? new Arrivals.Open(traffic.rate().getAsDouble(), random, phases.end())
                : new Arrivals.Closed(phases.end());
    }

    private static Supplier<Answer> call(Traffic traffic, LoadClient client) {
        return switch (traffic.call()) {
            case PROBE -> client::probe;
            case RESERVE -> client::reserve;
        };
    }

    private Phases phases() {
        if (warmUp.isNegative() || warmUp.compareTo(LONGEST) > 0) {
            throw new UnusableOption("--warm-up is %s: give a time from PT0S to PT24H.".formatted(warmUp));
        }
        if (!duration.isPositive() || duration.compareTo(LONGEST) > 0) {
            throw new UnusableOption(
                    "--duration is %s: give a time above PT0S, and PT24H at most.".formatted(duration));
        }
        return new Phases(warmUp, duration);
    }

    private void warn(LoadRun run) {
        Figures measured = run.measured();
        if (measured.neverMade() > 0) {
            error(
                    "%s: %d of %d requests were never made, since all connections waited for answers: the service takes fewer."
                            .formatted(run.name(), measured.neverMade(), measured.due()));
        }
        if (measured.clientLateness(99) > LATE_MILLIS) {
            error(
                    "%s: the client could not keep up: one request in 100 was made %.3f ms late or more although a connection was free. Give it more of a processor, or a lower rate."
                            .formatted(run.name(), measured.clientLateness(99)));
        }
    }

    private void error(@Nullable String message) {
        PrintWriter err = spec.commandLine().getErr();
        err.println(message);
        err.flush();
    }
}
