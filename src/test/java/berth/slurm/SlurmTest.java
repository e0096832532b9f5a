package berth.slurm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import berth.slurm.Shell.ExitResult;
import berth.slurm.Slurm.Partitions;
import berth.terminal.UnusableOption;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Reads the output of Slurm 22.05 and checks the commands. */
class SlurmTest {

    private final Map<String, ExitResult> answers = new HashMap<>();
    private final List<String> asked = new ArrayList<>();
    private final Slurm slurm = new Slurm(command -> {
        var words = String.join(" ", command);
        asked.add(words);
        return answers.entrySet().stream()
                .filter(answer -> words.startsWith(answer.getKey()))
                .map(Map.Entry::getValue)
                .findFirst()
                .orElse(new ExitResult(0, ""));
    });

    private static MachineReservation reservation(long start, long end, String user, String... nodes) {
        return new MachineReservation(
                "berth.tux.x.0", start, end, new TreeSet<>(List.of(nodes)), new TreeSet<>(List.of(user)));
    }

    @Test
    void reservationsAreRead() {
        answers.put("scontrol show reservation", new ExitResult(0, """
                ReservationName=berth.x.1.0 StartTime=1795621998 EndTime=1795625598 Duration=01:00:00 Nodes=n[1-2,7] NodeCnt=3 CoreCnt=12 Features=(null) PartitionName=(null) Flags=SPEC_NODES,NO_HOLD_JOBS_AFTER_END TRES=cpu=12 Users=ada,root Groups=(null) Accounts=(null) Licenses=(null) State=INACTIVE BurstBuffer=(null) Watts=n/a MaxStartDelay=(null)
                ReservationName=my lunch StartTime=1 EndTime=Unknown Duration=00:00:01 Nodes=(null) NodeCnt=0 CoreCnt=0 Features=(null) PartitionName=(null) Flags=ANY_NODES TRES=(null) Users=root Groups=(null) Accounts=(null) Licenses=matlab:2 State=ACTIVE"""));

        assertThat(slurm.reservations())
                .containsExactly(
                        new MachineReservation(
                                "berth.x.1.0",
                                1795621998,
                                1795625598,
                                new TreeSet<>(List.of("n1", "n2", "n7")),
                                new TreeSet<>(List.of("ada", "root"))),
                        new MachineReservation(
                                "my lunch", 1, Long.MAX_VALUE, new TreeSet<>(), new TreeSet<>(List.of("root"))));
        answers.put("scontrol show reservation", new ExitResult(0, "No reservations in the system"));
        assertThat(slurm.reservations()).isEmpty();
    }

    @Test
    void jobsAreRead() {
        answers.put("squeue", new ExitResult(0, """
                3|ada|PENDING|batch,long|20|10:00|1795618623|N/A|(null)||normal|PartitionNodeLimit
                4_1|ada|RUNNING|batch|2|1-00:00:00|1795618623|1795618625|berth.tux.x.0,berth.tux.x.1|n[1-2]|normal|None
                5|bob|COMPLETING|batch|1|UNLIMITED|1795618623|1795618625|(null)|n3|normal|None"""));

        assertThat(slurm.jobs())
                .containsExactly(
                        new SlurmJob(
                                "3",
                                "ada",
                                "PENDING",
                                Set.of("batch", "long"),
                                List.of(),
                                20,
                                OptionalLong.of(600),
                                1795618623,
                                OptionalLong.empty(),
                                Set.of(),
                                "normal",
                                "PartitionNodeLimit"),
                        new SlurmJob(
                                "4_1",
                                "ada",
                                "RUNNING",
                                Set.of("batch"),
                                List.of("n1", "n2"),
                                2,
                                OptionalLong.of(86_400),
                                1795618623,
                                OptionalLong.of(1795618625),
                                Set.of("berth.tux.x.0", "berth.tux.x.1"),
                                "normal",
                                "None"),
                        new SlurmJob(
                                "5",
                                "bob",
                                "COMPLETING",
                                Set.of("batch"),
                                List.of("n3"),
                                1,
                                OptionalLong.empty(),
                                1795618623,
                                OptionalLong.of(1795618625),
                                Set.of(),
                                "normal",
                                "None"));
    }

