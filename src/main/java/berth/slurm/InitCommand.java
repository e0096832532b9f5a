package berth.slurm;

import berth.slurm.ClusterProposal.ForPartition;
import berth.slurm.ClusterProposal.LeftOut;
import berth.terminal.UnusableOption;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;
import tools.jackson.databind.json.JsonMapper;

/** {@code berth slurm-agent init}: reads the configuration of a Slurm and writes the settings for a first use. */
@Command(
        name = "init",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        description = {
            "Reads the partitions of Slurm, proposes a cluster of Berth for each, and writes the files to create and follow it.",
            "",
            "Changes nothing, neither in Slurm nor in Berth."
        },
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {
            "0:at least one cluster is proposed and its files are written",
            "1:there is no cluster to propose",
            "2:the files cannot be written, or exist already",
            "3:Slurm does not respond"
        })
final class InitCommand implements Callable<Integer> {

    private static final Duration PATIENCE = Duration.ofSeconds(15);
    private static final JsonMapper JSON = JsonMapper.builder().build();

    @Spec
    @SuppressWarnings("NullAway.Init") // picocli sets this field
    private CommandSpec spec;

    @Option(
            names = "--out",
            paramLabel = "DIRECTORY",
            defaultValue = "berth-slurm",
            description = "The directory for the files CLUSTER.json and CLUSTER.env. Default: ${DEFAULT-VALUE}.")
    @SuppressWarnings("NullAway.Init") // picocli sets this field
    private Path directory;

    @Option(
            names = "--cores",
            description =
                    "Count CPUs instead of nodes as PEs. Reservations still get whole nodes, so all nodes of a partition must have"
                            + " the same number of CPUs.")
    private boolean byCores;

    /** Reads Slurm, writes the files and prints the next steps; returns one of the exit codes listed in the help. */
    @Override
    public Integer call() {
        var out = spec.commandLine().getOut();
        try {
            var slurm = new Slurm(Shell.ofThisMachine(PATIENCE));
            slurm.requireAnswer();
            var proposals = ClusterProposal.of(slurm.partitions(), slurm.shapes(), byCores);
            for (var proposal : proposals) {
                switch (proposal) {
                    case LeftOut(var partition, var why) ->
                        out.printf("Partition %s: left out, because %s.%n", partition.name(), why);
                    case ForPartition some -> propose(some, out);
                }
            }
            slurm.takeUnreadable().forEach(out::println);
            out.flush();
            return proposals.stream().anyMatch(ForPartition.class::isInstance) ? 0 : AgentCommand.NOT_IN_PLACE;
        } catch (UnusableOption e) {
            return AgentCommand.fail(spec, AgentCommand.BAD_INPUT, e);
        } catch (SlurmUnavailable e) {
            return AgentCommand.fail(spec, AgentCommand.NOT_THERE, e);
        }
    }

    private void propose(ForPartition proposal, PrintWriter out) {
        var partition = proposal.partition();
        var cluster = proposal.cluster();
        var json = directory.resolve(cluster.id() + ".json");
        var settings = directory.resolve(cluster.id() + ".env");
        requireNew(json);
        requireNew(settings);
        write(json, List.of(JSON.writeValueAsString(cluster)));
        write(
                settings,
                List.of(
                        "# settings of the agent of cluster " + cluster.id(),
                        "BERTH_URL=http://localhost:8080",
                        "BERTH_CLUSTER=" + cluster.id()));
        out.printf(
                "Partition %s: %d nodes, %s, each with %s.%n",
                partition.name(), partition.nodes().size(), cluster.peNames(), String.join(" or ", proposal.shapes()));
        if (cluster.granule() != null) {
            out.printf("  %d PEs: requests must ask for a multiple of %d.%n", cluster.pes(), cluster.granule());
        }
        if (proposal.shapes().size() > 1) {
            out.println(
                    "  The nodes differ, and a request cannot choose among them. Give each kind a partition of its own, or accept this.");
        }
        out.println(
                partition.maxTime().isPresent()
                        ? "  Jobs run for at most %s there. The agent creates reservations in Slurm a day before their start, or earlier if jobs on these nodes may run longer."
                                .formatted(
                                        Duration.ofSeconds(partition.maxTime().getAsLong()))
                        : "  Jobs have no time limit there, so the agent creates reservations in Slurm a year before their start. Set MaxTime, or give the agent --ahead.");
        out.println(
                "  Enforcement is REQUIRED: a reservation that is not in Slurm a minute after its start fails and owes nothing. With REPORTED, Berth only records this.");
        out.printf("  Written: %s, %s. Check them, and then run:%n", json, settings);
        out.printf(
                "  curl $BERTH_URL/api/v1/clusters -H \"Authorization: Bearer $TOKEN\" -H 'Content-Type: application/json' -d @%s%n",
                json);
        out.printf(
                "  curl $BERTH_URL/api/v1/accounts -H \"Authorization: Bearer $TOKEN\" -H 'Content-Type: application/json' -d '{\"name\":\"slurm-%s\",\"role\":\"AGENT\",\"cluster\":\"%s\"}'%n",
                cluster.id(), cluster.id());
        out.printf("  (write its token to %s.token, which only the agent may read)%n", directory.resolve(cluster.id()));
        out.printf(
                "  java -jar berth.jar slurm-agent --url $BERTH_URL --token-file %s.token --cluster %s --dry-run%n",
                directory.resolve(cluster.id()), cluster.id());
    }

    private static void requireNew(Path file) {
        if (Files.exists(file)) {
            throw new UnusableOption("%s exists already. Move it away, or give another --out.".formatted(file));
        }
    }

    private static void write(Path file, List<String> lines) {
        try {
            Files.createDirectories(file.toAbsolutePath().getParent());
            Files.write(file, lines);
        } catch (IOException e) {
            throw new UnusableOption("%s cannot be written: %s".formatted(file, e.getMessage()));
        }
    }
}
