package berth.slurm;

import berth.cluster.HostList;
import berth.slurm.Agent.Duty;
import berth.slurm.Agent.Findings;
import berth.slurm.Agent.Protect;
import berth.slurm.Agent.Who;
import berth.slurm.Shell.Ran;
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
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code berth slurm-agent}: makes a Slurm cluster follow the plan of a cluster of Berth for as long as it runs. */
@Command(
        name = "slurm-agent",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        subcommands = InitCommand.class,
        description = {
            "Makes a Slurm cluster follow Berth's plan: one Slurm reservation of named nodes for each promise.",
            "",
            "Runs where scontrol and squeue do, by an account that Slurm gives AdminLevel=Operator, with the token of an"
                    + " account of the role AGENT. Tells Berth which nodes are out and which jobs run. Reservations whose names"
                    + " do not begin with berth.CLUSTER. are never touched."
        },
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {
            "0:with --once: all promises are in place; with --dry-run: it has printed what it would do",
            "1:with --once: some are not, and are named",
            "2:an option or the token is wrong, or another agent of the cluster runs here",
            "3:Berth or Slurm does not answer; without --once and --dry-run it goes on once it has begun"
        })
public final class AgentCommand implements Callable<Integer> {
    static final int NOT_IN_PLACE = 1;
    static final int BAD_INPUT = 2;
    static final int NOT_THERE = 3;

    private static final Duration PROGRAM_PATIENCE = Duration.ofSeconds(5);
    private static final Duration LEAST_PAUSE = Duration.ofSeconds(1);
    private static final Duration LOOK_AGAIN = Duration.ofSeconds(5);

    @Spec
    @SuppressWarnings("NullAway.Init") // picocli sets it
    private CommandSpec spec;

    @Mixin
    private final ServiceOptions service = new ServiceOptions();

    @Option(
            names = "--cluster",
            paramLabel = "ID",
            defaultValue = "",
            description = "The cluster in Berth; its binding must be EARLY. Needed.")
    @SuppressWarnings("NullAway.Init") // picocli sets it
    private String cluster;

    @Option(
            names = "--nodes",
            paramLabel = "LIST",
            defaultValue = "",
            description =
                    "Its nodes in the order of its PEs, as Slurm writes them: n[1-16]. New ones are appended. Needed where the cluster"
                            + " has no peNames.")
    @SuppressWarnings("NullAway.Init") // picocli sets it
    private String nodes;

    @Option(
            names = "--users",
            paramLabel = "FILE",
            description =
                    "Lines of an account of Berth and the Linux users that may run its jobs, such as: climate ada,bob."
                            + " An account that is not named there is the user of the same name.")
    private @Nullable Path users;

    @Option(
            names = "--ahead",
            paramLabel = "DURATION",
            description =
                    "How long before its start a reservation is put into Slurm; as long as a job may run there, and ten"
                            + " minutes, unless given, so that no job can be in its way.")
    private @Nullable Duration ahead;

    @Option(
            names = "--protect",
            paramLabel = "WHAT",
            defaultValue = "JOBS",
            description =
                    "JOBS: what runs outside ends by itself, and a reservation in its way is put in place after it."
                            + " RESERVATIONS: what still runs on their nodes when they begin is ended. ${DEFAULT-VALUE} unless given.")
    @SuppressWarnings("NullAway.Init") // picocli sets it
    private Protect protect;

    @Option(
            names = "--every",
            paramLabel = "DURATION",
            defaultValue = "PT5S",
            description = "How often both sides are compared if Berth has no news; ${DEFAULT-VALUE} unless given.")
    @SuppressWarnings("NullAway.Init") // picocli sets it
    private Duration every;

    @Option(
            names = "--lock",
            paramLabel = "FILE",
            description =
                    "Held while it runs, so that there is one agent for a cluster; berth-slurm-agent-CLUSTER.lock in the"
                            + " directory for temporary files, unless given.")
    private @Nullable Path lock;

    @Option(
            names = "--name",
            paramLabel = "NAME",
            description =
                    "What it calls itself to Berth, which hears one agent of a cluster at a time; the host's name, unless given.")
    private @Nullable String name;

    @Option(
            names = "--metrics",
            paramLabel = "FILE",
            description =
                    "Where it writes its metrics after each pass, as Prometheus reads them; nowhere, unless given.")
    private @Nullable Path metrics;

    @Option(names = "--once", description = "Makes one pass and exits.")
    private boolean once;

    @Option(
            names = "--dry-run",
            description = "Prints the commands that one pass would begin with, changes nothing, and exits.")
    private boolean dryRun;

