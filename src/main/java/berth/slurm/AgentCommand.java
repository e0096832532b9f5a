package berth.slurm;

import berth.cluster.HostList;
import berth.slurm.Agent.Identity;
import berth.slurm.Agent.Protect;
import berth.slurm.Agent.Settings;
import berth.slurm.Reconciler.Reconciled;
import berth.slurm.Shell.ExitResult;
import berth.terminal.ServiceOptions;
import berth.terminal.UnusableOption;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code berth slurm-agent}: makes a Slurm cluster follow the plan of a cluster of Berth as long as it runs. */
@Command(
        name = "slurm-agent",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        subcommands = InitCommand.class,
        description = {
            "Makes a Slurm cluster follow Berth's plan: it keeps one Slurm reservation of named nodes for each promise.",
            "",
            "Run it where scontrol and squeue work, as a user with AdminLevel=Operator in Slurm, with the token of a Berth"
                    + " account with the role AGENT. It reports to Berth which nodes are out of service and which jobs run."
                    + " It never touches reservations that do not stem from a reservation of this Berth."
        },
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {
            "0:with --once: all promises are in place; with --dry-run: it has printed its commands",
            "1:with --once: some promises are not in place; the output names them",
            "2:an option is wrong, the agent's user may not create reservations, Slurm lacks nodes of the cluster, or another agent of the"
                    + " cluster runs on this machine",
            "3:Berth or Slurm does not respond, Berth rejects the token, or the clocks differ by more than 5 s; without --once and --dry-run this happens only at the start"
        })
public final class AgentCommand implements Callable<Integer> {
    static final int NOT_IN_PLACE = 1;
    static final int BAD_INPUT = 2;
    static final int NOT_THERE = 3;

    private static final Duration PROGRAM_PATIENCE = Duration.ofSeconds(5);
    private static final Duration MAX_MARGIN = Duration.ofMinutes(10);
    private static final Duration LEAST_PAUSE = Duration.ofSeconds(1);
    private static final Duration RETRY_PAUSE = Duration.ofSeconds(5);

    /** How long the end of the process waits for the present call of the agent. */
    private static final Duration PATIENCE_AT_END = Duration.ofSeconds(10);

    @Spec
    @SuppressWarnings("NullAway.Init") // picocli sets this field
    private CommandSpec spec;

    @Mixin
    private final ServiceOptions service = new ServiceOptions();

    @Option(
            names = "--cluster",
            paramLabel = "ID",
            defaultValue = "",
            description = "The id of the cluster in Berth, whose binding must be EARLY. Required.")
    @SuppressWarnings("NullAway.Init") // picocli sets this field
    private String cluster;

    @Option(
            names = "--nodes",
            paramLabel = "LIST",
            defaultValue = "",
            description =
                    "The cluster's nodes in the order of its PEs, in Slurm's notation: n[1-16]. Append new nodes. Required if the"
                            + " cluster has no peNames.")
    @SuppressWarnings("NullAway.Init") // picocli sets this field
    private String nodes;

    @Option(
            names = "--users",
            paramLabel = "FILE",
            description =
                    "A file whose lines name an account of Berth and the Linux users who may run its jobs, such as: climate ada,bob."
                            + " An account without a line stands for the user of the same name.")
    private @Nullable Path users;

    @Option(
            names = "--ahead",
            paramLabel = "DURATION",
            description =
                    "How long before its start a reservation is created in Slurm. Default: the longest time limit of a job plus ten"
                            + " minutes, so that no job can be in its way, but at least a day; a year, if jobs have no time limit.")
    private @Nullable Duration ahead;

    @Option(
            names = "--protect",
            paramLabel = "WHAT",
            defaultValue = "JOBS",
            description =
                    "JOBS: jobs outside of reservations run to their end, and a reservation has their nodes afterwards."
                            + " RESERVATIONS: the agent ends jobs on the nodes of a reservation that begins. Default: ${DEFAULT-VALUE}.")
    @SuppressWarnings("NullAway.Init") // picocli sets this field
    private Protect protect;

    @Option(
            names = "--margin",
            paramLabel = "DURATION",
            defaultValue = "PT1M",
            description =
                    "How much earlier a reservation begins in Slurm, and how much later it ends, where nobody else has its nodes. So a job"
                            + " whose time limit is the booked time can start. Default: ${DEFAULT-VALUE}.")
    @SuppressWarnings("NullAway.Init") // picocli sets this field
    private Duration margin;

    @Option(
            names = "--every",
            paramLabel = "DURATION",
            defaultValue = "PT5S",
            description =
                    "How often the agent compares both sides if Berth has no new events. Default: ${DEFAULT-VALUE}.")
    @SuppressWarnings("NullAway.Init") // picocli sets this field
    private Duration every;

    @Option(
            names = "--lock",
            paramLabel = "FILE",
            description = "A file that the agent locks while it runs, so that each cluster has one agent. Default:"
                    + " berth-slurm-agent-CLUSTER.lock in the directory for temporary files.")
    private @Nullable Path lock;