    /** Users of Slurm can put a line feed or any other text into a name or a reason. */
    @Test
    void aRecordThatCannotBeReadIsLeftOutAndNamed() {
        var record =
                "ReservationName=%s StartTime=1 EndTime=%s Duration=00:01:00 Nodes=%s NodeCnt=1 Users=root Groups=(null) State=ACTIVE";
        answers.put(
                "scontrol show reservation",
                new ExitResult(
                        0,
                        String.join(
                                "\n",
                                record.formatted("a\nb", "61", "n[1-2]"),
                                record.formatted("open", "61", "n[1-"),
                                "ReservationName=half",
                                record.formatted("c", "61", "n3"))));
        answers.put("sinfo", new ExitResult(0, "n1|drained|a fan\nis broken\nn2|idle|none"));
        answers.put("squeue", new ExitResult(0, """
                3|ada|PENDING|batch|20|10:00|1795618623|N/A|(null)||normal|None
                4|ada|PENDING|batch|many|10:00|1795618623|N/A|(null)||normal|None
                5|ada|RUNNING|batch|1|10:00|1795618623|1|(null)|n[1-|normal|None
                a line of something else"""));
        answers.put(
                "scontrol show partition", new ExitResult(0, "PartitionName=a Nodes=n[1-\nPartitionName=b Nodes=n1"));

        assertThat(slurm.reservations()).extracting(MachineReservation::name).containsExactly("a\nb", "c");
        assertThat(slurm.nodes()).extracting(SlurmNode::name).containsExactly("n1", "n2");
        assertThat(slurm.jobs()).extracting(SlurmJob::id).containsExactly("3");
        assertThat(slurm.partitions()).extracting(SlurmPartition::name).containsExactly("b");
        assertThat(slurm.takeUnreadable())
                .hasSize(7)
                .allMatch(line ->
                        line.startsWith("Slurm has a record that cannot be read, and the agent leaves it out: "))
                .anyMatch(line -> line.contains("ReservationName=open "))
                .anyMatch(line -> line.contains("ReservationName=half "))
                .anyMatch(line -> line.contains("is broken "))
                .anyMatch(line -> line.endsWith("(null)||normal|None (many is not a number)"))
                .anyMatch(line -> line.contains("5|ada|"))
                .anyMatch(line -> line.endsWith("a line of something else (1 fields instead of 12)"))
                .anyMatch(line -> line.contains("PartitionName=a "));
        assertThat(slurm.takeUnreadable()).isEmpty();
    }

    @Test
    void theLongestJobComesFromThePartitionsOfOurNodes() {
        var nodes = NodeList.of(1, "n[1-4]");
        answers.put("scontrol show partition", new ExitResult(0, """
                PartitionName=batch MaxTime=1-00:00:00 Nodes=n[1-3]
                PartitionName=short MaxTime=01:00:00 Nodes=n[3-4]
                PartitionName=gpu MaxTime=UNLIMITED Nodes=gpu[1-4]"""));
        assertThat(slurm.partitions(nodes))
                .isEqualTo(new Partitions(
                        Set.of("batch", "short"), OptionalLong.of(86_400), Optional.empty(), Set.of(), Map.of()));

        answers.put("scontrol show partition", new ExitResult(0, "PartitionName=batch MaxTime=UNLIMITED Nodes=n[1-4]"));
        assertThat(slurm.partitions(nodes).longest()).isEmpty();
    }

    @Test
    void aSilentSlurmIsUnavailable() {
        answers.put("scontrol ping", new ExitResult(1, "Slurmctld(primary) at head is DOWN"));
        answers.put("squeue", new ExitResult(Shell.GIVEN_UP, ""));

        assertThatExceptionOfType(SlurmUnavailable.class)
                .isThrownBy(slurm::requireAnswer)
                .withMessageContaining("is DOWN");
        assertThatExceptionOfType(SlurmUnavailable.class).isThrownBy(slurm::jobs);
    }

    @Test
    void aReservationIsOfNamedNodesAndNamedUsers() {
        slurm.create(reservation(100, 200, "ada", "n1", "n2"), Optional.empty());

        assertThat(asked)
                .containsExactly(
                        "scontrol create reservation ReservationName=berth.tux.x.0 StartTime=uts100 EndTime=uts200 Nodes=n1,n2"
                                + " Users=ada Flags=NO_HOLD_JOBS_AFTER,IGNORE_JOBS");
    }

