package berth.lab.replay;

import static org.assertj.core.api.Assertions.assertThat;

import berth.lab.replay.StubService.Answer;
import berth.lab.replay.StubService.Posted;
import berth.lab.workload.AdvanceReservationRecipe;
import berth.lab.workload.JobLog;
import berth.lab.workload.LogWindow;
import berth.lab.workload.ReservationRequest;
import berth.lab.workload.WindowedRequests;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class ReplayCommandTest extends ReplayTest {
    private static final Instant START = Instant.parse("2030-01-01T00:00:00Z");
    private static final long DAY = 86_400;

    @Test
    void reservesTheWindowAndPrintsItsFigures() {
        Outcome outcome = replay("--days", "1", "--start", START.toString());

        assertThat(outcome.exitCode()).isZero();
        assertThat(service.clusters).containsEntry("sp2", 16);
        List<ReservationRequest> expected = expected(1);
        long shift = START.getEpochSecond() - earliest(expected);
        long windowStart = 1_000 + shift;
        double area = 0;
        double offered = 0;
        for (ReservationRequest request : expected) {
            long start = request.readyTime() + shift;
            long inside = Math.min(start + request.duration(), windowStart + DAY) - Math.max(start, windowStart);
            area += request.pes() * (double) Math.max(0, inside);
            offered += request.area();
        }
        assertThat(outcome.figure("requests")).isEqualTo(String.valueOf(expected.size()));
        assertThat(outcome.figure("accepted")).isEqualTo(String.valueOf(expected.size()));
        assertThat(outcome.figure("refused")).isEqualTo("0");
        assertThat(outcome.figure("unknown")).isEqualTo("0");
        assertThat(outcome.figure("left out, below 60 s")).isEqualTo("1");
        assertThat(outcome.figure("log")).isEqualTo("log.swf (1 line left out)");
        assertThat(outcome.err()).contains("log.swf: 1 line with a job larger than the machine (line 6)");
        assertThat(outcome.figure("utilisation"))
                .isEqualTo(String.format(Locale.ROOT, "%.2f %%", 100 * area / (16.0 * DAY)));
        assertThat(outcome.figure("offered load"))
                .isEqualTo(String.format(Locale.ROOT, "%.2f %%", 100 * offered / (16.0 * DAY)));
        assertThat(outcome.figure("window"))
                .isEqualTo(Instant.ofEpochSecond(windowStart) + " to " + Instant.ofEpochSecond(windowStart + DAY));
        assertThat(outcome.figure("latency p50")).matches("\\d+\\.\\d{3} ms");
        assertThat(outcome.figure("latency max")).matches("\\d+\\.\\d{3} ms");
        assertThat(outcome.figure("requests/s")).matches("\\d+\\.\\d");
        assertThat(outcome.out()).doesNotContain("PARTIAL");
    }

    @Test
    void sendsTheTermsOfTheRecipeInTheOrderOfSubmission() {
        assertThat(replay("--days", "15", "--start", START.toString(), "--concurrency", "1", "--run-id", "r1")
                        .exitCode())
                .isZero();

        List<ReservationRequest> expected = expected(15);
        long shift = START.getEpochSecond() - earliest(expected);
        assertThat(service.posted).hasSameSizeAs(expected);
        for (int i = 0; i < expected.size(); i++) {
            ReservationRequest request = expected.get(i).shiftedBy(shift);
            Posted posted = service.posted.get(i);
            assertThat(posted.name()).isEqualTo("job-" + request.job());
            assertThat(posted.key()).isEqualTo("r1-" + request.job());
            assertThat(posted.readyTime().getEpochSecond()).isEqualTo(request.readyTime());
            assertThat(posted.deadline().getEpochSecond()).isEqualTo(request.deadline());
            assertThat(posted.duration()).isEqualTo(Duration.ofSeconds(request.duration()));
            assertThat(posted.pes()).isEqualTo(request.pes());
            assertThat(posted.body().path("cluster").asString("")).isEqualTo("sp2");
        }
        assertThat(service.posted.stream().map(Posted::readyTime).min(Instant::compareTo))
                .hasValue(START);
    }

    @Test
    void sendsTheSameKeysAndBodiesWhenRepeated() {
        String[] options = {"--start", START.toString(), "--run-id", "again", "--flexible-share", "0.5"};
        Outcome first = replay(options);
        List<Posted> before = List.copyOf(service.posted);
        service.posted.clear();
        Outcome second = replay(options);

        assertThat(service.posted).containsExactlyInAnyOrderElementsOf(before);
        assertThat(second.figure("accepted")).isEqualTo(first.figure("accepted"));
        assertThat(second.figure("utilisation")).isEqualTo(first.figure("utilisation"));
    }

    @Test
    void printsHowToRepeatARunWithDefaultOptions() {
        Outcome outcome = replay("--from", "3h", "--days", "0.5");

        assertThat(outcome.exitCode()).isZero();
        assertThat(outcome.err())
                .contains("--run-id " + outcome.figure("run id"), "--start " + outcome.figure("start"));
        assertThat(Instant.parse(outcome.figure("start")))
                .isBetween(Instant.now().plusSeconds(500), Instant.now().plusSeconds(600));
    }

    @Test
    void keepsNoMoreInFlightThanTheConcurrency() {
        service.answers = request -> {
            pause(5);
            return Optional.empty();
        };
        assertThat(replay("--concurrency", "4").exitCode()).isZero();
        assertThat(service.mostInFlight.get()).isBetween(2, 4);
    }

    @Test
    void countsRefusalsByTheirCode() {
        service.answers = request -> switch (jobOf(request) % 4) {
            case 0 -> Optional.of(Answer.problem(409, "no-slot"));
            case 1 -> Optional.of(Answer.problem(422, "invalid-terms"));
            case 2 -> Optional.of(Answer.problem(403, "limit-exceeded"));
            default -> Optional.empty();
        };
        Outcome outcome = replay();

        assertThat(outcome.exitCode()).isZero();
        assertThat(outcome.figure("requests")).isEqualTo("40");
        assertThat(outcome.figure("accepted")).isEqualTo("10");
        assertThat(outcome.figure("refused")).isEqualTo("30");
        assertThat(outcome.figure("no-slot")).isEqualTo("10");
        assertThat(outcome.figure("invalid-terms")).isEqualTo("10");
        assertThat(outcome.figure("limit-exceeded")).isEqualTo("10");
    }

    @Test
    void countsPendingRequests() {
        service.answers = request -> Optional.of(new Answer(
                202, "{\"id\":\"01890a5d-ac96-774b-bcce-b302099a8057\",\"state\":\"PENDING\",\"placement\":null}"));
        Outcome outcome = replay();

        assertThat(outcome.exitCode()).isZero();
        assertThat(outcome.figure("pending")).isEqualTo("40");
        assertThat(outcome.figure("accepted")).isEqualTo("0");
    }

    @Test
    void usesAClusterThatHasThePesOfTheLog() {
        service.clusters.put("sp2", 16);
        assertThat(replay().figure("accepted")).isEqualTo("40");
    }

    @Test
    void writesARowPerRequest() throws IOException {
        service.answers =
                request -> jobOf(request) == 3 ? Optional.of(Answer.problem(409, "no-slot")) : Optional.empty();
        Path out = directory.resolve("answers.csv");
        replay("--out", out.toString(), "--run-id", "r2", "--concurrency", "1", "--start", START.toString());

        List<String> rows = Files.readAllLines(out);
        assertThat(rows).hasSize(JOBS + 1);
        assertThat(rows.getFirst())
                .isEqualTo("job,idempotencyKey,outcome,status,code,reservation,start,end,attempts,latencyMillis");
        Posted first = service.posted.getFirst();
        assertThat(rows.get(1))
                .matches("0,r2-0,accepted,201,,[0-9a-f-]{36},%s,%s,1,\\d+\\.\\d{3}"
                        .formatted(first.readyTime(), first.readyTime().plus(first.duration())));
        assertThat(rows.get(4)).matches("3,r2-3,refused,409,no-slot,,,,1,\\d+\\.\\d{3}");
    }

    @Test
    void hasEachRowInTheFileBeforeTheNextRequestIsSent() {
        Path out = directory.resolve("answers.csv");
        List<Integer> rowsSeen = new ArrayList<>();
        service.answers = request -> {
            rowsSeen.add(linesOf(out));
            return Optional.empty();
        };
        replay("--out", out.toString(), "--concurrency", "1");

        assertThat(rowsSeen).hasSize(JOBS);
        for (int i = 0; i < JOBS; i++) {
            assertThat(rowsSeen.get(i)).isEqualTo(i + 1);
        }
    }

    @Test
    void replaysTheOutputOfSacctOnAMachineThatIsNamed() throws IOException {
        Path sacct = Files.writeString(directory.resolve("sacct.txt"), """
                JobID|Submit|ElapsedRaw|AllocCPUS
                12_1|2026-01-02T08:00:00|3600|4
                12_0|2026-01-02T07:00:00|3600|16
                12_0.batch|2026-01-02T07:00:00|3600|16
                13|2026-01-02T09:00:00|3600|17
                """);

        Outcome outcome = replay("--trace", sacct.toString(), "--pes", "16");
        assertThat(outcome.exitCode()).isZero();
        assertThat(outcome.figure("accepted")).isEqualTo("2");
        assertThat(outcome.figure("left out, too large")).isEqualTo("1");
        assertThat(service.posted).extracting(Posted::name).contains("job-120000000000", "job-120000000001");

        assertThat(replay("--trace", sacct.toString()))
                .satisfies(said -> assertThat(said.err()).contains("the machine's PEs are unknown. Give --pes."));
        assertThat(replay("--trace", sacct.toString(), "--pes", "0"))
                .satisfies(said -> assertThat(said.err()).contains("--pes is 0. Give 1 or more."));
    }

    @Test
    void listsItsExitCodesInTheHelp() {
        assertThat(run("--help").out()).contains("Exit codes:", "the service went away", "utilisation");
    }

    /** Returns the requests that the recipe makes from the test's log. */
    private List<ReservationRequest> expected(int days) {
        var recipe = new AdvanceReservationRecipe(16, 1, 0, 50);
        List<ReservationRequest> requests = new ArrayList<>();
        new WindowedRequests(JobLog.read(trace), recipe, new LogWindow(0, days * DAY)).forEachRemaining(requests::add);
        return requests;
    }

    private static long earliest(List<ReservationRequest> requests) {
        return requests.stream().mapToLong(ReservationRequest::readyTime).min().orElseThrow();
    }

    private static int linesOf(Path file) {
        try {
            return Files.readAllLines(file).size();
        } catch (IOException e) {
            return -1;
        }
    }
}
