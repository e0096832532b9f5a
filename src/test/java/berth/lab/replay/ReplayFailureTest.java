package berth.lab.replay;

import static org.assertj.core.api.Assertions.assertThat;

import berth.lab.replay.StubService.Answer;
import berth.lab.replay.StubService.Posted;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class ReplayFailureTest extends ReplayTest {

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
    void countsARequestDelayedTooOftenAsRefused() {
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
        Outcome outcome = replay("--retries", "1", "--concurrency", "1", "--out", out.toString());

        assertThat(outcome.exitCode()).isEqualTo(3);
        assertThat(outcome.out()).startsWith("PARTIAL").contains("of 40 requests");
        assertThat(outcome.err()).contains("The service went away");
        assertThat(outcome.figure("requests")).isEqualTo("21");
        assertThat(outcome.figure("accepted")).isEqualTo("20");
        assertThat(outcome.figure("unknown")).isEqualTo("1");
        List<String> rows = Files.readAllLines(out);
        assertThat(rows).hasSize(22);
        assertThat(rows.subList(1, 21)).allMatch(row -> row.contains(",accepted,201,"));
        assertThat(rows.getLast()).contains("-20,unknown,,connection,");
    }

    @Test
    void sendsNothingNewOnceAWorkerHasGivenUp() {
        service.answers = request -> jobOf(request) >= 20 ? Optional.of(Answer.silence()) : Optional.empty();
        Outcome outcome = replay("--retries", "1", "--concurrency", "4");

        assertThat(outcome.exitCode()).isEqualTo(3);
        assertThat(outcome.figure("accepted")).isEqualTo("20");
        assertThat(outcome.figure("unknown")).isIn("1", "2", "3", "4");
        assertThat(service.posted).allMatch(request -> jobOf(request) < 24);
    }

    @Test
    void aPersistentFailureDoesNotCountAsRefusals() {
        service.answers = request -> Optional.of(Answer.problem(500, "internal"));
        Outcome outcome = replay("--retries", "0");

        assertThat(outcome.exitCode()).isEqualTo(3);
        assertThat(outcome.err()).contains("500 internal: because of internal");
    }

    @Test
    void givesUpOnAServiceThatNeverAnswersWhenPatienceEnds() {
        service.answers = request -> {
            pause(20_000);
            return Optional.empty();
        };
        Instant begin = Instant.now();
        Outcome outcome = replay("--patience", "PT0.6S", "--concurrency", "1");

        assertThat(outcome.exitCode()).isEqualTo(3);
        assertThat(outcome.err()).contains("timed out");
        assertThat(Duration.between(begin, Instant.now())).isLessThan(Duration.ofSeconds(20));
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
    void rejectsAFileThatIsNotALog() throws IOException {
        Path page = Files.writeString(directory.resolve("page.html"), "<!DOCTYPE html>\n");
        Outcome outcome = replay("--trace", page.toString());

        assertThat(outcome.exitCode()).isEqualTo(2);
        assertThat(outcome.err())
                .contains("page.html: has no usable job: 1 line with a wrong number of fields (line 1)");
    }

    @Test
    void namesTheLinesThatCannotBeUsedAndReplaysTheOthers() throws IOException {
        Path broken = Files.writeString(directory.resolve("broken.swf"), log() + "1 2 3\n");
        Outcome outcome = replay("--trace", broken.toString());

        assertThat(outcome.exitCode()).isZero();
        assertThat(outcome.err())
                .contains("broken.swf: 1 line with a wrong number of fields (line 44)")
                .contains("broken.swf: 1 line with a job larger than the machine (line 6)");
        assertThat(outcome.figure("log")).isEqualTo("broken.swf (2 lines left out)");
        assertThat(outcome.figure("accepted")).isEqualTo("40");
    }

    @Test
    void rejectsALogWithMostlyUnusableLinesBeforeSending() throws IOException {
        Path broken = Files.writeString(directory.resolve("broken.swf"), log() + "1 2 3\n".repeat(43));
        Outcome outcome = replay("--trace", broken.toString());

        assertThat(outcome.exitCode()).isEqualTo(2);
        assertThat(outcome.err()).contains("most of its lines are not jobs: 43 lines with a wrong number of fields");
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
    void stopsWhenTheAnswersAreNotThoseOfABerth() {
        service.answers = request -> Optional.of(new Answer(200, "<html>hello</html>"));
        Outcome outcome = replay("--concurrency", "1");

        assertThat(outcome.exitCode()).isEqualTo(2);
        assertThat(outcome.err()).contains("not an answer of Berth");
        assertThat(service.posted).hasSize(1);
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
}
