package berth.contract;

import static org.assertj.core.api.Assertions.assertThat;

import berth.Seeds;
import berth.service.Contract;
import berth.service.RandomCalls;
import berth.service.RandomCalls.Call;
import berth.service.ServiceSuite;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.json.JsonMapper;

/**
 * Makes thousands of valid and invalid calls at random from the document: every response must be one that the document
 * describes. {@code -Dberth.fuzz.calls} and {@code -Dberth.fuzz.seed} ask for more, or for others.
 */
class OpenApiFuzzIT extends ServiceSuite {

    private static final int CALLS = Integer.getInteger("berth.fuzz.calls", Seeds.of(5_000));
    private static final long SEED = Long.getLong("berth.fuzz.seed", 20270101);
    private static final int CALLS_BETWEEN_STEPS = 250;

    private final HttpClient http = HttpClient.newHttpClient();

    /** Webhooks and administrators would have starts announced in other tests. */
    @AfterEach
    void forgetWhoIsToldAhead() {
        for (var after = Optional.of(""); after.isPresent(); ) {
            var page = admin.get("/api/v1/accounts?limit=500" + after.get()).body();
            for (var account : page.path("items")) {
                if (!account.path("leads").isEmpty()) {
                    admin.patch("/api/v1/accounts/" + account.path("name").asString(), "{\"leads\":null}");
                }
            }
            after = page.path("next").isNull()
                    ? Optional.empty()
                    : Optional.of("&after=" + page.path("next").asString());
        }
        deleteWebhooks();
    }

    @Test
    void everyResponseConformsToTheDocument() throws Exception {
        var random = new SplittableRandom(SEED);
        var contract = new Contract(get("/openapi"));
        var calls = new RandomCalls(random, contract, clock, tokens());
        var statuses = new TreeMap<Integer, Integer>();
        var successes = new TreeMap<String, Integer>();
        contract.operations().forEach(operation -> successes.put(operation.id(), 0));
        var failures = new LinkedHashMap<String, String>();
        var tagged = new HashMap<List<String>, String>();
        long begun = System.nanoTime();
        for (int i = 0; i < CALLS; i++) {
            if (i % CALLS_BETWEEN_STEPS == 0) {
                // together less than the time that other tests leave between now and their first slots
                pass(Duration.ofSeconds(random.nextInt(240)));
            }
            var call = calls.next();
            var answer = send(call);
            statuses.merge(answer.statusCode(), 1, Integer::sum);
            if (answer.statusCode() < 300) {
                successes.merge(call.operation().id(), 1, Integer::sum);
            }
            calls.learn(call, answer.statusCode(), answer.headers().firstValue("ETag"), answer.body());
            var violations = violations(contract, call, answer);
            taggedAsBefore(tagged, call, answer).ifPresent(violations::add);
            for (var violation : violations) {
                failures.putIfAbsent(
                        call.operation().id() + ": " + violation.replaceAll("[0-9]+", "N"),
                        "%s%nseed %d, call %d%n%s%n%s"
                                .formatted(violation, SEED, i, call.asCurl(base()), shown(answer)));
            }
        }
        report(statuses, successes, System.nanoTime() - begun);
        assertThat(failures.values()).isEmpty();
        assertThat(share(statuses)).as("share of calls that succeed").isGreaterThan(0.2);
    }

    /** Returns a violation if the same path had another body under the same entity tag. */
    private static Optional<String> taggedAsBefore(
            Map<List<String>, String> tagged, Call call, HttpResponse<String> answer) {
        return answer.headers()
                .firstValue("ETag")
                .filter(_ -> call.operation().method().equals("GET") && answer.statusCode() == 200)
                .map(tag -> tagged.putIfAbsent(List.of(call.path(), tag), answer.body()))
                .filter(before -> !before.equals(answer.body()))
                .map("The same entity tag stood for another body: %s"::formatted);
    }

    private List<String> violations(Contract contract, Call call, HttpResponse<String> answer) {
        var violations = new ArrayList<String>();
        int status = answer.statusCode();
        if (status >= 500) {
            violations.add("The service failed with %d.".formatted(status));
        }
        var type = answer.headers().firstValue("Content-Type").orElse("");
        violations.addAll(contract.violations(call.operation(), status, type, answer.body()));
        if (type.equals(Contract.PROBLEM)) {
            var problem = JsonMapper.shared().readTree(answer.body());
            if (problem.path("status").asInt() != status) {
                violations.add("The problem has another status than the answer.");
            }
            for (var field : List.of("code", "title", "detail")) {
                if (problem.path(field).asString("").isEmpty()) {
                    violations.add("The problem has no %s.".formatted(field));
                }
            }
        }
        return violations;
    }

    private static void report(Map<Integer, Integer> statuses, Map<String, Integer> successes, long nanos) {
        System.out.printf(
                "OpenApiFuzzIT: seed %d, %d calls in %.0f s, %.0f %% succeeded%n  by status %s%n  successes by call %s%n",
                SEED, CALLS, nanos / 1e9, share(statuses) * 100, statuses, successes);
    }

    private static double share(Map<Integer, Integer> statuses) {
        int succeeded = statuses.entrySet().stream()
                .filter(entry -> entry.getKey() < 300)
                .mapToInt(Map.Entry::getValue)
                .sum();
        return (double) succeeded / CALLS;
    }

    private static String shown(HttpResponse<String> answer) {
        var headers = answer.headers().map().entrySet().stream()
                .map(header -> header.getKey() + ": " + String.join(", ", header.getValue()))
                .collect(Collectors.joining("\n"));
        var body = answer.body();
        return "%d%n%s%n%n%s"
                .formatted(answer.statusCode(), headers, body.length() > 3000 ? body.substring(0, 3000) + "…" : body);
    }

    private List<String> tokens() {
        return List.of(
                ADMIN_TOKEN,
                tokenOf(newName(), "ADMIN"),
                tokenOf(newName(), "CLIENT"),
                tokenOf(newName(), "CLIENT"),
                tokenOf(newName(), "VIEWER"));
    }

    private HttpResponse<String> send(Call call) throws IOException, InterruptedException {
        var body = call.body()
                .map(text -> BodyPublishers.ofString(text, StandardCharsets.UTF_8))
                .orElseGet(BodyPublishers::noBody);
        var request = HttpRequest.newBuilder(URI.create(base() + call.uri()))
                .method(call.operation().method(), body)
                .timeout(Duration.ofSeconds(30));
        call.headers().forEach(request::header);
        return http.send(request.build(), BodyHandlers.ofString());
    }

    private String get(String path) throws IOException, InterruptedException {
        return http.send(HttpRequest.newBuilder(URI.create(base() + path)).build(), BodyHandlers.ofString())
                .body();
    }

    private String base() {
        return "http://localhost:" + port;
    }
}
