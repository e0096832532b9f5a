package berth.slurm;

import berth.cluster.HostList;
import berth.slurm.Shell.ExitResult;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Slurm, as far as the agent needs it, through Slurm's own programs, which are alike from version 22.05 on. Reservations are made of whole
 * named nodes, because Slurm lets reservations of cores overlap.
 */
final class Slurm {

    private static final Pattern RESERVATION = Pattern.compile(
            "ReservationName=(?<name>.*?) StartTime=(?<start>\\d+) EndTime=(?<end>\\w+) (?<rest>.*)", Pattern.DOTALL);
    private static final Pattern NEXT_RESERVATION = Pattern.compile("\\R(?=ReservationName=)");
    private static final Pattern INVALID_USER = Pattern.compile("Invalid user");
    private static final Pattern IN_USE = Pattern.compile("in use", Pattern.CASE_INSENSITIVE);
    private static final Pattern LIMIT = Pattern.compile("(?:(\\d+)-)?(?:(\\d+):)?(\\d+):(\\d+)");
    private static final Pattern PREEMPTING = Pattern.compile("REQUEUE|CANCEL|SUSPEND", Pattern.CASE_INSENSITIVE);
    private static final Set<String> CLOSED = Set.of("DOWN", "INACTIVE");
    private static final Pattern COUNT = Pattern.compile("(\\d{1,6})(K?)");
    /** The name of a node that no Slurm has. */
    static final String NO_NODE = "berth-has-no-such-node";

    private static final String MAINTENANCE = "MAINT,IGNORE_JOBS";

    private static final String FIELDS = "%i|%u|%T|%P|%D|%l|%V|%S|%v|%N|%q|%r";

    /** The default partition, or else the one whose jobs come first, or else the one with the fewest nodes besides. */
    private static final Comparator<SlurmPartition> HOME_FIRST = Comparator.comparing(SlurmPartition::isDefault)
            .thenComparing(SlurmPartition::tier)
            .reversed()
            .thenComparing(partition -> partition.nodes().size())
            .thenComparing(SlurmPartition::name);

    private final Shell shell;
    private final Set<String> unreadable = new LinkedHashSet<>();

    Slurm(Shell shell) {
        this.shell = shell;
    }

    /** Returns a sentence about each record that was left out since the last call because it cannot be read. */
    Set<String> takeUnreadable() {
        var all = Set.copyOf(unreadable);
        unreadable.clear();
        return all;
    }

    /**
     * Checks that the controller responds. Without this check, every other program would wait ten seconds for it.
     *
     * @throws SlurmUnavailable if the controller does not respond
     */
    void requireAnswer() {
        var ping = shell.run(List.of("scontrol", "ping"));
        if (!ping.isDone()) {
            throw new SlurmUnavailable("slurmctld does not respond: " + ping.said());
        }
    }

    /**
     * Checks that the agent's user may create reservations. The check creates nothing, because Slurm looks at the right first.
     *
     * @throws NoRight if it may not
     */
    void requireRight() {
        if (INVALID_USER.matcher(tried("root")).find()) {
            throw new NoRight(System.getProperty("user.name"));
        }
    }

    /** Returns those of some users whom Slurm does not know, so that it would refuse their reservations. */
    Set<String> unknown(Collection<String> users) {
        if (users.isEmpty()
                || !INVALID_USER.matcher(tried(String.join(",", users))).find()) {
            return Set.of();
        }
        if (users.size() == 1) {
            // the error is the same if the agent's user may create no reservation at all
            requireRight();
            return Set.copyOf(users);
        }
        var all = List.copyOf(users);
        var unknown = new TreeSet<>(unknown(all.subList(0, all.size() / 2)));
        unknown.addAll(unknown(all.subList(all.size() / 2, all.size())));
        return unknown;
    }

