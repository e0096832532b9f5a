package berth.process;

import static java.util.stream.Collectors.toMap;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** The replay client, a separate process, continues correctly when the service is killed and returns. */
@Tag("full")
class ReplayKillIT {

    private static final long SEED = 4;
    private static final int JOBS = 3000;
    private static final int PES = 128;
    private static final Duration RUN = Duration.ofMinutes(3);

    private final Instant start = Instant.now().plus(1, ChronoUnit.DAYS).truncatedTo(ChronoUnit.SECONDS);

    /** A row of the client's file, without attempts and latency, which vary. */
    private record Row(String outcome, String status, String code, String id, String start, String end) {}

    @Test
    void aReplaySurvivesAKilledServiceAndRepeatsItsResult(@TempDir Path directory) throws Exception {
        var random = new Random(SEED);
        var trace = writeTrace(directory.resolve("small.swf"), random);
        try (var installation = Installation.in(directory)) {
            var service = installation.start();
            var answers = directory.resolve("first.csv");
            var replay = replay(installation, trace, answers);
            int rowsAtKill = random.nextInt(JOBS / 10, JOBS / 2);
            Waiting.until(
                    RUN,
                    replay::output,
                    () -> Files.exists(answers) && lines(answers).size() > rowsAtKill);
            service.killHard();
            installation.start();

            assertThat(replay.awaitExit(RUN)).as(replay.output()).isZero();
            var first = rows(answers);
            assertThat(first).hasSize(JOBS);
            var again = directory.resolve("second.csv");
            var repeated = replay(installation, trace, again);
            assertThat(repeated.awaitExit(RUN)).as(repeated.output()).isZero();
            assertThat(rows(again)).isEqualTo(first);

            var acknowledged = new TreeMap<>(first);
            acknowledged.values().removeIf(row -> !row.outcome.equals("accepted"));
            assertThat(first.values()).extracting(Row::outcome).containsOnly("accepted", "refused");
            var found = installation.api().all("/reservations");
            assertThat(found.stream().collect(toMap(ReplayKillIT::job, ReplayKillIT::rowOf)))
                    .isEqualTo(acknowledged);
            assertThat(Occupancy.peak(found.stream()
                            .map(reservation -> reservation.path("placement"))
                            .toList()))
                    .isLessThanOrEqualTo(PES);
            assertThat(retried(answers)).as("requests sent more than once").isPositive();
            System.out.printf(
                    "Replay of %d jobs, service killed after %d answers: %d acknowledged, all found; %d requests were sent"
                            + " more than once; the repeated run was told the same%n",
                    JOBS, rowsAtKill, acknowledged.size(), retried(answers));
        }
    }

    /** Writes jobs of 10 minutes to 4 hours, more than the machine can accept. */
    private static Path writeTrace(Path file, Random random) throws IOException {
        var log = new StringBuilder("; MaxProcs: %d%n".formatted(PES));
        long submit = 0;
        for (int job = 1; job <= JOBS; job++) {
            submit += random.nextInt(1800);
            int pes = random.nextInt(1, 33);
            int runTime = random.nextInt(600, 14_400);
            log.append("%d %d 0 %d %d -1 -1 %d %d -1 1 1 1 1 1 1 -1 -1%n"
                    .formatted(job, submit, runTime, pes, pes, runTime));
        }
        return Files.writeString(file, log);
    }

    private JavaProcess replay(Installation installation, Path trace, Path answers) throws IOException {
        var log = Files.createTempFile(answers.getParent(), "replay", ".log");
        return JavaProcess.start(
                Program.laboratory(),
                log,
                Map.of(),
                List.of(
                        "replay",
                        "--url=" + installation.url(),
                        "--token-file=" + installation.tokenFile(),
                        "--trace=" + trace,
                        "--cluster=replayed",
                        "--days=60",
                        "--concurrency=8",
                        "--start=" + start,
                        "--run-id=kill",
                        "--retries=1000",
                        "--patience=PT2M",
                        "--out=" + answers));
    }

    private static List<String> lines(Path csv) throws IOException {
        return Files.readAllLines(csv);
    }

    private static Map<Integer, Row> rows(Path csv) throws IOException {
        return lines(csv).stream()
                .skip(1)
                .map(line -> line.split(",", -1))
                .collect(toMap(
                        row -> Integer.parseInt(row[0]),
                        row -> new Row(row[2], row[3], row[4], row[5], row[6], row[7])));
    }

    private static long retried(Path csv) throws IOException {
        return lines(csv).stream()
                .skip(1)
                .filter(line -> Integer.parseInt(line.split(",", -1)[8]) > 1)
                .count();
    }

    private static int job(JsonNode reservation) {
        return Integer.parseInt(reservation.path("name").asString().substring("job-".length()));
    }

    private static Row rowOf(JsonNode reservation) {
        var placement = reservation.path("placement");
        return new Row(
                "accepted",
                "201",
                "",
                reservation.path("id").asString(),
                placement.path("start").asString(),
                placement.path("end").asString());
    }
}