    @Option(
            names = "--name",
            paramLabel = "NAME",
            description =
                    "The agent's name in Berth, which accepts one agent of a cluster at a time. Default: the host's name.")
    private @Nullable String name;

    @Option(
            names = "--metrics",
            paramLabel = "FILE",
            description = "A file for its metrics in Prometheus format, written after each pass. Default: none.")
    private @Nullable Path metrics;

    @Option(
            names = "--no-maintenance",
            description =
                    "Leaves outages that were recorded in Berth to you. Without this option, the agent makes a reservation with the flag MAINT"
                            + " for each, so that the jobs of the queue end before it.")
    private boolean leavesMaintenance;

    @Option(
            names = "--adopt",
            description =
                    "Takes over the reservations in Slurm that another Berth made for a cluster of the same name, or that were made after"
                            + " the backup from which Berth was restored: the agent deletes them and ends their jobs. Without this option,"
                            + " the agent only names them.")
    private boolean adopts;

    @Option(names = "--once", description = "Makes one pass and exits.")
    private boolean once;

    @Option(names = "--dry-run", description = "Prints the first commands of a pass, changes nothing, and exits.")
    private boolean dryRun;

    /** Runs until the process is asked to end; returns one of the exit codes listed in the help. */
    @Override
    public Integer call() throws InterruptedException {
        var out = spec.commandLine().getOut();
        // picocli cannot require the option, because the subcommand init works without it
        if (cluster.isEmpty()) {
            return fail(
                    spec, BAD_INPUT, new UnusableOption("Give --cluster. If there is no cluster yet, run init first."));
        }
        if (margin.isNegative() || margin.compareTo(MAX_MARGIN) > 0) {
            return fail(
                    spec,
                    BAD_INPUT,
                    new UnusableOption("--margin is %s. Give PT0S to %s.".formatted(margin, MAX_MARGIN)));
        }
        try (var _ = hold();
                var berth = new AgentClient(service.api(), service.bearerToken(), cluster, InstantSource.system())) {
            var named = Optional.of(nodes).filter(list -> !list.isEmpty());
            var shell = Shell.ofThisMachine(PROGRAM_PATIENCE);
            var meters = new AgentMeters(cluster);
            var agent = new Agent(
                    new Identity(agentName(), String.join(" ", spec.root().version())),
                    new Settings(
                            cluster,
                            named,
                            users == null ? UserMap.SAME : UserMap.read(users),
                            Optional.ofNullable(ahead),
                            protect,
                            margin,
                            !leavesMaintenance,
                            adopts),
                    new Slurm(dryRun ? new DryShell(shell, out) : shell),
                    berth,
                    InstantSource.system(),
                    line -> {
                        if (!dryRun) {
                            say(out, line);
                        }
                    },
                    meters);
            var nodeList = nodes(named, berth.card());
            requireAbility(agent, out);
            return once || dryRun ? pass(agent, meters, out) : serve(agent, berth, meters, nodeList, out);
        } catch (UnusableOption | NoRight e) {
            return fail(spec, BAD_INPUT, e);
        } catch (BerthUnavailable | SlurmUnavailable | IOException | UncheckedIOException e) {
            return fail(spec, NOT_THERE, e);
        }
    }

    /** Checks that the agent can follow the plan. Waits for a Slurm that is away, unless there is only one pass. */
    private void requireAbility(Agent agent, PrintWriter out) throws InterruptedException {
        var before = "";
        while (true) {
            try {
                agent.requireAbility();
                return;
            } catch (SlurmUnavailable e) {
                if (once || dryRun) {
                    throw e;
                }
                var found = String.valueOf(e.getMessage());
                if (!found.equals(before)) {
                    say(out, found);
                    before = found;
                }
                Thread.sleep(LEAST_PAUSE);
            } catch (UnusableOption | NoRight e) {
                if (!dryRun) {
                    agent.leave(Optional.of(String.valueOf(e.getMessage())));
                }
                throw e;
            }
        }
    }

    private String agentName() {
        try {
            return name != null ? name : InetAddress.getLocalHost().getHostName();
        } catch (UnknownHostException e) {
            throw new UnusableOption("This machine's host name is unknown. Give --name.");
        }
    }

    private NodeList nodes(Optional<String> named, AgentClient.Card card) {
        try {
            var nodeList = card.nodes(named);
            if (nodeList.pes(nodeList.size()) < card.pes()) {
                throw new IllegalArgumentException(
                        "There are %d nodes with %d PEs each, but the cluster has %d PEs. Name all its nodes."
                                .formatted(nodeList.size(), card.granule(), card.pes()));
            }
            return nodeList;
        } catch (IllegalArgumentException e) {
            throw new UnusableOption("Cluster %s cannot be followed%s: %s"
                    .formatted(cluster, named.map(" with --nodes %s"::formatted).orElse(""), e.getMessage()));
        }
    }