    /** Returns what Slurm says to a reservation of a node that does not exist. It looks at the right and at the users before that. */
    private String tried(String users) {
        var ran = shell.run(List.of(
                "scontrol",
                "create",
                "reservation",
                "ReservationName=berth.trial",
                "StartTime=now+1days",
                "Duration=1",
                "Nodes=" + NO_NODE,
                "Users=" + users));
        if (ran.code() == Shell.GIVEN_UP) {
            throw new SlurmUnavailable("slurmctld did not respond in time.");
        }
        return ran.said();
    }

    /**
     * The configuration of a Slurm, as far as the agent needs it.
     *
     * @param machine a name of the Slurm that no other one has: the names of its cluster and of the host of its controller
     * @param preemption the jobs that give way to others
     */
    record Configuration(String machine, Preemption preemption) {}

    /** The jobs that give way to those in reservations. */
    sealed interface Preemption {

        /** No job gives way. */
        record Off() implements Preemption {}

        /** The jobs of lower partitions give way. */
        record ByPartition() implements Preemption {}

        /** The jobs of some QOS give way. */
        record ByQos(Set<String> lower) implements Preemption {}

        /** Checks whether a job outside of reservations gives way to jobs in reservations, so that Slurm starts these at once. */
        default boolean makesWay(SlurmJob job, Partitions partitions) {
            return job.reservations().isEmpty()
                    && switch (this) {
                        case Off() -> false;
                        case ByPartition() -> partitions.lower().containsAll(job.partitions());
                        case ByQos(var lower) -> lower.contains(job.qos());
                    };
        }
    }

    Configuration configuration() {
        var values = output("scontrol", "show", "config")
                .lines()
                .map(line -> line.split("=", 2))
                .filter(parts -> parts.length == 2)
                .collect(Collectors.toMap(parts -> parts[0].strip(), parts -> parts[1].strip(), (one, _) -> one));
        return new Configuration(
                "%s@%s"
                        .formatted(
                                values.getOrDefault("ClusterName", "slurm"),
                                values.getOrDefault("SlurmctldHost[0]", "")),
                switch (values.getOrDefault("PreemptType", "")) {
                    case "preempt/partition_prio" -> new Preemption.ByPartition();
                    case "preempt/qos" -> new Preemption.ByQos(lowerQos(values.getOrDefault("PreemptMode", "")));
                    default -> new Preemption.Off();
                });
    }

    /** Returns all reservations, including those of others. */
    List<MachineReservation> reservations() {
        // a name may contain a line feed
        return NEXT_RESERVATION
                .splitAsStream(output("scontrol", "show", "reservation", "-o"))
                .filter(record -> record.startsWith("ReservationName="))
                .flatMap(record -> read(record, Slurm::reservation))
                .toList();
    }

    private String output(String... command) {
        var ran = shell.run(List.of(command));
        if (!ran.isDone()) {
            throw new SlurmUnavailable("%s: %s".formatted(String.join(" ", command), ran.said()));
        }
        return ran.said();
    }

    /** Returns the readable records among the lines of a program's output. */
    private <T> List<T> records(Function<String, T> reader, String... command) {
        return output(command)
                .lines()
                .distinct()
                .flatMap(line -> read(line, reader))
                .toList();
    }

    private <T> Stream<T> read(String record, Function<String, T> reader) {
        try {
            return Stream.of(reader.apply(record));
        } catch (IllegalArgumentException e) {
            unreadable.add("Slurm has a record that cannot be read, and the agent leaves it out: %s (%s)"
                    .formatted(record.replaceAll("[^ -~]", "?"), e.getMessage()));
            return Stream.empty();
        }
    }

    private static MachineReservation reservation(String record) {
        var fields = RESERVATION.matcher(record);
        if (!fields.matches()) {
            throw new IllegalArgumentException("no name, start and end");
        }
        var rest = fields.group("rest");
        return new MachineReservation(
                fields.group("name"),
                Long.parseLong(fields.group("start")),
                // the reservation has no end
                number(fields.group("end")).orElse(Long.MAX_VALUE),
                new TreeSet<>(value("Nodes", rest).map(HostList::expand).orElse(List.of())),
                new TreeSet<>(value("Users", rest)
                        .map(users -> Arrays.asList(users.split(",")))
                        .orElse(List.of())));
    }

