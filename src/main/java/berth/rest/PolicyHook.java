package berth.rest;

import berth.desk.Desks;
import berth.desk.SideDesk;
import berth.reservation.ClusterId;
import berth.reservation.Origin;
import berth.scheduling.Probe;
import berth.security.Account;
import berth.sla.Money;
import berth.sla.RequestedTerms;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.stereotype.Component;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * Asks a program of the operator whether something may be reserved, where one is named: what Berth need not know of its users is decided there.
 * It hears what is asked for, and what that would cost as things are.
 */
@Component
class PolicyHook {

    private static final Logger log = LoggerFactory.getLogger(PolicyHook.class);

    private static final Duration PATIENCE = Duration.ofSeconds(2);
    private static final int MAX_REASON_LENGTH = 500;
    private static final int MAX_ANSWER_LENGTH = 16_000;

    private final Optional<URI> url;
    private final OnFailure onFailure;
    private final Desks desks;
    private final JsonMapper mapper;
    private final Counter allowed;
    private final Counter denied;
    private final Counter failed;
    private final HttpClient client = HttpClient.newBuilder()
            .connectTimeout(PATIENCE)
            .followRedirects(HttpClient.Redirect.NEVER)
            .build();

    /** What is done where there is no answer in time, or none that can be read. */
    enum OnFailure {
        /** It is granted. */
        OPEN,
        /** It is not decided: the client hears 503, and may repeat it. */
        CLOSED
    }

    /** What is asked for. */
    enum Kind {
        RESERVE,
        RENEGOTIATE,
        COALLOCATE,
        SERIES
    }

    /** How it answered. */
    private sealed interface Heard {
        record Allowed() implements Heard {}

        record Denied(String reason) implements Heard {}

        record Nothing(String why) implements Heard {}
    }

    PolicyHook(
            @Value("${berth.policy.url}") String url,
            @Value("${berth.policy.on-failure}") OnFailure onFailure,
            Desks desks,
            JsonMapper mapper,
            MeterRegistry registry) {
        this.url = Optional.of(url.strip()).filter(given -> !given.isEmpty()).map(URI::create);
        this.onFailure = onFailure;
        this.desks = desks;
        this.mapper = mapper;
        this.allowed = counter("allowed", registry);
        this.denied = counter("denied", registry);
        this.failed = counter("failed", registry);
    }

    /**
     * What the program is asked.
     *
     * @param kind what is asked for
     * @param account who asks
     * @param project what it is filed under
     * @param cluster where, if that was said
     * @param terms what is asked for
     * @param price what it would cost now; null where no cluster of this Berth was named, or nothing fits now
     */
    private record Question(
            Kind kind,
            String account,
            @Nullable String project,
            @Nullable String cluster,
            TermsBody terms,
            @Nullable MoneyBody price) {}

    /** @throws Problem if it is not allowed, or where that cannot be told and must be */
    void check(Kind kind, Account account, Origin origin, Optional<ClusterId> cluster, RequestedTerms terms) {
        if (url.isEmpty()) {
            return;
        }
        var price = cluster.flatMap(id -> price(account, id, terms));
        var question = new Question(
                kind,
                account.name().value(),
                Texts.orNull(origin.project()),
                Texts.orNull(cluster.map(ClusterId::value)),
                TermsBody.of(terms),
                Texts.orNull(price.map(MoneyBody::of)));
        switch (asked(url.get(), question)) {
            case Heard.Allowed() -> allowed.increment();
            case Heard.Denied(var reason) -> {
                denied.increment();
                throw new Problem(ProblemCode.FORBIDDEN, "The site's policy does not allow this: " + reason);
            }
            case Heard.Nothing(var why) -> {
                failed.increment();
                log.warn("The policy at {} gave no answer: {}", url.get(), why);
                if (onFailure == OnFailure.CLOSED) {
                    throw new Problem(
                            ProblemCode.UNAVAILABLE,
                            "The site's policy cannot be asked at the moment; nothing has been decided. Try again later.");
                }
            }
        }
    }

    private static Counter counter(String outcome, MeterRegistry registry) {
        return Counter.builder("berth.policy.asked")
                .description(
                        "How often Berth has asked the site's policy, by outcome. failed: it gave no usable answer.")
                .tag("outcome", outcome)
                .register(registry);
    }

    private Optional<Money> price(Account account, ClusterId cluster, RequestedTerms terms) {
        try {
            return desks.outlook(cluster)
                    .flatMap(outlook -> desks.ask(account.name(), new Probe(terms, account.serviceClass(), 1), outlook)
                                    instanceof Probe.Answer.Offers(var offers, var _)
                            ? offers.stream().findFirst().map(Probe.Offer::price)
                            : Optional.empty());
        } catch (SideDesk.Overloaded | SideDesk.Unanswered e) {
            return Optional.empty();
        }
    }

    private Heard asked(URI where, Question question) {
        var request = HttpRequest.newBuilder(where)
                .timeout(PATIENCE)
                .header("Content-Type", "application/json")
                .header("Accept", "application/json")
                .POST(BodyPublishers.ofByteArray(mapper.writeValueAsBytes(question)))
                .build();
        try {
            var response = client.send(request, BodyHandlers.ofInputStream());
            try (var body = response.body()) {
                return response.statusCode() == 200
                        ? heard(mapper.readTree(body.readNBytes(MAX_ANSWER_LENGTH)))
                        : new Heard.Nothing("status " + response.statusCode());
            }
        } catch (IOException | JacksonException e) {
            return new Heard.Nothing(e.toString());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return new Heard.Nothing("interrupted");
        }
    }

    private static Heard heard(JsonNode answer) {
        var allow = answer.path("allow");
        if (!allow.isBoolean()) {
            return new Heard.Nothing("no \"allow\" that is true or false");
        }
        var reason = answer.path("reason").asString("no reason was given").replaceAll("\\p{Cntrl}", " ");
        return allow.booleanValue()
                ? new Heard.Allowed()
                : new Heard.Denied(reason.substring(0, Math.min(MAX_REASON_LENGTH, reason.length())));
    }
}
