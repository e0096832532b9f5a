package berth.webhooks;

import berth.engine.Records.RecordedEvent;
import berth.reservation.ClusterId;
import berth.webhooks.WebhookStore.Place;
import berth.webhooks.WebhookStore.Position;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.OptionalLong;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** The messages of one webhook about one cluster, sent one after another. Guarded by its {@link Deliveries}. */
final class Lane {

    /** The most events to keep in memory; others are read from the database. */
    private static final int MAX_WAITING = 64;

    /** The longest wait before the clock is read again, in milliseconds. An operator may have set it meanwhile. */
    private static final long LOOK = 1_000;

    final UUID webhook;
    final ClusterId cluster;
    final ArrayDeque<RecordedEvent> waiting = new ArrayDeque<>();

    /** The sequence up to which everything has arrived or does not concern the webhook. */
    long delivered;

    /** The sequence up to which everything has arrived, waits in memory or does not concern the webhook. */
    long upTo;

    /** The sequence up to which the last redelivery repeats events; 0 if there was none. */
    long repeatedUpTo;

    /** Whether there may be later events that were not offered or not taken. */
    boolean isBehind;

    int failures;

    /** When the next message is sent, in milliseconds since the epoch; 0 means at once. */
    volatile long nextAt;

    /** When the event that is being sent happened, in seconds since the epoch; 0 if none is. */
    long headAt;

    /** The thread that sends the messages; null if there is nothing to send. */
    @Nullable
    Thread thread;

    /** Rises when the lane goes back; a message in progress is then ignored. */
    volatile int turn;

    /** The last recorded position; null if there is none. */
    @Nullable
    Position noted;

    Lane(UUID webhook, ClusterId cluster, long delivered) {
        this.webhook = webhook;
        this.cluster = cluster;
        this.delivered = delivered;
        this.upTo = delivered;
    }

    static Lane of(Position noted) {
        var lane = new Lane(noted.webhook(), noted.cluster(), noted.delivered());
        lane.isBehind = true;
        lane.failures = noted.failures();
        lane.nextAt = noted.nextAt().orElse(0);
        lane.noted = noted;
        return lane;
    }

    /** Offers a new event for the webhook. */
    void offer(RecordedEvent event) {
        if (isBehind || event.sequence() <= upTo) {
            return;
        }
        if (waiting.size() >= MAX_WAITING) {
            isBehind = true;
            return;
        }
        waiting.add(event);
        upTo = event.sequence();
    }

    /** Notes that the next message has arrived or no longer concerns the webhook. */
    void told(long sequence) {
        delivered = sequence;
        failures = 0;
        nextAt = 0;
    }

    /** Removes all events from memory; they are read again when their time comes. */
    void forget() {
        waiting.clear();
        upTo = delivered;
        isBehind = true;
    }

    /** Starts again after a sequence, at once. */
    void goBackTo(long sequence) {
        delivered = sequence;
        failures = 0;
        nextAt = 0;
        forget();
        leave();
    }

    /** Ignores the message in progress and does not wait for it. */
    synchronized void leave() {
        turn++;
        notifyAll();
    }

    /** Waits until the next message is due or its turn is over. */
    synchronized void await(int present, InstantSource clock) throws InterruptedException {
        for (long pause = nextAt - clock.millis(); pause > 0 && turn == present; pause = nextAt - clock.millis()) {
            wait(Math.min(pause, LOOK));
        }
    }

    /** Returns whether events of the last redelivery are still to be sent, now or in a retry. */
    boolean isRepeating() {
        return thread != null && delivered < repeatedUpTo;
    }

    boolean isIdle() {
        return thread == null && !isBehind && waiting.isEmpty();
    }

    Position position() {
        return new Position(
                webhook, cluster, delivered, failures, nextAt == 0 ? OptionalLong.empty() : OptionalLong.of(nextAt));
    }

    Place place() {
        return new Place(webhook, cluster);
    }
}
