package berth.slurm;

import berth.slurm.Proposal.ForPartition;
import berth.slurm.Proposal.LeftOut;
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

/** {@code berth slurm-agent init}: reads a Slurm, and writes the settings for a first use. */
@Command(
        name = "init",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        description = {
            "Reads the partitions of Slurm, proposes a cluster of Berth for each, and writes what is needed to create and follow it.",
            "",
            "Changes nothing, neither in Slurm nor in Berth."
        },
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {
            "0:there is something to propose, and it is written",
            "1:there is nothing to propose",
            "2:the files cannot be written, or are there already",
            "3:Slurm does not answer"
        })
public final class InitCommand implements Callable<Integer> {

    private static final Duration PATIENCE = Duration.ofSeconds(15);
    private static final JsonMapper JSON = JsonMapper.builder().build();

    @Spec
    @SuppressWarnings("NullAway.Init") // picocli sets it
    private CommandSpec spec;

    @Option(
            names = "--out",
            paramLabel = "DIRECTORY",
            defaultValue = "berth-slurm",
            description = "Where the files go, CLUSTER.json and CLUSTER.env; ${DEFAULT-VALUE} unless given.")
    @SuppressWarnings("NullAway.Init") // picocli sets it
    private Path directory;

    @Option(
            names = "--cores",
            description =
                    "A PE is a CPU rather than a node, and whoever books gets whole nodes: for partitions whose nodes have"
                            + " the same number of CPUs.")
    private boolean byCores;

    /** Reads, writes and says what comes next; the exit code is one of those listed in the help. */
    @Override
    public Integer call() {
        var out = spec.commandLine().getOut();
        try {
            var slurm = new Slurm(Shell.ofThisMachine(PATIENCE));
            slurm.requireAnswer();
            var proposals = Proposal.of(slurm.partitions(), slurm.shapes(), byCores);
            for (var proposal : proposals) {
                switch (proposal) {
                    case LeftOut(var partition, var why) ->
                        out.printf("Partition %s: left out, since %s.%n", partition.name(), why);
                    case ForPartition some -> propose(some, out);
                }
            }
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
                        "# of the agent of cluster " + cluster.id(),
                        "BERTH_URL=http://localhost:8080",
                        "BERTH_CLUSTER=" + cluster.id()));
        out.printf(
                "Partition %s: %d nodes, %s, each with %s.%n",
                partition.name(), partition.nodes().size(), cluster.peNames(), String.join(" or ", proposal.shapes()));
        if (cluster.granule() != null) {
            out.printf("  %d PEs: people ask for multiples of %d.%n", cluster.pes(), cluster.granule());
        }
        if (proposal.shapes().size() > 1) {
            out.println(
                    "  They are not alike: whoever books cannot say which it wants. Give each kind a partition, or accept that.");
        }
        out.println(
                partition.maxTime().isPresent()
                        ? "  Jobs run %s at the most there: a reservation is put into Slurm so long before its start."
                                .formatted(
                                        Duration.ofSeconds(partition.maxTime().getAsLong()))
                        : "  Jobs may run without an end there (MaxTime): set one, or give the agent --ahead.");
        out.printf("  Written: %s, %s. Look at them, and then:%n", json, settings);
        out.printf(
                "  curl $BERTH_URL/api/v1/clusters -H \"Authorization: Bearer $TOKEN\" -H 'Content-Type: application/json' -d @%s%n",
                json);
        out.printf(
                "  curl $BERTH_URL/api/v1/accounts -H \"Authorization: Bearer $TOKEN\" -H 'Content-Type: application/json' -d '{\"name\":\"slurm-%s\",\"role\":\"AGENT\",\"cluster\":\"%s\"}'%n",
                cluster.id(), cluster.id());
        out.printf("  (its token into %s.token, for the agent alone)%n", directory.resolve(cluster.id()));
        out.printf(
                "  java -jar berth.jar slurm-agent --url $BERTH_URL --token-file %s.token --cluster %s --dry-run%n",
                directory.resolve(cluster.id()), cluster.id());
    }

    private static void requireNew(Path file) {
        if (Files.exists(file)) {
            throw new UnusableOption("%s is there already: move it away, or give another --out.".formatted(file));
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
