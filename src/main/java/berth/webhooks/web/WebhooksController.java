package berth.webhooks.web;

import static berth.http.ProblemCode.INVALID_TERMS;
import static berth.http.ProblemCode.LIMIT_EXCEEDED;

import berth.accounts.Account;
import berth.accounts.Role;
import berth.events.EventCursor;
import berth.http.EntityTag;
import berth.http.MergePatch;
import berth.http.Page;
import berth.http.Patches;
import berth.http.Problem;
import berth.http.ProblemHandler;
import berth.http.Refuses;
import berth.http.Texts;
import berth.webhooks.Attempt;
import berth.webhooks.Deliveries;
import berth.webhooks.Webhook;
import berth.webhooks.Webhook.State;
import berth.webhooks.Webhooks;
import com.fasterxml.jackson.annotation.JsonUnwrapped;
import io.swagger.v3.oas.annotations.media.Schema;
import java.net.URI;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatus;
import org.springframework.http.ResponseEntity;
import org.springframework.security.core.annotation.AuthenticationPrincipal;
import org.springframework.web.bind.annotation.DeleteMapping;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PatchMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestHeader;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestController;
import tools.jackson.databind.JsonNode;

/** Webhooks: Berth calls a URL when an event happens. A client gets the events that it may read, an administrator all. */
@RestController
@RequestMapping("/api/v1/webhooks")
class WebhooksController {

    private final Webhooks webhooks;
    private final Deliveries deliveries;
    private final MergePatch patches;

    WebhooksController(Webhooks webhooks, Deliveries deliveries, MergePatch patches) {
        this.webhooks = webhooks;
        this.deliveries = deliveries;
        this.patches = patches;
    }

    /**
     * A webhook.
     *
     * @param id identifies the webhook in calls
     * @param owner the account that owns it
     * @param url the URL of the receiver
     * @param types the types of events to send; all, if empty
     * @param leads how long ahead Berth announces starts and ends
     * @param format how much a message contains
     * @param project the only project whose events Berth sends; null for all events that the owner may read
     * @param createdAt when it was created
     */
    @Schema(name = "WebhookState")
    record WebhookStateBody(
            UUID id,
            String owner,
            String url,
            List<@Nullable String> types,
            List<@Nullable String> leads,
            Webhook.MessageFormat format,
            @Nullable String project,
            @JsonUnwrapped EnabledBody enabled,
            Instant createdAt) {

        static WebhookStateBody of(Webhook webhook) {
            return new WebhookStateBody(
                    webhook.id(),
                    webhook.owner().value(),
                    webhook.wish().url().toString(),
                    WebhookBody.types(webhook.wish()),
                    WebhookBody.leads(webhook.wish()),
                    webhook.wish().format(),
                    Texts.orNull(webhook.wish().project()),
                    EnabledBody.of(webhook.state()),
                    Instant.ofEpochSecond(webhook.createdAt()));
        }
    }

    /**
     * Whether Berth sends the messages of a webhook.
     *
     * @param enabled whether Berth sends messages
     * @param disabledAt since when Berth sends no messages; null while it does
     * @param disabledFor why Berth sends no messages; null while it does
     */
    record EnabledBody(boolean enabled, @Nullable Instant disabledAt, Webhook.@Nullable DisabledFor disabledFor) {

        private static EnabledBody of(State state) {
            return switch (state) {
                case State.Enabled _ -> new EnabledBody(true, null, null);
                case State.Disabled(var why, long at) -> new EnabledBody(false, Instant.ofEpochSecond(at), why);
            };
        }
    }

    /**
     * A webhook with its new secret.
     *
     * @param secret the secret with which Berth signs its messages; this response is the only one that shows it
     */
    @Schema(name = "WebhookSecret")
    record WebhookSecretBody(@JsonUnwrapped WebhookStateBody webhook, String secret) {}

    /**
     * One attempt to deliver a message.
     *
     * @param message the id of the message
     * @param at when Berth sent it
     * @param delivered whether the receiver accepted it
     * @param answered the status that the receiver returned; null if it returned none
     * @param error why the attempt failed; null if it succeeded
     * @param milliseconds how long the attempt took
     */
    @Schema(name = "Attempt")
    record AttemptBody(
            String message,
            Instant at,
            boolean delivered,
            @Nullable Integer answered,
            @Nullable String error,
            long milliseconds) {

        static AttemptBody of(Attempt attempt) {
            return new AttemptBody(
                    attempt.message(),
                    Instant.ofEpochMilli(attempt.at()),
                    attempt.hasArrived(),
                    attempt.status().isPresent() ? attempt.status().getAsInt() : null,
                    attempt.hasArrived() ? null : attempt.error(),
                    attempt.millis());
        }
    }

    /**
     * The latest attempts to deliver messages.
     *
     * @param items the attempts, newest first
     */
    @Schema(name = "Attempts")
    record AttemptsBody(List<AttemptBody> items) {}

    /** Creates a webhook. It gets events from now on. The response has the secret of the webhook, which no other response shows. */
    @PostMapping
    @ResponseStatus(HttpStatus.CREATED)
    @Refuses({INVALID_TERMS, LIMIT_EXCEEDED})
    ResponseEntity<WebhookSecretBody> createWebhook(
            @RequestBody WebhookBody body, @AuthenticationPrincipal Account account) {
        var wish = body.toWish(deliveries::objection);
        if (!body.isEnabled()) {
            throw Problem.field(INVALID_TERMS, "enabled", false, "must be true or left out for a new webhook");
        }
        var webhook = Problem.done(deliveries.create(account.name(), wish));
        return secret(ResponseEntity.created(URI.create("/api/v1/webhooks/" + webhook.id())), webhook);
    }

