package berth.lab.experiment.advisor;

import berth.cluster.Cluster;
import berth.lab.experiment.StudyOptions;
import berth.reservation.ClusterId;
import berth.terminal.ServiceClient;
import berth.terminal.ServiceOptions;
import berth.terminal.UnusableOption;
import java.math.BigDecimal;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The options that name a cluster of a running service, whose recorded requests replace a log. */
final class RecordOptions {
    /** The fewest requests to advise by. */
    private static final int MIN_REQUESTS = 30;

    private static final double SECONDS_PER_DAY = 86_400;

    /** The options of requests that are made from a log, and of its machine. */
    private static final List<String> FOR_LOGS = List.of(
            "--trace", "--pes", "--flexible-share", "--flexibility", "--estimates", "--actual-percent", "--notice");

    @Mixin
    private final ServiceOptions service = new ServiceOptions();

    @Option(
            names = "--cluster",
            paramLabel = "ID",
            description =
                    "Replay the requests that the service at --url recorded for this cluster instead of a log, and"
                            + " compare with the cluster's settings now in force. It requires an administrator's token.")
    private Optional<String> cluster = Optional.empty();

    /**
     * Returns the cluster to read; empty if a log is to be replayed.
     *
     * @throws picocli.CommandLine.ParameterException if options for a service and for a log are mixed
     */
    Optional<String> cluster(StudyOptions study) {
        if (cluster.isEmpty()) {
            Stream.of("--url", "--token", "--token-file").filter(study::isGiven).forEach(option -> {
                throw study.wrong(
                        "%s is given without --cluster: name the cluster whose recorded requests are replayed, or leave out %s to replay a log."
                                .formatted(option, option));
            });
            return cluster;
        }
        FOR_LOGS.stream().filter(study::isGiven).forEach(option -> {
            throw study.wrong(
                    "%s is for logs, but --cluster is %s, whose requests and rules are replayed as they are recorded: leave out %s, or leave out --cluster to replay a log."
                            .formatted(option, cluster.get(), option));
        });
        if (study.isGiven("--shard")) {
            throw study.wrong(
                    "--shard and --cluster are given, but shards would read different records: leave out --shard.");
        }
        return cluster;
    }

    /**
     * Reads the requests and the machine.
     *
     * @param length the length of a window in seconds
     * @param most the most windows
     * @throws picocli.CommandLine.ParameterException if they cannot be read, or are too few
     */
    Workload read(StudyOptions study, String id, long length, int most, double load, BigDecimal alternativesUpTo) {
        if (!new ClusterId(id).isWellFormed()) {
            throw study.wrong(
                    "--cluster is %s: give an id of 1 to 63 lower-case letters, digits and hyphens.".formatted(id));
        }
        ClusterRecords records;
        try (var client = new ServiceClient(service.api(), service.bearerToken())) {
            records = new RecordReader(client, id).read();
        } catch (UnusableOption e) {
            throw study.wrong(String.valueOf(e.getMessage()));
        }
        int pes = records.cluster().pes();
        if (pes > Cluster.MAX_PES_EARLY) {
            throw study.wrong("--cluster is %s, which has %d PEs: the advisor replays clusters of at most %d."
                    .formatted(id, pes, Cluster.MAX_PES_EARLY));
        }
        if (records.requests().size() < MIN_REQUESTS) {
            throw study.wrong(
                    "--cluster is %s, for which the service has recorded %d requests that can be replayed: there must be %d or more. Wait until there are, or replay a log with --trace."
                            .formatted(id, records.requests().size(), MIN_REQUESTS));
        }
        var windows = records.windows(length).stream().limit(most).toList();
        if (windows.isEmpty()) {
            throw study.wrong(
                    "--window-days is %s, but the requests of cluster %s arrived within %.4f days: give fewer days."
                            .formatted(length / SECONDS_PER_DAY, id, records.span() / SECONDS_PER_DAY));
        }
        return new RecordedWorkload(records, length, windows, load, alternativesUpTo);
    }
}
