package berth.booking.policy;

import berth.booking.terms.TermsBody;
import berth.engine.AdmissionControl;
import berth.engine.Desks;
import berth.http.MoneyBody;
import berth.http.Texts;
import berth.outcome.Outcome;
import berth.reservation.ClusterId;
import berth.runtime.Gate;
import berth.runtime.OnFirstUse;
import berth.scheduling.places.Preference;
import berth.scheduling.places.Probe;
import berth.sla.AccountName;
import berth.sla.Customer;
import berth.sla.Excerpt;
import berth.sla.Money;
import berth.sla.RequestedTerms;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.stereotype.Component;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * Asks an external program of the operator, if the settings name one, whether an account may make a request. The program can apply rules
 * about users that Berth does not know. It receives the request and its current price.
 */
@Component
public class PolicyHook {

    private static final Logger log = LoggerFactory.getLogger(PolicyHook.class);

    private static final Duration PATIENCE = Duration.ofSeconds(2);
    /** The most questions that the program has to answer at a time. */
    static final int MAX_UNDER_WAY = 32;

    private static final int MAX_REASON_LENGTH = 500;
    private static final int MAX_ANSWER_LENGTH = 16_000;

    private final Optional<URI> url;
    private final OnFailure onFailure;
    private final Desks desks;
    private final AdmissionControl admission;
    private final JsonMapper mapper;
    private final Semaphore underWay = new Semaphore(MAX_UNDER_WAY, true);
    private final Counter allowed;
    private final Counter asked;
    private final Counter denied;
    private final Counter failed;
    private final OnFirstUse<HttpClient> client = new OnFirstUse<>(() -> HttpClient.newBuilder()
            .connectTimeout(PATIENCE)
            .followRedirects(HttpClient.Redirect.NEVER)
            .build());

    /** What happens if the program does not respond in time, or if its response cannot be read. */
    enum OnFailure {
        /** The request is allowed. */
        OPEN,
        /** The request is not decided: the client gets 503, and may repeat it. */
        CLOSED
    }

    /** The kinds of requests. */
    public enum Kind {
        RESERVE,
        RENEGOTIATE,
        COALLOCATE,
        SERIES
    }

    /** Whether a request may go on, or why not. */
    public sealed interface Verdict {
        record Allowed() implements Verdict {}

        /** The program allows the request if a person approves it. */
        record Asks(String reason) implements Verdict {}

        /** The program denied the request. */
        record Denied(String reason) implements Verdict {}

        /** The program gave no usable answer, and Berth decides nothing without one. */
        record Unanswered(String why) implements Verdict {}

        /** Berth did not ask, because the program is busy with other requests. */
        record Busy() implements Verdict {}
    }

    PolicyHook(
            @Value("${berth.policy.url}") String url,
            @Value("${berth.policy.on-failure}") OnFailure onFailure,
            Desks desks,
            AdmissionControl admission,
            JsonMapper mapper,
            MeterRegistry registry) {
        this.url = Optional.of(url.strip()).filter(given -> !given.isEmpty()).map(URI::create);
        this.onFailure = onFailure;
        this.desks = desks;
        this.admission = admission;
        this.mapper = mapper;
        this.allowed = counter("allowed", registry);
        this.asked = counter("approval", registry);
        this.denied = counter("denied", registry);
        this.failed = counter("failed", registry);
    }

    /**
     * The request body that the program receives.
     *
     * @param kind the kind of request
     * @param account the account that has or gets the reservation
     * @param by the account that sent the request
     * @param project the project that the request is filed under
     * @param cluster the cluster, if the request names one
     * @param terms the requested terms
     * @param price the current price; null if the request names no cluster of this Berth, or if nothing fits now
     */
    private record Question(
            Kind kind,
            String account,
            String by,
            @Nullable String project,
            @Nullable String cluster,
            TermsBody terms,
            @Nullable MoneyBody price) {}