    /** Locks the lock file. The lock ends with the process. */
    private FileChannel hold() {
        var file = lock != null
                ? lock
                : Path.of(System.getProperty("java.io.tmpdir"), "berth-slurm-agent-%s.lock".formatted(cluster));
        try {
            var channel = FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
            FileLock held = channel.tryLock();
            if (held == null) {
                channel.close();
                throw new UnusableOption("Another agent of cluster %s runs on this machine and holds the lock file %s."
                        .formatted(cluster, file));
            }
            return channel;
        } catch (IOException e) {
            throw new UnusableOption(
                    "--lock is %s, but this file cannot be locked: %s".formatted(file, e.getMessage()));
        }
    }

    private int pass(Agent agent, AgentMeters meters, PrintWriter out) throws IOException {
        if (dryRun) {
            agent.round();
            return 0;
        }
        var findings = agent.pass();
        say(out, summary(findings));
        write(meters);
        return findings.isAllInPlace() ? 0 : NOT_IN_PLACE;
    }

    private void write(AgentMeters meters) throws IOException {
        if (metrics != null) {
            meters.write(metrics);
        }
    }

    private int serve(Agent agent, AgentClient berth, AgentMeters meters, NodeList nodeList, PrintWriter out)
            throws InterruptedException {
        say(out, "Following cluster %s on nodes %s.".formatted(cluster, HostList.foldInOrder(nodeList.names())));
        var end = new CountDownLatch(1);
        var follower = Thread.currentThread();
        Runtime.getRuntime().addShutdownHook(new Thread(() -> {
            follower.interrupt();
            try {
                // the lease is given back before the process ends
                var unused = end.await(PATIENCE_AT_END.toMillis(), TimeUnit.MILLISECONDS);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }));
        try {
            follow(agent, berth, meters, out);
        } finally {
            // with the flag set, the call would fail
            var unused = Thread.interrupted();
            agent.leave(Optional.empty());
            end.countDown();
        }
        return 0;
    }

    private void follow(Agent agent, AgentClient berth, AgentMeters meters, PrintWriter out)
            throws InterruptedException {
        var news = new News(berth, Instant.now());
        var before = "";
        int failed = 0;
        while (!Thread.currentThread().isInterrupted()) {
            var pause = every;
            var found = "";
            try {
                found = summary(agent.pass());
                failed = 0;
            } catch (BerthUnavailable | SlurmUnavailable | NoRight | UncheckedIOException e) {
                found = "This pass changed nothing: " + e.getMessage();
                failed++;
            } catch (RuntimeException e) {
                // an unexpected error must not prevent the next pass
                found = "This pass failed: " + e;
                failed++;
            }
            if (failed > 0) {
                meters.failed();
                // retry soon, because the changes are still due and the cause may be over
                pause = failed == 1 ? LEAST_PAUSE : RETRY_PAUSE;
            }
            try {
                write(meters);
            } catch (IOException e) {
                found += " --metrics is %s, but this file cannot be written: %s".formatted(metrics, e.getMessage());
            }
            if (!found.equals(before)) {
                say(out, found);
                before = found;
            }
            news.await(pause);
        }
    }

    /** Waits for events of the cluster. */
    private static final class News {
        private final AgentClient berth;
        private final Instant from;
        private Optional<String> cursor = Optional.empty();

        News(AgentClient berth, Instant from) {
            this.berth = berth;
            this.from = from;
        }

        /**
         * Waits until there is an event or the pause is over. Waits at least a second, because the agent's own reports cause events too.
         */
        void await(Duration pause) throws InterruptedException {
            Thread.sleep(LEAST_PAUSE);
            long end = System.nanoTime() + pause.minus(LEAST_PAUSE).toNanos();
            for (long left = end - System.nanoTime(); left > 0; left = end - System.nanoTime()) {
                try {
                    var next = berth.news(cursor, from, Duration.ofNanos(left).plusMillis(999));
                    cursor = next.cursor();
                    if (next.isAny()) {
                        return;
                    }
                } catch (BerthUnavailable e) {
                    // the next pass reports the error
                    Thread.sleep(Duration.ofNanos(left));
                    return;
                }
            }
        }
    }

    private static String summary(Reconciled findings) {
        return "%d in place, %d not."
                .formatted(findings.inPlace().size(), findings.refused().size());
    }

    private static void say(PrintWriter out, String line) {
        out.println(Instant.now().truncatedTo(ChronoUnit.MILLIS) + " " + line);
        out.flush();
    }

    static int fail(CommandSpec spec, int code, Exception why) {
        var err = spec.commandLine().getErr();
        err.println(why.getMessage());
        err.flush();
        return code;
    }

    /** A shell that prints commands instead of running them, if they would change something, and reports them as failed. */
    private record DryShell(Shell shell, PrintWriter out) implements Shell {

        private static final List<String> CHANGES = List.of("create", "update", "delete");

        @Override
        public ExitResult run(List<String> command) {
            boolean isTrial = command.contains("Nodes=" + Slurm.NO_NODE);
            boolean isChange = command.getFirst().equals("scancel")
                    || !isTrial && command.getFirst().equals("scontrol") && CHANGES.contains(command.get(1));
            if (!isChange) {
                return shell.run(command);
            }
            out.println(String.join(" ", command));
            return new ExitResult(1, "This is a dry run.");
        }
    }
}