    /** Returns the value of a key in a line; empty if Slurm writes {@code (null)}. */
    private static Optional<String> value(String key, String line) {
        return Pattern.compile("(?:^| )" + key + "=(\\S*)")
                .matcher(line)
                .results()
                .findFirst()
                .map(found -> found.group(1))
                .filter(value -> !value.isEmpty() && !value.equals("(null)"));
    }

    List<SlurmNode> nodes() {
        return records(
                line -> {
                    var parts = fields(line, 3);
                    return new SlurmNode(
                            parts[0], parts[1], "%s is %s: %s".formatted(parts[0], parts[1], parts[2].strip()));
                },
                "sinfo",
                "-h",
                "-N",
                "-o",
                "%N|%T|%E");
    }

    List<SlurmJob> jobs() {
        return records(
                line -> job(fields(line, 12)),
                "squeue",
                "-h",
                "-r",
                "-t",
                "PENDING,RUNNING,COMPLETING,SUSPENDED,CONFIGURING",
                "-o",
                FIELDS);
    }

    /** Returns the names of all reservations in which a job has begun. A job that has ended counts until Slurm forgets it ({@code MinJobAge}). */
    Set<String> begun() {
        return records(line -> fields(line, 2), "squeue", "-h", "-r", "-t", "all", "-o", "%N|%v").stream()
                .filter(parts -> !parts[0].isBlank())
                .flatMap(parts -> words(parts[1]).stream())
                .collect(Collectors.toSet());
    }

    private static String[] fields(String line, int count) {
        var fields = line.split("\\|", count);
        if (fields.length != count) {
            throw new IllegalArgumentException("%d fields instead of %d".formatted(fields.length, count));
        }
        return fields;
    }

    private static SlurmJob job(String[] parts) {
        boolean isRunning = !parts[2].equals("PENDING");
        return new SlurmJob(
                parts[0],
                parts[1],
                parts[2],
                words(parts[3]),
                isRunning ? HostList.expand(parts[9]) : List.of(),
                count(parts[4]),
                seconds(parts[5]),
                number(parts[6]).orElse(0),
                isRunning ? number(parts[7]) : OptionalLong.empty(),
                words(parts[8]),
                parts[10],
                parts[11]);
    }

    /** Reads a number, which Slurm may write as 2K for 2048. */
    private static int count(String text) {
        var number = COUNT.matcher(text);
        if (!number.matches()) {
            throw new IllegalArgumentException("%s is not a number".formatted(text));
        }
        return Integer.parseInt(number.group(1)) * (number.group(2).isEmpty() ? 1 : 1024);
    }

    private static Set<String> words(String list) {
        return list.isEmpty() || list.equals("(null)") ? Set.of() : Set.of(list.split(","));
    }

    private static OptionalLong number(String text) {
        return text.matches("\\d{1,18}") ? OptionalLong.of(Long.parseLong(text)) : OptionalLong.empty();
    }

    /**
     * The partitions that have nodes of the cluster.
     *
     * @param names the names of the partitions
     * @param longest the longest time that a job may run there, in seconds; empty if there is no limit
     * @param home the partition whose jobs use the cluster's reservations; empty if no partition has all nodes of the cluster
     * @param lower the names of the partitions whose jobs give way to those of {@code home}, if Slurm preempts by partition
     * @param closed why Slurm starts no job on a node, by the name of the node
     */
    record Partitions(
            Set<String> names,
            OptionalLong longest,
            Optional<SlurmPartition> home,
            Set<String> lower,
            Map<String, String> closed) {}

