package berth.webhooks;

import berth.engine.Records.RecordedEvent;
import berth.sla.AccountName;
import berth.webhooks.Payloads.Payload;
import berth.webhooks.Webhook.Former;
import java.net.URI;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;

/**
 * Writes, signs and sends messages once, within the limits on concurrent messages, and remembers the last results of each webhook while
 * this process lives.
 */
final class Messenger {

    static final int MAX_ATTEMPTS = 20;

    private static final int GONE = 410;

    private final Sender sender;
    private final Payloads payloads;
    private final InstantSource clock;
    private final ConcurrencyLimits most;
    private final Semaphore permits;
    private final Map<AccountName, Semaphore> permitsOfAccounts = new ConcurrentHashMap<>();
    private final Map<UUID, Deque<Attempt>> attempts = new ConcurrentHashMap<>();

    Messenger(Sender sender, Payloads payloads, InstantSource clock, ConcurrencyLimits most) {
        this.sender = sender;
        this.payloads = payloads;
        this.clock = clock;
        this.most = most;
        this.permits = new Semaphore(most.inAll(), true);
    }

    /** The result of a message. */
    sealed interface Sent {
        record Arrived() implements Sent {}

        /** The receiver wants no more messages. */
        record Gone() implements Sent {}

        /**
         * The message failed.
         *
         * @param retryAfter how long the receiver asked to wait
         */
        record Failed(Optional<Duration> retryAfter) implements Sent {}
    }

    private record Sending(Attempt attempt, Optional<Duration> retryAfter) {}

    /** Sends an event once the limits on concurrent messages allow it. */
    Sent send(Webhook webhook, RecordedEvent event) throws InterruptedException {
        var id = "evt_%s_%d".formatted(event.cluster(), event.sequence());
        var payload = payloads.of(id, event, webhook.wish().format());
        var own = permitsOf(webhook.owner());
        own.acquire();
        try {
            permits.acquire();
            try {
                return sent(send(webhook, id, payload));
            } finally {
                permits.release();
            }
        } finally {
            own.release();
        }
    }

    private static Sent sent(Sending sending) {
        if (sending.attempt().hasArrived()) {
            return new Sent.Arrived();
        }
        return sending.attempt().status().equals(OptionalInt.of(GONE))
                ? new Sent.Gone()
                : new Sent.Failed(sending.retryAfter());
    }

    /** Sends a test message, unless the account has too many messages in progress. */
    Attempt test(Webhook webhook) {
        var id = "test_" + UUID.randomUUID();
        var own = permitsOf(webhook.owner());
        if (!own.tryAcquire()) {
            var why = "too many messages to the account's webhooks are on their way; try again later";
            return new Attempt(id, clock.millis(), OptionalInt.empty(), why, 0);
        }
        try {
            return send(webhook, id, payloads.test(id, clock.instant())).attempt();
        } finally {
            own.release();
        }
    }

    private Semaphore permitsOf(AccountName owner) {
        return permitsOfAccounts.computeIfAbsent(owner, _ -> new Semaphore(most.perAccount(), true));
    }

    private Sending send(Webhook webhook, String id, Payload payload) {
        long at = clock.millis();
        long began = System.nanoTime();
        var reply = webhook.secrets().present().isEmpty()
                ? new Sender.Reply.Silent("its secret cannot be read; give it a new one")
                : sender.send(webhook.wish().url(), headers(webhook, id, at / 1000, payload.body()), payload);
        long millis = (System.nanoTime() - began) / 1_000_000;
        var sending = switch (reply) {
            case Sender.Reply.Answered(int status, var retryAfter) ->
                new Sending(
                        new Attempt(
                                id,
                                at,
                                OptionalInt.of(status),
                                status >= 200 && status < 300 ? "" : "answered with status %d".formatted(status),
                                millis),
                        retryAfter);
            case Sender.Reply.Silent(var why) ->
                new Sending(new Attempt(id, at, OptionalInt.empty(), why, millis), Optional.empty());
        };
        note(webhook.id(), sending.attempt());
        return sending;
    }

    private static Map<String, String> headers(Webhook webhook, String id, long timestamp, byte[] body) {
        var secrets = new ArrayList<String>();
        webhook.secrets().present().ifPresent(secrets::add);
        webhook.secrets()
                .before()
                .filter(former -> timestamp < former.until())
                .map(Former::secret)
                .ifPresent(secrets::add);
        return Map.of(
                "webhook-id", id,
                "webhook-timestamp", Long.toString(timestamp),
                "webhook-signature", Signature.of(secrets, id, timestamp, body));
    }

    private void note(UUID webhook, Attempt attempt) {
        var last = attempts.computeIfAbsent(webhook, _ -> new ArrayDeque<>());
        synchronized (last) {
            last.addFirst(attempt);
            if (last.size() > MAX_ATTEMPTS) {
                last.removeLast();
            }
        }
    }

    List<Attempt> attempts(UUID webhook) {
        var last = attempts.getOrDefault(webhook, new ArrayDeque<>());
        synchronized (last) {
            return List.copyOf(last);
        }
    }

    void forget(UUID webhook) {
        attempts.remove(webhook);
    }

    /** Returns why a URL cannot receive messages; empty if it can. */
    Optional<String> objection(URI url) {
        return sender.objection(url);
    }
}
