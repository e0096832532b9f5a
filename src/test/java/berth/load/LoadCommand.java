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
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code src/test/load/load.sh}: makes calls to a running service for a while and prints how long they took. */
@Command(
        name = "load",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        description = {
            "Makes calls to a running service and reports how long they took.",
            "",
            "With a rate (--call probe@200), calls are due at random times with this average number per second, whatever the"
                    + " service answers (open loop). Times count from when a call was due, even if no connection was"
                    + " free to make it. Without a rate, each connection makes its next call as soon as the last one"
                    + " is answered (closed loop). Use a disposable service, because the reservations stay."
        },
        footerHeading = "%nThe figures, for the calls due in the warm-up and in the measured time:%n",
        footer = {
            "  requests/s    calls made / length of the warm-up or of the measured time",
            "  never made    calls for which no connection was free before the end; their times count until the end",
            "  no answer     calls without an answer; their times count until they were given up",
            "  client late   how much later a call was made than a connection was free for it: the client's own delay"
        },
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {
            "0:all measured calls succeeded",
            "1:some measured calls failed; the table shows which",
            "2:an option, the token or the cluster is invalid",
            "3:the service did not answer"
        })
public final class LoadCommand implements Callable<Integer> {
    static final int UNSUCCESSFUL = 1;
    static final int BAD_INPUT = 2;
    static final int NOT_THERE = 3;

    /** If the client is later than this, in milliseconds, the measured times may be due to the client rather than the service. */
    private static final double LATE_MILLIS = 1;

    private static final Duration MAX_DURATION = Duration.ofHours(24);

    /** A run must start late enough that its start is not past when the request arrives. */
    private static final Duration MIN_AHEAD = Duration.ofSeconds(10);

    /** Bounded because a cluster accepts reservations only up to its horizon. */
    private static final Duration MAX_AHEAD = Duration.ofDays(30);

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
                "probe: probes for 32 PEs for two hours. reserve: reserves one PE for a minute, each time with a new"
                        + " idempotency key. With a rate: this many calls per second; without: as fast as the service"
                        + " answers. If given more than once, all kinds of calls are made at the same time."
            })
    private final List<Traffic> traffic = new ArrayList<>();

    @Option(
            names = "--cluster",
            paramLabel = "ID",
            defaultValue = "load",
            description = "The cluster to call; default: ${DEFAULT-VALUE}. If it does not exist, it is created with"
                    + " ten million PEs, which requires an ADMIN's token. If given more than once, the service chooses"
                    + " among the clusters for each request.")
    private final List<String> clusters = new ArrayList<>();

    @Option(
            names = "--ahead",
            paramLabel = "DURATION",
            defaultValue = "P1D",
            description = "How far ahead runs are reserved; default: ${DEFAULT-VALUE}, so that no run starts during the"
                    + " test. With PT1M as many runs end as are reserved, so that the test can last for hours.")
    @SuppressWarnings("NullAway.Init") // picocli sets it
    private Duration ahead;

    @Option(
            names = "--connections",
            paramLabel = "N",
            defaultValue = "64",
            description = "Number of connections for each --call, 1 to 1000; default: ${DEFAULT-VALUE}.")
    private int connections;

    @Option(
            names = "--warm-up",
            paramLabel = "DURATION",
            defaultValue = "PT10S",
            description = "Length of the warm-up, which is reported separately; default: ${DEFAULT-VALUE}. A newly"
                    + " started service needs a minute under load to reach its full speed.")
    @SuppressWarnings("NullAway.Init") // picocli sets it
    private Duration warmUp;

    @Option(
            names = "--duration",
            paramLabel = "DURATION",
            defaultValue = "PT30S",
            description = "Length of the measured time, after the warm-up; default: ${DEFAULT-VALUE}.")
    @SuppressWarnings("NullAway.Init") // picocli sets it
    private Duration duration;

    public static void main(String[] args) {
        System.exit(new CommandLine(new LoadCommand()).execute(args));
    }

    /** Makes the calls and returns one of the exit codes listed in the help. */
    @Override
    public Integer call() throws InterruptedException, ExecutionException {
        try {
            return load(phases());
        } catch (UnusableOption e) {
            error(e.getMessage());
            return BAD_INPUT;
        } catch (IOException e) {
            error("The service does not answer (%s). Check that it is running and that --url is correct."
                    .formatted(e.getMessage() == null ? e.getClass().getSimpleName() : e.getMessage()));
            return NOT_THERE;
        }
    }

    private int load(Phases phases) throws IOException, InterruptedException, ExecutionException {
        if (connections < 1 || connections > 1_000) {
            throw new UnusableOption("--connections is %d. Give 1 to 1000.".formatted(connections));
        }
        if (ahead.compareTo(MIN_AHEAD) < 0 || ahead.compareTo(MAX_AHEAD) > 0) {
            throw new UnusableOption("--ahead is %s. Give a time from PT10S to P30D.".formatted(ahead));
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

    private static Supplier<CallResult> call(Traffic traffic, LoadClient client) {
        return switch (traffic.call()) {
            case PROBE -> client::probe;
            case RESERVE -> client::reserve;
        };
    }

    private Phases phases() {
        if (warmUp.isNegative() || warmUp.compareTo(MAX_DURATION) > 0) {
            throw new UnusableOption("--warm-up is %s. Give a time from PT0S to PT24H.".formatted(warmUp));
        }
        if (!duration.isPositive() || duration.compareTo(MAX_DURATION) > 0) {
            throw new UnusableOption("--duration is %s. Give a time above PT0S and at most PT24H.".formatted(duration));
        }
        return new Phases(warmUp, duration);
    }

    private void warn(LoadRun run) {
        CallFigures measured = run.measured();
        if (measured.neverMade() > 0) {
            error(
                    "%s: %d of %d requests were never made, because all connections waited for answers. The service cannot handle this rate."
                            .formatted(run.name(), measured.neverMade(), measured.due()));
        }
        if (measured.clientLateness(99) > LATE_MILLIS) {
            error(
                    "%s: the client could not keep up: one request in 100 was made at least %.3f ms late although a connection was free. Give the client more processor time, or use a lower rate."
                            .formatted(run.name(), measured.clientLateness(99)));
        }
    }

    private void error(@Nullable String message) {
        PrintWriter err = spec.commandLine().getErr();
        err.println(message);
        err.flush();
    }
}