    Partitions partitions(NodeList nodes) {
        var ours = partitions().stream()
                .filter(partition -> partition.nodes().stream().anyMatch(nodes::has))
                .toList();
        var limits = ours.stream().map(SlurmPartition::maxTime).toList();
        var home = ours.stream()
                .filter(partition -> Set.copyOf(partition.nodes()).containsAll(nodes.names()))
                .min(HOME_FIRST);
        return new Partitions(
                ours.stream().map(SlurmPartition::name).collect(Collectors.toSet()),
                limits.isEmpty() || limits.stream().anyMatch(OptionalLong::isEmpty)
                        ? OptionalLong.empty()
                        : OptionalLong.of(limits.stream()
                                .mapToLong(OptionalLong::getAsLong)
                                .max()
                                .orElseThrow()),
                home,
                home.stream()
                        .flatMap(above -> ours.stream()
                                .filter(partition -> partition.areJobsPreemptable() && partition.tier() < above.tier()))
                        .map(SlurmPartition::name)
                        .collect(Collectors.toSet()),
                closed(ours));
    }

    private static Map<String, String> closed(List<SlurmPartition> partitions) {
        var closed = new HashMap<String, String>();
        partitions.stream()
                .filter(partition -> !partition.isOpen())
                .forEach(partition -> partition
                        .nodes()
                        .forEach(node ->
                                closed.putIfAbsent(node, "Partition %s starts no jobs.".formatted(partition.name()))));
        partitions.stream()
                .filter(SlurmPartition::isOpen)
                .forEach(partition -> closed.keySet().removeAll(Set.copyOf(partition.nodes())));
        return closed;
    }

    List<SlurmPartition> partitions() {
        return records(Slurm::partition, "scontrol", "show", "partition", "-o");
    }

    private static SlurmPartition partition(String line) {
        return new SlurmPartition(
                value("PartitionName", line).orElseThrow(() -> new IllegalArgumentException("no name")),
                value("Nodes", line).map(HostList::expand).orElse(List.of()),
                value("MaxTime", line).map(Slurm::seconds).orElse(OptionalLong.empty()),
                value("Default", line).equals(Optional.of("YES")),
                value("PriorityTier", line).map(Slurm::count).orElse(1),
                value("PreemptMode", line).filter(Slurm::takesNodes).isPresent(),
                value("State", line).filter(CLOSED::contains).isEmpty());
    }

    /** Checks whether jobs in a mode of preemption lose their nodes to others. */
    private static boolean takesNodes(String mode) {
        return PREEMPTING.matcher(mode).find();
    }

    /**
     * Returns the QOS whose jobs give way to those of the QOS {@code normal}, which Slurm gives to jobs by default; none if Slurm's
     * accounting does not respond.
     */
    private Set<String> lowerQos(String modeOfAll) {
        var ran = shell.run(List.of("sacctmgr", "-nP", "show", "qos", "format=Name,Preempt,PreemptMode"));
        if (!ran.isDone()) {
            return Set.of();
        }
        var all = ran.said()
                .lines()
                .map(line -> line.split("\\|", 3))
                .filter(parts -> parts.length == 3)
                .toList();
        var belowNormal = all.stream()
                .filter(parts -> parts[0].equals("normal"))
                .flatMap(parts -> words(parts[1]).stream())
                .collect(Collectors.toSet());
        return all.stream()
                .filter(parts -> belowNormal.contains(parts[0])
                        && takesNodes(parts[2].equalsIgnoreCase("cluster") ? modeOfAll : parts[2]))
                .map(parts -> parts[0])
                .collect(Collectors.toSet());
    }

    /**
     * The hardware of a node.
     *
     * @param cpus the number of CPUs, at least 1
     * @param said the hardware in words
     */
    record Shape(int cpus, String said) {}

    /** Returns the hardware of each node, by name. */
    Map<String, Shape> shapes() {
        return records(
                        line -> {
                            var parts = fields(line, 3);
                            return Map.entry(parts[0], new Shape(count(parts[1]), parts[2].replace(", (null)", "")));
                        },
                        "sinfo",
                        "-h",
                        "-N",
                        "-o",
                        "%N|%c|%c CPUs, %m MB, %G")
                .stream()
                .collect(Collectors.toMap(Map.Entry::getKey, Map.Entry::getValue, (one, _) -> one));
    }

