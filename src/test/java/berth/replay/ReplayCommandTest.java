package berth.replay;

import static org.assertj.core.api.Assertions.assertThat;

import berth.replay.StubService.Answer;
import berth.replay.StubService.Posted;
import berth.workload.AdvanceReservationRecipe;
import berth.workload.LogWindow;
import berth.workload.ReservationRequest;
import berth.workload.WindowedRequests;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

class ReplayCommandTest {
    private static final Instant START = Instant.parse("2030-01-01T00:00:00Z");
    private static final int JOBS = 40;
    private static final long DAY = 86_400;

    @TempDir
    Path directory;

    private StubService service;
    private Path trace;

    @BeforeEach
    void start() throws IOException {
        service = new StubService();
        trace = Files.writeString(directory.resolve("log.swf"), log());
    }

    @AfterEach
    void stop() {
        service.close();
    }

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
        assertThat(outcome.figure("left out, too large")).isEqualTo("1");
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
    void saysHowToRepeatARunThatNamedNothing() {
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
    void countsWhatIsNotDecidedYet() {
        service.answers = request -> Optional.of(new Answer(
                202, "{\"id\":\"01890a5d-ac96-774b-bcce-b302099a8057\",\"state\":\"PENDING\",\"placement\":null}"));
        Outcome outcome = replay();

        assertThat(outcome.exitCode()).isZero();
        assertThat(outcome.figure("pending")).isEqualTo("40");
        assertThat(outcome.figure("accepted")).isEqualTo("0");
    }

    @Test
    void asksAgainUnderTheSameKeyWhileTheOutcomeIsUnknown() {
        AtomicInteger failures = new AtomicInteger();
        service.answers = request -> {
            if (jobOf(request) != 7 || failures.get() >= 2) {
                return Optional.empty();
            }
            return failures.incrementAndGet() == 1
                    ? Optional.of(Answer.problem(503, "unavailable"))
                    : Optional.of(Answer.silence());
        };
        Outcome outcome = replay();

        assertThat(outcome.exitCode()).isZero();
        assertThat(outcome.figure("accepted")).isEqualTo("40");
        assertThat(outcome.figure("retried")).isEqualTo("1");
        List<Posted> sent =
                service.posted.stream().filter(request -> jobOf(request) == 7).toList();
        assertThat(sent).hasSize(3).allMatch(sent.getFirst()::equals);
    }

    @Test
    void countsARequestThatIsPutOffTooOftenAsRefused() {
        service.answers = request ->
                jobOf(request) == 7 ? Optional.of(Answer.problem(429, "too-many-requests")) : Optional.empty();
        Outcome outcome = replay("--retries", "1");

        assertThat(outcome.exitCode()).isZero();
        assertThat(outcome.figure("too-many-requests")).isEqualTo("1");
        assertThat(outcome.figure("accepted")).isEqualTo("39");
    }

    @Test
    void endsWithAPartialTableWhenTheServiceGoesAway() throws IOException {
        Path out = directory.resolve("answers.csv");
        service.answers = request -> {
            if (jobOf(request) == 20) {
                service.close();
            }
            return Optional.empty();
        };
        Outcome outcome = replay("--retries", "1", "--concurrency", "2", "--out", out.toString());

        assertThat(outcome.exitCode()).isEqualTo(3);
        assertThat(outcome.out()).startsWith("PARTIAL").contains("of 40 requests");
        assertThat(outcome.err()).contains("The service went away");
        int accepted = Integer.parseInt(outcome.figure("accepted"));
        int unknown = Integer.parseInt(outcome.figure("unknown"));
        assertThat(accepted).isBetween(15, 20);
        assertThat(unknown).isBetween(1, 2);
        assertThat(outcome.figure("requests")).isEqualTo(String.valueOf(accepted + unknown));
        assertThat(Files.readAllLines(out).stream().filter(row -> row.contains(",accepted,201,")))
                .hasSize(accepted);
        assertThat(Files.readAllLines(out).stream().filter(row -> row.contains(",unknown,,connection,")))
                .hasSize(unknown);
    }

    @Test
    void doesNotTakeAServiceThatFailsForGoodForOneThatRefuses() {
        service.answers = request -> Optional.of(Answer.problem(500, "internal"));
        Outcome outcome = replay("--retries", "0");

        assertThat(outcome.exitCode()).isEqualTo(3);
        assertThat(outcome.err()).contains("500 internal: because of internal");
    }

    @Test
    void givesUpOnAServiceThatNeverAnswersWhenPatienceEnds() {
        service.answers = request -> {
            pause(3_000);
            return Optional.empty();
        };
        Instant begin = Instant.now();
        Outcome outcome = replay("--patience", "PT0.6S", "--concurrency", "1");

        assertThat(outcome.exitCode()).isEqualTo(3);
        assertThat(outcome.err()).contains("timed out");
        assertThat(Duration.between(begin, Instant.now())).isLessThan(Duration.ofSeconds(2));
    }

    @Test
    void saysThatNothingAnswersAtTheAddress() {
        String url = service.url();
        service.close();
        Outcome outcome =
                run("--url", url, "--token", "any", "--trace", trace.toString(), "--cluster", "sp2", "--retries", "0");

        assertThat(outcome.exitCode()).isEqualTo(3);
        assertThat(outcome.err()).contains("does not answer", "no reservation was asked for");
        assertThat(outcome.out()).isEmpty();
    }

    @Test
    void stopsAtOnceWhenTheTokenIsWrong() throws IOException {
        Path token = Files.writeString(directory.resolve("token"), "wrong\n");
        Outcome outcome = run(
                "--url",
                service.url(),
                "--token-file",
                token.toString(),
                "--trace",
                trace.toString(),
                "--cluster",
                "sp2");

        assertThat(outcome.exitCode()).isEqualTo(2);
        assertThat(outcome.err()).contains("refuses the token", "401 unauthorized", "--token-file");
        assertThat(service.posted).isEmpty();
    }

    @Test
    void stopsAtOnceWhenTheTokenLosesItsRights() {
        service.answers =
                request -> jobOf(request) >= 10 ? Optional.of(Answer.problem(403, "forbidden")) : Optional.empty();
        Outcome outcome = replay("--concurrency", "1");

        assertThat(outcome.exitCode()).isEqualTo(2);
        assertThat(outcome.err()).contains("refuses the token", "403 forbidden");
        assertThat(service.posted).hasSize(11);
        assertThat(outcome.out()).startsWith("PARTIAL");
    }

    @Test
    void refusesAFileThatIsNoLog() throws IOException {
        Path page = Files.writeString(directory.resolve("page.html"), "<!DOCTYPE html>\n");
        Outcome outcome = replay("--trace", page.toString());

        assertThat(outcome.exitCode()).isEqualTo(2);
        assertThat(outcome.err()).contains("page.html: line 1", "no SWF log");
    }

    @Test
    void refusesALogThatIsBrokenInsideTheWindowBeforeAnythingIsSent() throws IOException {
        Path broken = Files.writeString(directory.resolve("broken.swf"), log() + "1 2 3\n");
        Outcome outcome = replay("--trace", broken.toString());

        assertThat(outcome.exitCode()).isEqualTo(2);
        assertThat(outcome.err()).contains("line 44");
        assertThat(service.posted).isEmpty();
    }

    @Test
    void refusesAClusterWithOtherPes() {
        service.clusters.put("sp2", 512);
        Outcome outcome = replay();

        assertThat(outcome.exitCode()).isEqualTo(2);
        assertThat(outcome.err()).contains("Cluster sp2 has 512 PEs", "16");
        assertThat(service.posted).isEmpty();
    }

    @Test
    void usesAClusterThatHasThePesOfTheLog() {
        service.clusters.put("sp2", 16);
        assertThat(replay().figure("accepted")).isEqualTo("40");
    }

    @Test
    void stopsWhenTheAnswersAreNotThoseOfABerth() {
        service.answers = request -> Optional.of(new Answer(200, "<html>hello</html>"));
        Outcome outcome = replay("--concurrency", "1");

        assertThat(outcome.exitCode()).isEqualTo(2);
        assertThat(outcome.err()).contains("no answer of a Berth");
        assertThat(service.posted).hasSize(1);
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
    void leavesTheRecordOfAnEarlierRunAlone() throws IOException {
        Path out = Files.writeString(directory.resolve("answers.csv"), "earlier");
        Outcome outcome = replay("--out", out.toString());

        assertThat(outcome.exitCode()).isEqualTo(2);
        assertThat(outcome.err()).contains("answers.csv, which exists");
        assertThat(out).hasContent("earlier");
        assertThat(service.posted).isEmpty();
    }

    @Test
    void refusesOptionsOutOfRange() {
        List<String[]> wrong = List.of(
                new String[] {"--days", "0"},
                new String[] {"--concurrency", "0"},
                new String[] {"--retries", "-1"},
                new String[] {"--patience", "PT0S"},
                new String[] {"--flexible-share", "2"},
                new String[] {"--flexibility", "-5"},
                new String[] {"--run-id", "a b"},
                new String[] {"--from", "3 weeks"},
                new String[] {"--start", "tomorrow"},
                new String[] {"--from", "400d"});
        for (String[] options : wrong) {
            Outcome outcome = replay(options);
            assertThat(outcome.exitCode()).as(String.join(" ", options)).isEqualTo(2);
            assertThat(outcome.err()).as(String.join(" ", options)).isNotEmpty();
        }
        assertThat(service.posted).isEmpty();
    }

    @Test
    void tellsItsExitCodesInTheHelp() {
        assertThat(run("--help").out()).contains("Exit codes:", "the service went away", "utilisation");
    }

    /** The requests that the recipe makes of the test's log. */
    private List<ReservationRequest> expected(int days) {
        var recipe = new AdvanceReservationRecipe(16, 1, 0, 50);
        List<ReservationRequest> requests = new ArrayList<>();
        try (WindowedRequests source = WindowedRequests.open(trace, recipe, new LogWindow(0, days * DAY))) {
            source.forEachRemaining(requests::add);
        }
        return requests;
    }

    private static long earliest(List<ReservationRequest> requests) {
        return requests.stream().mapToLong(ReservationRequest::readyTime).min().orElseThrow();
    }

    /** 40 jobs an hour apart, the first submitted at 1000, and two that become no request. */
    private static String log() {
        StringBuilder log = new StringBuilder("; MaxProcs: 16\n");
        for (int i = 0; i < JOBS; i++) {
            log.append(line(i, 1_000 + 3_600L * i, 1_800 + 600L * (i % 7), 1 + i % 16));
            if (i == 2) {
                log.append(line(100, 1_000 + 3_600L * i, 59, 1)).append(line(101, 1_000 + 3_600L * i, 600, 17));
            }
        }
        return log.toString();
    }

    private static String line(int job, long submit, long runTime, int pes) {
        return "%d %d 0 %d %d -1 -1 %d -1 -1 1 1 1 1 1 1 -1 -1\n".formatted(job, submit, runTime, pes, pes);
    }

    private static int jobOf(Posted request) {
        return Integer.parseInt(request.name().substring("job-".length()));
    }

    private static int linesOf(Path file) {
        try {
            return Files.readAllLines(file).size();
        } catch (IOException e) {
            return -1;
        }
    }

    private static void pause(long millis) {
        try {
            Thread.sleep(millis);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Runs against the stub with its token; later options override the trace. */
    private Outcome replay(String... options) {
        List<String> arguments =
                new ArrayList<>(List.of("--url", service.url(), "--token", StubService.TOKEN, "--cluster", "sp2"));
        if (!Arrays.asList(options).contains("--trace")) {
            arguments.addAll(List.of("--trace", trace.toString()));
        }
        arguments.addAll(List.of(options));
        return run(arguments.toArray(String[]::new));
    }

    private static Outcome run(String... arguments) {
        StringWriter out = new StringWriter();
        StringWriter err = new StringWriter();
        int exitCode = new CommandLine(new ReplayCommand())
                .setOut(new PrintWriter(out, true))
                .setErr(new PrintWriter(err, true))
                .execute(arguments);
        return new Outcome(exitCode, out.toString(), err.toString());
    }

    private record Outcome(int exitCode, String out, String err) {
        /** The value of a line of the table. */
        String figure(String name) {
            return out.lines()
                    .filter(line -> line.strip().startsWith(name + " "))
                    .map(line -> line.strip().substring(name.length()).strip())
                    .findFirst()
                    .orElse("no line " + name + " in " + out + err);
        }
    }
}
