package berth.webhook;

import berth.desk.Records.RecordedEvent;
import berth.reservation.ClusterId;
import berth.webhook.WebhookStore.Place;
import berth.webhook.WebhookStore.Position;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.OptionalLong;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * What one webhook has still to hear of one cluster, one message after the other. Guarded by the {@link Deliveries} that it belongs to.
 */
final class Lane {

    /** The most events that wait in memory; the rest is read where it is recorded. */
    private static final int MAX_WAITING = 64;

    /** Milliseconds after which the clock is looked at again, which may have been set. */
    private static final long LOOK = 1_000;

    final UUID webhook;
    final ClusterId cluster;
    final ArrayDeque<RecordedEvent> waiting = new ArrayDeque<>();

    /** All up to this sequence has arrived, or is not for it. */
    long delivered;

    /** All up to this sequence waits in memory, or needs not. */
    long upTo;

    /** Whether there may be more beyond that was not offered, or not taken. */
    boolean isBehind;

    int failures;

    /** When the next message is sent, milliseconds since the epoch; 0: at once. */
    volatile long nextAt;

    /** When what it tells at present happened, seconds since the epoch; 0: it tells nothing. */
    long headAt;

    /** Who tells it; null: nobody, there is nothing to tell. */
    @Nullable
    Thread thread;

    /** Raised where it is sent back: what is under way then counts no more. */
    volatile int turn;

    /** As it was noted last; null: not at all. */
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

    /** Something more for it has happened. */
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

    /** The next message has arrived, or is not for it any more. */
    void told(long sequence) {
        delivered = sequence;
        failures = 0;
        nextAt = 0;
    }

    /** Nothing waits in memory any more: it is read again when its time comes. */
    void forget() {
        waiting.clear();
        upTo = delivered;
        isBehind = true;
    }

    /** Begins again behind a sequence, at once. */
    void goBackTo(long sequence) {
        delivered = sequence;
        failures = 0;
        nextAt = 0;
        forget();
        leave();
    }

    /** What is under way counts no more, and is not waited for. */
    synchronized void leave() {
        turn++;
        notifyAll();
    }

    /** Waits until the next message is due, or its turn is over. */
    synchronized void await(int present, InstantSource clock) throws InterruptedException {
        for (long pause = nextAt - clock.millis(); pause > 0 && turn == present; pause = nextAt - clock.millis()) {
            wait(Math.min(pause, LOOK));
        }
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