    /** Reads a time limit such as {@code 30}, {@code 1:00:00} or {@code 7-00:00:00}, in seconds; empty if there is no limit. */
    static OptionalLong seconds(String limit) {
        var parts = LIMIT.matcher(limit);
        if (!parts.matches()) {
            return OptionalLong.empty();
        }
        long total = 0;
        for (int unit = 1; unit <= 4; unit++) {
            long each = parts.group(unit) == null ? 0 : Long.parseLong(parts.group(unit));
            total += each * List.of(86_400, 3_600, 60, 1).get(unit - 1);
        }
        return OptionalLong.of(total);
    }

    /**
     * Creates a reservation. Jobs that still wait in it at its end return to the queue. Jobs that run on its nodes do not prevent it and run
     * on: it has the nodes when they end, before any other job can. A maintenance may have nodes of other reservations.
     *
     * @param home the partition of its nodes
     */
    ExitResult create(MachineReservation wanted, Optional<SlurmPartition> home) {
        var command = new ArrayList<>(List.of(
                "scontrol",
                "create",
                "reservation",
                "ReservationName=" + wanted.name(),
                "StartTime=uts" + wanted.start(),
                "EndTime=uts" + wanted.end(),
                "Nodes=" + String.join(",", wanted.nodes()),
                "Users=" + String.join(",", wanted.users()),
                "Flags=" + (wanted.isMaintenance() ? MAINTENANCE : "NO_HOLD_JOBS_AFTER,IGNORE_JOBS")));
        home.filter(partition -> !partition.isDefault() && !wanted.isMaintenance())
                .ifPresent(partition -> command.add("PartitionName=" + partition.name()));
        return shell.run(command);
    }

    /**
     * Updates a reservation in one step. Unchanged values are left out, because Slurm refuses even an unchanged start once the reservation
     * has begun. Jobs on its new nodes do not prevent the update, and jobs on its old nodes run on.
     */
    ExitResult update(MachineReservation present, MachineReservation wanted, long now) {
        var command = new ArrayList<>(List.of("scontrol", "update", "ReservationName=" + wanted.name()));
        if (present.start() > now) {
            command.add("StartTime=uts" + Math.max(now, wanted.start()));
        }
        addIf(present.end() != wanted.end(), "EndTime=uts" + wanted.end(), command);
        addIf(!present.nodes().equals(wanted.nodes()), "Nodes=" + String.join(",", wanted.nodes()), command);
        addIf(!present.users().equals(wanted.users()), "Users=" + String.join(",", wanted.users()), command);
        command.add("Flags=" + (wanted.isMaintenance() ? MAINTENANCE : "IGNORE_JOBS"));
        return shell.run(command);
    }

    private static void addIf(boolean isOther, String word, List<String> command) {
        if (isOther) {
            command.add(word);
        }
    }

    /**
     * Deletes a reservation. Jobs that wait for it return to the queue, and jobs that run in it are ended.
     *
     * @param ended is told of each job before it is ended
     */
    ExitResult delete(String name, Consumer<SlurmJob> ended) {
        var ran = shell.run(List.of("scontrol", "delete", "ReservationName=" + name));
        if (ran.isDone() || !IN_USE.matcher(ran.said()).find()) {
            return ran;
        }
        for (var job : jobs()) {
            if (job.reservations().contains(name) && !job.isEnding()) {
                if (job.isRunning()) {
                    ended.accept(job);
                    end(job);
                } else {
                    shell.run(List.of("scontrol", "update", "jobid=" + job.id(), "reservation="));
                }
            }
        }
        return shell.run(List.of("scontrol", "delete", "ReservationName=" + name));
    }

    /** Gives a job another time limit. */
    ExitResult limit(SlurmJob job, long minutes) {
        return shell.run(List.of("scontrol", "update", "jobid=" + job.id(), "timelimit=" + minutes));
    }

    ExitResult end(SlurmJob job) {
        return shell.run(List.of("scancel", job.id()));
    }
}