    @Test
    void jobsInAReservationGoToAPartitionThatHasItsNodes() {
        var line = "PartitionName=%s Default=%s PriorityTier=%d Nodes=%s State=UP MaxTime=UNLIMITED";
        var batch = line.formatted("batch", "YES", 1, "n[1-4]");
        var gpu = line.formatted("gpu", "NO", 1, "n[5-6]");
        var all = line.formatted("all", "NO", 1, "n[1-6]");
        var scavenge = line.formatted("scavenge", "NO", 0, "n[5-6]");

        assertThat(partitionOfJobs(batch, gpu, all, scavenge)).isEqualTo(" PartitionName=gpu");
        assertThat(partitionOfJobs(batch, all, scavenge)).isEqualTo(" PartitionName=all");
        assertThat(partitionOfJobs(batch, scavenge)).isEqualTo(" PartitionName=scavenge");
        assertThat(partitionOfJobs(batch)).isEmpty();
        assertThat(partitionOfJobs(line.formatted("default", "YES", 0, "n[1-9]"), gpu))
                .isEmpty();
    }

    /** Returns what the command says about the partition if the cluster has the nodes n5 and n6. */
    private String partitionOfJobs(String... partitions) {
        answers.put("scontrol show partition", new ExitResult(0, String.join("\n", partitions)));
        var home = slurm.partitions(NodeList.of(1, "n[5-6]")).home();

        slurm.create(reservation(100, 200, "ada", "n5"), home);

        return asked.getLast().replaceFirst(".*Flags=NO_HOLD_JOBS_AFTER,IGNORE_JOBS", "");
    }

    @Test
    void anUpdateNamesOnlyChangedFields() {
        slurm.update(reservation(100, 200, "ada", "n1"), reservation(120, 220, "ada", "n2"), 50);
        slurm.update(reservation(10, 200, "ada", "n1"), reservation(20, 200, "bob", "n1"), 50);

        assertThat(asked)
                .containsExactly(
                        "scontrol update ReservationName=berth.tux.x.0 StartTime=uts120 EndTime=uts220 Nodes=n2 Flags=IGNORE_JOBS",
                        "scontrol update ReservationName=berth.tux.x.0 Users=bob Flags=IGNORE_JOBS");
    }

    @Test
    void jobsLeaveAReservationBeforeItIsDeleted() {
        answers.put("scontrol delete", new ExitResult(1, "slurm_delete error: Requested reservation is in use"));
        answers.put("squeue", new ExitResult(0, """
                12|ada|PENDING|batch|2|10:00|1|N/A|berth.tux.x.0||normal|Reservation
                13|ada|RUNNING|batch|2|10:00|1|2|berth.tux.x.0,other|n[1-2]|normal|None
                14|bob|RUNNING|batch|2|10:00|1|2|other|n[3-4]|normal|None"""));

        var ended = new ArrayList<String>();
        slurm.delete("berth.tux.x.0", job -> ended.add(job.id()));

        assertThat(ended).containsExactly("13");
        assertThat(asked)
                .containsExactly(
                        "scontrol delete ReservationName=berth.tux.x.0",
                        "squeue -h -r -t PENDING,RUNNING,COMPLETING,SUSPENDED,CONFIGURING -o %i|%u|%T|%P|%D|%l|%V|%S|%v|%N|%q|%r",
                        "scontrol update jobid=12 reservation=",
                        "scancel 13",
                        "scontrol delete ReservationName=berth.tux.x.0");
    }

    @Test
    void usersComeFromTheFileOrHaveTheNameOfTheAccount(@TempDir Path directory) throws IOException {
        var file = directory.resolve("users");
        Files.writeString(file, "# who is who\nclimate ada,bob  # the group\n\n");

        assertThat(UserMap.read(file).of("climate")).containsExactly("ada", "bob");
        assertThat(UserMap.read(file).of("ada")).containsExactly("ada");
        Files.writeString(file, "climate\n");
        assertThatExceptionOfType(UnusableOption.class)
                .isThrownBy(() -> UserMap.read(file))
                .withMessageContaining("Line 1 of");
    }
}
