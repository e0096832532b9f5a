package berth.replay;

import berth.terminal.ServiceOptions;
import berth.workload.AdvanceReservationRecipe;
import berth.workload.JobLog;
import berth.workload.LogWindow;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Optional;
import java.util.UUID;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The options of {@code berth replay}; what they mean together is checked as they are read. */
@SuppressWarnings("NullAway.Init") // picocli sets them all
final class ReplayOptions {
    private static final Duration HEAD_START = Duration.ofMinutes(10);

    @Mixin
    final ServiceOptions service = new ServiceOptions();

    @Option(
            names = "--trace",
            paramLabel = "FILE",
            required = true,
            description =
                    "The log: in the Standard Workload Format or the output of Slurm's sacct --parsable2, plain or"
                            + " gzip-compressed. Lines that cannot be used are counted and left out.")
    Path trace;

    @Option(
            names = "--pes",
            paramLabel = "N",
            description =
                    "PEs of the log's machine; those that its header names (MaxProcs, else MaxNodes) unless given.")
    Optional<Integer> pes;

    @Option(
            names = "--cluster",
            paramLabel = "ID",
            required = true,
            description = {
                "The cluster to reserve on. It must have the PEs of the log's machine; where there is"
                        + " none of this id it is registered, which takes an ADMIN's token."
            })
    String cluster;

    @Option(
            names = "--from",
            paramLabel = "TIME",
            defaultValue = "0d",
            converter = LogOffset.class,
            description = "Where in the log to begin, counted from its first submit: 3d, 12h, 30m or 90s;"
                    + " ${DEFAULT-VALUE} unless given.")
    long from;

    @Option(
            names = "--days",
            paramLabel = "N",
            defaultValue = "15",
            description = "Length of the window in days, decimals allowed; ${DEFAULT-VALUE} unless given.")
    double days;

    @Option(
            names = "--concurrency",
            paramLabel = "N",
            defaultValue = "16",
            description = "Requests in flight at a time, 1 to 10000; ${DEFAULT-VALUE} unless given. Only with 1 do they"
                    + " surely arrive in the order of submission.")
    int concurrency;

    @Option(
            names = "--seed",
            paramLabel = "N",
            defaultValue = "1",
            description = "Seed of the deadlines; ${DEFAULT-VALUE} unless given.")
    long seed;

    @Option(
            names = "--flexible-share",
            paramLabel = "P",
            defaultValue = "0",
            description = "Probability, 0 to 1, that a request is flexible; ${DEFAULT-VALUE} unless given.")
    double flexibleShare;

    @Option(
            names = "--flexibility",
            paramLabel = "PERCENT",
            defaultValue = "50",
            description =
                    "Mean of the Poisson distribution by which a flexible request's deadline is later, in percent of"
                            + " its run time; ${DEFAULT-VALUE} unless given.")
    double flexibility;

    @Option(
            names = "--start",
            paramLabel = "INSTANT",
            description =
                    "Where the earliest ready time of the window goes, as 2030-01-01T00:00:00Z; ten minutes from now"
                            + " unless given.")
    Optional<Instant> start;

    @Option(
            names = "--run-id",
            paramLabel = "ID",
            description =
                    "Begins the idempotency key of each request, <run id>-<job>; random unless given. The same run id,"
                            + " --start, --seed and other options send the same keys and bodies again.")
    Optional<String> runId;

    @Option(
            names = "--retries",
            paramLabel = "N",
            defaultValue = "5",
            description = "How often a request without an answer, or answered 429 or 5xx, is sent again under its key;"
                    + " ${DEFAULT-VALUE} unless given.")
    int retries;

    @Option(
            names = "--patience",
            paramLabel = "DURATION",
            defaultValue = "PT30S",
            description = "Time for one request with all its retries; a single attempt may take a third of it;"
                    + " ${DEFAULT-VALUE} unless given.")
    Duration patience;

    @Option(
            names = "--out",
            paramLabel = "FILE.csv",
            description = "A new file that gets a row for each answer as soon as it is there: job, idempotencyKey,"
                    + " outcome, status, code, reservation, start, end, attempts, latencyMillis.")
    Optional<Path> out;

    @Option(
            names = "--no-progress",
            description = "No progress bar. There is none either where standard input or output is no terminal.")
    boolean noProgress;

    /** @throws ReplayException if they are not given, not positive, or not known */
    int machinePes(JobLog log) {
        if (pes.isPresent() && pes.get() < 1) {
            throw ReplayException.badInput("--pes is %d: give 1 or more.".formatted(pes.get()));
        }
        return pes.or(() -> log.header().machinePes().stream().boxed().findFirst())
                .orElseThrow(() -> ReplayException.badInput(
                        "%s: no header names MaxProcs or MaxNodes, so the machine's PEs are unknown. Give --pes."
                                .formatted(trace)));
    }

    /** @throws ReplayException if the length is no positive number of days */
    LogWindow window() {
        if (!(days > 0 && days <= 36_500)) {
            throw ReplayException.badInput("--days is %s: give more than 0, and 36500 at most.".formatted(days));
        }
        return new LogWindow(from, Math.max(1, Math.round(days * 86_400)));
    }

    /** @throws ReplayException if the share or the flexibility is out of its range */
    AdvanceReservationRecipe recipe(int machinePes) {
        try {
            return new AdvanceReservationRecipe(machinePes, seed, flexibleShare, flexibility);
        } catch (IllegalArgumentException e) {
            throw ReplayException.badInput(e.getMessage() + " Change --flexible-share or --flexibility.");
        }
    }

    /** @throws ReplayException if there are too few or too many */
    int workers() {
        if (concurrency < 1 || concurrency > 10_000) {
            throw ReplayException.badInput("--concurrency is %d: give 1 to 10000.".formatted(concurrency));
        }
        return concurrency;
    }

    Instant startOr(Instant now) {
        return start.orElseGet(() -> now.plus(HEAD_START)).truncatedTo(ChronoUnit.SECONDS);
    }

    /** @throws ReplayException if the id cannot stand in a header and a CSV file */
    String runIdOrRandom() {
        String id = runId.orElseGet(() -> UUID.randomUUID().toString());
        if (!id.matches("[A-Za-z0-9._-]{1,64}")) {
            throw ReplayException.badInput(
                    "--run-id is %s: give 1 to 64 letters, digits, dots, hyphens and underscores.".formatted(id));
        }
        return id;
    }
}