    /**
     * Asks the program whether a request is allowed. Without a program every request is.
     *
     * @param customer the account that has or gets the reservation
     * @param by the account that sent the request
     * @param project the project that the request is filed under
     * @param cluster the cluster, if the request names one
     */
    public Verdict ask(
            Kind kind,
            Customer customer,
            AccountName by,
            Optional<String> project,
            Optional<ClusterId> cluster,
            RequestedTerms terms) {
        if (url.isEmpty()) {
            return new Verdict.Allowed();
        }
        if (!isAdmitted()) {
            return new Verdict.Busy();
        }
        try {
            var price = cluster.flatMap(id -> price(customer, id, terms));
            var question = new Question(
                    kind,
                    customer.name().value(),
                    by.value(),
                    Texts.orNull(project),
                    Texts.orNull(cluster.map(ClusterId::value)),
                    TermsBody.of(terms),
                    Texts.orNull(price.map(MoneyBody::of)));
            return counted(url.get(), ask(url.get(), question));
        } finally {
            underWay.release();
        }
    }

    private boolean isAdmitted() {
        try {
            return underWay.tryAcquire(PATIENCE.toMillis(), TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    /** Counts an answer of the program, and returns what follows from it. */
    private Verdict counted(URI where, Verdict answer) {
        switch (answer) {
            case Verdict.Allowed() -> allowed.increment();
            case Verdict.Asks(var _) -> asked.increment();
            case Verdict.Denied(var _) -> denied.increment();
            case Verdict.Unanswered(var why) -> {
                failed.increment();
                log.warn("The policy at {} returned no usable answer: {}", where, why);
                if (onFailure == OnFailure.OPEN) {
                    return new Verdict.Allowed();
                }
            }
            case Verdict.Busy() -> {}
        }
        return answer;
    }

    private static Counter counter(String outcome, MeterRegistry registry) {
        return Counter.builder("berth.policy.asked")
                .description(
                        "How often Berth has asked the site's policy, by outcome. approval: it allows the request if a person approves it. failed: it gave no usable answer.")
                .tag("outcome", outcome)
                .register(registry);
    }

    private Optional<Money> price(Customer customer, ClusterId cluster, RequestedTerms terms) {
        try {
            return desks.outlook(cluster)
                    .flatMap(outlook -> admission.offers(
                                            customer.name(),
                                            new Probe(terms, customer, Preference.EARLIEST_START, 2),
                                            outlook)
                                    instanceof Outcome.Done(Probe.Offers(var offers, var _))
                            ? offers.stream()
                                    .filter(Probe.Offer::chosen)
                                    .findFirst()
                                    .map(Probe.Offer::price)
                            : Optional.empty());
        } catch (Gate.Overloaded | Gate.Unanswered e) {
            return Optional.empty();
        }
    }

    private Verdict ask(URI where, Question question) {
        var request = HttpRequest.newBuilder(where)
                .header("Content-Type", "application/json")
                .header("Accept", "application/json")
                .POST(BodyPublishers.ofByteArray(mapper.writeValueAsBytes(question)))
                .build();
        var answer =
                client.get().sendAsync(request, BodyHandlers.limiting(BodyHandlers.ofByteArray(), MAX_ANSWER_LENGTH));
        try {
            // the request's own timeout ends with the head of the response
            var response = answer.get(PATIENCE.toMillis(), TimeUnit.MILLISECONDS);
            return response.statusCode() == 200
                    ? verdict(mapper.readTree(response.body()))
                    : new Verdict.Unanswered("status " + response.statusCode());
        } catch (ExecutionException e) {
            return new Verdict.Unanswered(String.valueOf(e.getCause()));
        } catch (JacksonException e) {
            return new Verdict.Unanswered(e.toString());
        } catch (TimeoutException e) {
            return new Verdict.Unanswered("no complete answer within %d s".formatted(PATIENCE.toSeconds()));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return new Verdict.Unanswered("interrupted");
        } finally {
            answer.cancel(true);
        }
    }

    private static Verdict verdict(JsonNode answer) {
        var allow = answer.path("allow");
        boolean asks = allow.isString() && allow.asString().equals("ask");
        if (!allow.isBoolean() && !asks) {
            return new Verdict.Unanswered("its \"allow\" is not true, false or \"ask\"");
        }
        var reason = answer.path("reason").asString("no reason given").replaceAll("\\p{Cc}", " ");
        var shown = Excerpt.of(reason, MAX_REASON_LENGTH);
        return asks
                ? new Verdict.Asks(shown)
                : allow.booleanValue() ? new Verdict.Allowed() : new Verdict.Denied(shown);
    }
}