    /** Lists webhooks, newest first: a client's own, or for an administrator all. */
    @GetMapping
    Page<WebhookStateBody> listWebhooks(
            @RequestParam @Nullable String limit,
            @RequestParam @Nullable String after,
            @AuthenticationPrincipal Account account) {
        int most = Page.limit(limit);
        var all = webhooks.list(Optional.of(account.name()).filter(_ -> account.role() != Role.ADMIN));
        var last = Optional.ofNullable(after)
                .map(id -> all.stream()
                        .filter(webhook -> webhook.id().toString().equals(id))
                        .findFirst()
                        .orElseThrow(() -> Page.badCursor(id)));
        int first = last.map(all::indexOf).orElse(-1) + 1;
        var found = all.subList(first, Math.min(all.size(), first + most + 1));
        return Page.of(
                found, most, WebhookStateBody::of, webhook -> webhook.id().toString());
    }

    /** Reads a webhook. */
    @GetMapping("/{id}")
    ResponseEntity<WebhookStateBody> readWebhook(@PathVariable String id, @AuthenticationPrincipal Account account) {
        return answer(find(id, account));
    }

    /**
     * Changes a webhook by a merge patch. Berth sends undelivered messages again at once. A webhook that is enabled again first gets the
     * events since it was disabled.
     */
    @PatchMapping("/{id}")
    @Refuses({INVALID_TERMS, LIMIT_EXCEEDED})
    ResponseEntity<WebhookStateBody> changeWebhook(
            @PathVariable String id,
            @RequestBody @Patches(WebhookBody.class) JsonNode patch,
            @RequestHeader(name = HttpHeaders.IF_MATCH, required = false) @Nullable String ifMatch,
            @AuthenticationPrincipal Account account) {
        var expected = EntityTag.expected(ifMatch);
        var webhook = find(id, account);
        var body = patches.apply(patch, WebhookBody.of(webhook), WebhookBody.class);
        var wish = body.toWish(deliveries::objection);
        return answer(Problem.done(deliveries.change(
                webhook.id(),
                version -> version == webhook.version() && expected.includes(version),
                wish,
                body.isEnabled())));
    }

    /** Deletes a webhook. A message that is being sent may still arrive. */
    @DeleteMapping("/{id}")
    @ResponseStatus(HttpStatus.NO_CONTENT)
    void deleteWebhook(
            @PathVariable String id,
            @RequestHeader(name = HttpHeaders.IF_MATCH, required = false) @Nullable String ifMatch,
            @AuthenticationPrincipal Account account) {
        var expected = EntityTag.expected(ifMatch);
        var unused = Problem.done(deliveries.delete(find(id, account).id(), expected::includes));
    }

    /** Gives a webhook a new secret, which only this response shows. For 24 hours Berth also signs messages with the old secret. */
    @PostMapping("/{id}/secret")
    ResponseEntity<WebhookSecretBody> replaceSecret(
            @PathVariable String id,
            @RequestHeader(name = HttpHeaders.IF_MATCH, required = false) @Nullable String ifMatch,
            @AuthenticationPrincipal Account account) {
        var expected = EntityTag.expected(ifMatch);
        return secret(
                ResponseEntity.ok(),
                Problem.done(webhooks.rotate(find(id, account).id(), expected::includes)));
    }

    /** Sends one message of the type {@code test}, and returns the result. */
    @PostMapping("/{id}/test")
    AttemptBody testWebhook(@PathVariable String id, @AuthenticationPrincipal Account account) {
        return AttemptBody.of(deliveries.test(find(id, account)));
    }

    /**
     * Sends past events to a webhook again, as far as Berth still keeps them, under the same message ids. New events wait until these have
     * been delivered. While the webhook receives the events of one redelivery, Berth refuses another with 429.
     *
     * @param after the {@code next} of a list of all events: Berth sends the events after it; all events, if left out
     */
    @PostMapping("/{id}/redeliver")
    @ResponseStatus(HttpStatus.ACCEPTED)
    WebhookStateBody redeliverEvents(
            @PathVariable String id, @RequestParam @Nullable String after, @AuthenticationPrincipal Account account) {
        var cursor = EventCursor.parse(after);
        var webhook = find(id, account);
        if (!deliveries.redeliver(webhook.id(), cursor.positions())) {
            throw ProblemHandler.tooMany(
                    "The webhook still receives the events of an earlier redelivery. Wait until it has received them.");
        }
        return WebhookStateBody.of(webhook);
    }

    /** Lists the latest attempts of the active instance to deliver messages, newest first, at most 20. */
    @GetMapping("/{id}/attempts")
    AttemptsBody listAttempts(@PathVariable String id, @AuthenticationPrincipal Account account) {
        return new AttemptsBody(deliveries.attempts(find(id, account).id()).stream()
                .map(AttemptBody::of)
                .toList());
    }

    private Webhook find(String id, Account account) {
        return Texts.uuid(id)
                .flatMap(webhooks::find)
                .filter(webhook -> account.mayAccess(webhook.owner()))
                .orElseThrow(() -> Problem.notFound("webhook", id));
    }

    private static ResponseEntity<WebhookStateBody> answer(Webhook webhook) {
        var body = WebhookStateBody.of(webhook);
        return ResponseEntity.ok().eTag(EntityTag.of(webhook.version(), body)).body(body);
    }

    private static ResponseEntity<WebhookSecretBody> secret(ResponseEntity.BodyBuilder answer, Webhook webhook) {
        var body = WebhookStateBody.of(webhook);
        return answer.eTag(EntityTag.of(webhook.version(), body))
                .body(new WebhookSecretBody(body, webhook.secrets().present().orElseThrow()));
    }
}
