package berth.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Pattern;

/** A real Slurm for a test, with nodes n1, n2, … that need no machines; {@code src/test/slurm/up.sh} starts it. */
final class ThrowawaySlurm implements AutoCloseable {

    private static final Path SCRIPTS =
            Path.of(System.getProperty("basedir", "")).toAbsolutePath().resolve("src/test/slurm");
    private static final int NOT_INSTALLED = 77;
    private static final Pattern RESERVATION = Pattern.compile(
            "ReservationName=(\\S+) StartTime=(\\d+) EndTime=(\\d+) .* Nodes=(\\S+) .* Users=(\\S+) .*");

    private final Path directory;

    private ThrowawaySlurm(Path directory) {
        this.directory = directory;
    }

    /**
     * The output of a program.
     *
     * @param code the exit code
     */
    record Said(int code, String text) {}

    /** A reservation as Slurm reports it. */
    record Reserved(long start, long end, TreeSet<String> nodes, String users) {}

    /**
     * Starts a Slurm; skips the test if it is not installed or jobs cannot run as other users, unless {@code berth.slurm.demanded} is set.
     */
    static ThrowawaySlurm start(Path directory, int nodes) throws Exception {
        int port;
        try (var free = new ServerSocket(0)) {
            // the following ports are probably free too
            port = free.getLocalPort() % 20_000 + 10_000;
        }
        var slurm = new ThrowawaySlurm(directory);
        boolean isDemanded = Boolean.getBoolean("berth.slurm.demanded");
        boolean isRoot = "root".equals(System.getProperty("user.name"));
        var up = isRoot
                ? run(
                        Map.of(
                                "DIR", directory.toString(),
                                "NODES", Integer.toString(nodes),
                                "CPUS", "4",
                                "PORT", Integer.toString(port),
                                "EXTRA", "PreemptType=preempt/partition_prio\nPreemptMode=REQUEUE"),
                        List.of("bash", SCRIPTS.resolve("up.sh").toString()))
                : new Said(NOT_INSTALLED, "only root can run the jobs of others");
        if (!isDemanded) {
            if (up.code() == NOT_INSTALLED) {
                System.out.println("The tests with a real Slurm were skipped: " + up.text());
            }
            assumeTrue(up.code() != NOT_INSTALLED, up.text());
        }
        assertThat(up.code()).as(up.text()).isZero();
        return slurm;
    }

    Path configuration() {
        return directory.resolve("slurm.conf");
    }

    /** Runs one of its programs. */
    Said run(String... command) throws Exception {
        return run(environment(), List.of(command));
    }

    /** Runs one of its programs, which must succeed. */
    String done(String... command) throws Exception {
        var said = run(command);
        assertThat(said.code())
                .as("%s said %s", String.join(" ", command), said.text())
                .isZero();
        return said.text();
    }

    private Map<String, String> environment() {
        return Map.of("SLURM_CONF", configuration().toString(), "SLURM_TIME_FORMAT", "%s");
    }

    private static Said run(Map<String, String> environment, List<String> command) throws Exception {
        var builder = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .directory(Path.of("/tmp").toFile());
        builder.environment().putAll(environment);
        var process = builder.start();
        process.getOutputStream().close();
        var text = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
        return new Said(process.waitFor(), text);
    }

    /** Returns all reservations of whole nodes by name. */
    SortedMap<String, Reserved> reservations() throws Exception {
        var all = new TreeMap<String, Reserved>();
        for (var line : done("scontrol", "show", "reservation", "-o").lines().toList()) {
            var told = RESERVATION.matcher(line);
            if (told.matches()) {
                all.put(
                        told.group(1),
                        new Reserved(
                                Long.parseLong(told.group(2)),
                                Long.parseLong(told.group(3)),
                                names(told.group(4)),
                                told.group(5)));
            }
        }
        return all;
    }

    Reserved reservation(String name) throws Exception {
        return Objects.requireNonNull(reservations().get(name), name);
    }

    /** Lets Slurm itself expand its list. */
    private TreeSet<String> names(String list) throws Exception {
        return new TreeSet<>(done("scontrol", "show", "hostnames", list).lines().toList());
    }

    /** Submits a job that sleeps; returns its number or Slurm's error. */
    Said submit(String user, String... options) throws Exception {
        var command =
                new ArrayList<>(List.of("sbatch", "--parsable", "--uid=" + user, "-o", "/dev/null", "--exclusive"));
        command.addAll(List.of(options));
        command.addAll(List.of("--wrap", "sleep 600"));
        return run(environment(), command);
    }

    /** Returns the state of a job, such as RUNNING; empty once it is over. */
    String state(String job) throws Exception {
        return run("squeue", "-h", "-j", job, "-o", "%T").text();
    }

    /** Lets a node hang, which Slurm then sees as down. Without this, a node that is set down comes back by itself. */
    void hang(String node) throws Exception {
        signal("-STOP", node);
        done("scontrol", "update", "nodename=" + node, "state=down", "reason=fan");
    }

    void wake(String node) throws Exception {
        signal("-CONT", node);
    }

    private void signal(String signal, String node) throws Exception {
        for (var line : Files.readAllLines(directory.resolve("processes"))) {
            var words = line.split(" ");
            if (words[0].equals("slurmd-" + node)) {
                done("kill", signal, words[1]);
            }
        }
    }

    /** Kills the controller as a power failure would. */
    void killController() throws Exception {
        for (var line : Files.readAllLines(directory.resolve("processes"))) {
            var words = line.split(" ");
            if (words[0].equals("slurmctld")) {
                ProcessHandle.of(Long.parseLong(words[1])).ifPresent(ProcessHandle::destroyForcibly);
            }
        }
        Waiting.until(
                Duration.ofSeconds(10),
                () -> "slurmctld goes on.",
                () -> run("scontrol", "ping").code() != 0);
    }

    void startController() throws Exception {
        var builder = new ProcessBuilder("slurmctld", "-D", "-i")
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.appendTo(
                        directory.resolve("log/slurmctld.out").toFile()));
        builder.environment().putAll(environment());
        builder.environment().merge("PATH", "/usr/sbin:/sbin", (one, other) -> one + ":" + other);
        builder.environment().remove("SLURM_TIME_FORMAT");
        var process = builder.start();
        var started = Files.readString(Path.of("/proc/%d/stat".formatted(process.pid())))
                .split(" ")[21];
        Files.writeString(
                directory.resolve("processes"),
                "slurmctld %d %s%n".formatted(process.pid(), started),
                StandardOpenOption.APPEND);
        Waiting.until(
                Duration.ofSeconds(20),
                () -> "slurmctld is not up.",
                () -> run("scontrol", "ping").code() == 0);
    }

    @Override
    public void close() throws Exception {
        var down = run(
                Map.of("DIR", directory.toString()),
                List.of("bash", SCRIPTS.resolve("down.sh").toString()));
        assertThat(down.code()).as(down.text()).isZero();
    }
}