    /** Runs until it is asked to end; the exit code is one of those listed in the help. */
    @Override
    public Integer call() throws InterruptedException {
        var out = spec.commandLine().getOut();
        // the options are not those of init, which needs none of them
        if (cluster.isEmpty()) {
            return fail(spec, BAD_INPUT, new UnusableOption("Give --cluster, or call init first."));
        }
        try (var _ = hold();
                var berth = new BerthClient(service.api(), service.bearerToken(), cluster)) {
            var named = Optional.of(nodes).filter(list -> !list.isEmpty());
            var shell = Shell.ofThisMachine(PROGRAM_PATIENCE);
            var meters = new AgentMeters(cluster);
            var agent = new Agent(
                    new Who(who(), String.join(" ", spec.root().version())),
                    new Duty(
                            cluster,
                            named,
                            users == null ? UserMap.SAME : UserMap.read(users),
                            Optional.ofNullable(ahead),
                            protect),
                    new Slurm(dryRun ? new DryShell(shell, out) : shell),
                    berth,
                    InstantSource.system(),
                    line -> {
                        if (!dryRun) {
                            say(out, line);
                        }
                    },
                    meters);
            var its = nodes(named, berth.card());
            return once || dryRun ? pass(agent, meters, out) : serve(agent, berth, meters, its, out);
        } catch (UnusableOption e) {
            return fail(spec, BAD_INPUT, e);
        } catch (BerthUnavailable | SlurmUnavailable | IOException | UncheckedIOException e) {
            return fail(spec, NOT_THERE, e);
        }
    }

    private String who() {
        try {
            return name != null ? name : InetAddress.getLocalHost().getHostName();
        } catch (UnknownHostException e) {
            throw new UnusableOption("This machine does not know its own name: give --name.");
        }
    }

    private NodeList nodes(Optional<String> named, BerthClient.Card card) {
        try {
            var its = card.nodes(named);
            if (its.pes(its.size()) < card.pes()) {
                throw new IllegalArgumentException("There are %d nodes, and a node is %d of its %d PEs: name them all."
                        .formatted(its.size(), card.granule(), card.pes()));
            }
            return its;
        } catch (IllegalArgumentException e) {
            throw new UnusableOption("Cluster %s cannot be followed%s: %s"
                    .formatted(cluster, named.map(" with --nodes %s"::formatted).orElse(""), e.getMessage()));
        }
    }

    /** Let go of when the process ends, however that comes. */
    private FileChannel hold() {
        var file = lock != null
                ? lock
                : Path.of(System.getProperty("java.io.tmpdir"), "berth-slurm-agent-%s.lock".formatted(cluster));
        try {
            var channel = FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
            FileLock held = channel.tryLock();
            if (held == null) {
                channel.close();
                throw new UnusableOption(
                        "Another agent of cluster %s runs on this machine: it holds %s.".formatted(cluster, file));
            }
            return channel;
        } catch (IOException e) {
            throw new UnusableOption("--lock is %s, which cannot be locked: %s".formatted(file, e.getMessage()));
        }
    }

    private int pass(Agent agent, AgentMeters meters, PrintWriter out) throws IOException {
        if (dryRun) {
            agent.round();
            return 0;
        }
        var findings = agent.pass();
        say(out, told(findings));
        write(meters);
        return findings.isAllInPlace() ? 0 : NOT_IN_PLACE;
    }

    private void write(AgentMeters meters) throws IOException {
        if (metrics != null) {
            meters.write(metrics);
        }
    }

    private int serve(Agent agent, BerthClient berth, AgentMeters meters, NodeList its, PrintWriter out)
            throws InterruptedException {
        say(out, "Follows cluster %s on nodes %s.".formatted(cluster, HostList.foldInOrder(its.names())));
        var news = new News(berth, Instant.now());
        var before = "";
        int failed = 0;
        while (!Thread.currentThread().isInterrupted()) {
            var pause = every;
            var found = "";
            try {
                found = told(agent.pass());
                failed = 0;
            } catch (BerthUnavailable | SlurmUnavailable | UncheckedIOException e) {
                found = "Nothing is changed: " + e.getMessage();
                failed++;
            } catch (RuntimeException e) {
                // what nobody has thought of must not keep it from the next pass
                found = "Not followed to the end: " + e;
                failed++;
            }
            if (failed > 0) {
                meters.failed();
                // what it was woken for is not done, and whatever went wrong may be over
                pause = failed == 1 ? LEAST_PAUSE : LOOK_AGAIN;
            }
            try {
                write(meters);
            } catch (IOException e) {
                found += " --metrics is %s, which cannot be written: %s".formatted(metrics, e.getMessage());
            }
            if (!found.equals(before)) {
                say(out, found);
                before = found;
            }
            news.await(pause);
        }
        return 0;
    }

    /** What happens on the cluster. */
    private static final class News {
        private final BerthClient berth;
        private final Instant from;
        private Optional<String> cursor = Optional.empty();

        News(BerthClient berth, Instant from) {
            this.berth = berth;
            this.from = from;
        }

        /** Until something has happened, or it is time to look in any case; for a second at least, since what the agent tells happens, too. */
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
                    // the next pass says so
                    Thread.sleep(Duration.ofNanos(left));
                    return;
                }
            }
        }
    }

    private static String told(Findings findings) {
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

    /** Prints what would change something, and takes it to be refused. */
    private record DryShell(Shell shell, PrintWriter out) implements Shell {

        private static final List<String> CHANGES = List.of("create", "update", "delete");

        @Override
        public Ran run(List<String> command) {
            boolean isChange = command.getFirst().equals("scancel")
                    || command.getFirst().equals("scontrol") && CHANGES.contains(command.get(1));
            if (!isChange) {
                return shell.run(command);
            }
            out.println(String.join(" ", command));
            return new Ran(1, "It is a dry run.");
        }
    }
}
