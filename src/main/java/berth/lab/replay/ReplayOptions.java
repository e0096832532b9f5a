package berth.lab.replay;

import berth.lab.workload.AdvanceReservationRecipe;
import berth.lab.workload.JobLog;
import berth.lab.workload.LogWindow;
import berth.terminal.ServiceOptions;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Optional;
import java.util.UUID;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The options of {@code berth replay}. Combinations of options are checked as they are read. */
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
                    "The log, in the Standard Workload Format or as the output of Slurm's sacct --parsable2, plain"
                            + " or gzip-compressed. Unusable lines are counted and left out.")
    Path trace;

    @Option(
            names = "--pes",
            paramLabel = "N",
            description = "PEs of the log's machine; default: MaxProcs, else MaxNodes, in the header of the log.")
    Optional<Integer> pes;

    @Option(
            names = "--cluster",
            paramLabel = "ID",
            required = true,
            description = {
                "The cluster to reserve on. It must have as many PEs as the log's machine. If it does not"
                        + " exist, it is created, which requires an ADMIN's token."
            })
    String cluster;

    @Option(
            names = "--from",
            paramLabel = "TIME",
            defaultValue = "0d",
            converter = LogOffset.class,
            description = "Start of the window, counted from the first submit of the log: 3d, 12h, 30m or 90s;"
                    + " default: ${DEFAULT-VALUE}.")
    long from;

    @Option(
            names = "--days",
            paramLabel = "N",
            defaultValue = "15",
            description = "Length of the window in days, decimals allowed; default: ${DEFAULT-VALUE}.")
    double days;

    @Option(
            names = "--concurrency",
            paramLabel = "N",
            defaultValue = "16",
            description = "Number of concurrent requests, 1 to 10000; default: ${DEFAULT-VALUE}. Only with 1 are they"
                    + " certain to arrive in the order of submission.")
    int concurrency;

    @Option(
            names = "--seed",
            paramLabel = "N",
            defaultValue = "1",
            description = "Seed for the random deadlines; default: ${DEFAULT-VALUE}.")
    long seed;

    @Option(
            names = "--flexible-share",
            paramLabel = "P",
            defaultValue = "0",
            description = "Probability, 0 to 1, that a request is flexible; default: ${DEFAULT-VALUE}.")
    double flexibleShare;

    @Option(
            names = "--flexibility",
            paramLabel = "PERCENT",
            defaultValue = "50",
            description =
                    "Mean of the Poisson distribution that says how much later the deadline of a flexible request is,"
                            + " in percent of its run time; default: ${DEFAULT-VALUE}.")
    double flexibility;

    @Option(
            names = "--start",
            paramLabel = "INSTANT",
            description = "The earliest ready time on the service's clock, such as 2030-01-01T00:00:00Z; default: ten"
                    + " minutes from now.")
    Optional<Instant> start;

    @Option(
            names = "--run-id",
            paramLabel = "ID",
            description =
                    "First part of the idempotency key of each request, <run id>-<job>; default: random. With the same"
                            + " run id, --start, --seed and other options, a run sends the same keys and bodies again.")
    Optional<String> runId;

    @Option(
            names = "--retries",
            paramLabel = "N",
            defaultValue = "5",
            description = "How often a request is sent again with its key if the answer is missing, 429 or 5xx;"
                    + " default: ${DEFAULT-VALUE}.")
    int retries;

    @Option(
            names = "--patience",
            paramLabel = "DURATION",
            defaultValue = "PT30S",
            description = "Time for one request with all its retries, of which one attempt may take a third;"
                    + " default: ${DEFAULT-VALUE}.")
    Duration patience;

    @Option(
            names = "--out",
            paramLabel = "FILE.csv",
            description = "A new file, to which a row is written as soon as each answer arrives: job, idempotencyKey,"
                    + " outcome, status, code, reservation, start, end, attempts, latencyMillis.")
    Optional<Path> out;

    @Option(
            names = "--no-progress",
            description = "Hides the progress bar. It is also hidden if standard input or output is not a terminal.")
    boolean noProgress;

    /**
     * Returns the number of PEs of the log's machine.
     *
     * @throws ReplayException if it is not positive, or neither given nor in the log
     */
    int machinePes(JobLog log) {
        if (pes.isPresent() && pes.get() < 1) {
            throw ReplayException.badInput("--pes is %d. Give 1 or more.".formatted(pes.get()));
        }
        return pes.or(() -> log.header().machinePes().stream().boxed().findFirst())
                .orElseThrow(() -> ReplayException.badInput(
                        "%s: the header has neither MaxProcs nor MaxNodes, so the machine's PEs are unknown. Give --pes."
                                .formatted(trace)));
    }

    /**
     * Returns the window of the log.
     *
     * @throws ReplayException if its length is not a positive number of days
     */
    LogWindow window() {
        if (!(days > 0 && days <= 36_500)) {
            throw ReplayException.badInput("--days is %s. Give more than 0 and at most 36500.".formatted(days));
        }
        return new LogWindow(from, Math.max(1, Math.round(days * 86_400)));
    }

    /**
     * Returns the recipe that makes requests from jobs.
     *
     * @throws ReplayException if the share or the flexibility is out of range
     */
    AdvanceReservationRecipe recipe(int machinePes) {
        try {
            return new AdvanceReservationRecipe(machinePes, seed, flexibleShare, flexibility);
        } catch (IllegalArgumentException e) {
            throw ReplayException.badInput(e.getMessage() + " Change --flexible-share or --flexibility.");
        }
    }

    /**
     * Returns the number of workers.
     *
     * @throws ReplayException if it is out of range
     */
    int workers() {
        if (concurrency < 1 || concurrency > 10_000) {
            throw ReplayException.badInput("--concurrency is %d. Give 1 to 10000.".formatted(concurrency));
        }
        return concurrency;
    }

    Instant startOr(Instant now) {
        return start.orElseGet(() -> now.plus(HEAD_START)).truncatedTo(ChronoUnit.SECONDS);
    }

    /**
     * Returns the run id, or a random one if none is given.
     *
     * @throws ReplayException if the id is not allowed in a header and a CSV file
     */
    String runIdOrRandom() {
        String id = runId.orElseGet(() -> UUID.randomUUID().toString());
        if (!id.matches("[A-Za-z0-9._-]{1,64}")) {
            throw ReplayException.badInput(
                    "--run-id is %s. Give 1 to 64 letters, digits, dots, hyphens and underscores.".formatted(id));
        }
        return id;
    }
}
