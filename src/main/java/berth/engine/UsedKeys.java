package berth.engine;

import berth.sla.AccountName;
import com.carrotsearch.hppc.LongHashSet;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.Deque;

/**
 * Remembers which idempotency keys may have been used while keys are valid, so that a new key needs no read from the database. In doubt it
 * reports a key as used. A key takes about 20 bytes. Beyond {@value #MAX} keys it forgets the oldest and then reports all keys as used
 * until those would have expired. Thread-safe.
 */
final class UsedKeys {

    /** The most keys to remember. */
    static final int MAX = 2_000_000;

    private static final long HOUR = Duration.ofHours(1).toSeconds();

    /** The keys of one hour. */
    private record Hour(long number, LongHashSet hashes) {}

    private final InstantSource clock;
    private final int most;

    /** Newest first. */
    private final Deque<Hour> hours = new ArrayDeque<>();

    private int size;

    /** The time until which a key may have been used that is not remembered, in seconds since the epoch. */
    private long incompleteUntil = Long.MAX_VALUE;

    /** Whether keys were forgotten since {@link #complete} was last called. */
    private boolean isCutShort;

    /**
     * Creates an empty memory.
     *
     * @param most the most keys to remember
     */
    UsedKeys(InstantSource clock, int most) {
        this.clock = clock;
        this.most = most;
    }

    private long now() {
        return clock.instant().getEpochSecond();
    }

    /** Remembers a key that is about to be used or was used. */
    synchronized void note(AccountName account, String key) {
        long hour = now() / HOUR;
        var newest = hours.peekFirst();
        if (newest == null || hour > newest.number) {
            forgetBefore(hour - Keys.LIFE.toHours() - 1);
            newest = new Hour(hour, new LongHashSet());
            hours.addFirst(newest);
        }
        size += newest.hashes.add(hash(account, key)) ? 1 : 0;
        while (size > most) {
            var oldest = hours.removeLast();
            size -= oldest.hashes.size();
            isCutShort = true;
            if (incompleteUntil != Long.MAX_VALUE) {
                incompleteUntil = Math.max(incompleteUntil, (oldest.number + 1) * HOUR + Keys.LIFE.toSeconds());
            }
        }
    }

    private void forgetBefore(long hour) {
        while (!hours.isEmpty() && hours.getLast().number < hour) {
            size -= hours.removeLast().hashes.size();
        }
    }

    /** Notes that all keys used before are now remembered, unless there were too many. */
    synchronized void complete() {
        incompleteUntil = isCutShort ? now() + HOUR + Keys.LIFE.toSeconds() : 0;
        isCutShort = false;
    }

    /** Whether a key may have been used; false only if it certainly was not. */
    synchronized boolean mayHave(AccountName account, String key) {
        long now = now();
        boolean isSure = now >= incompleteUntil && (hours.isEmpty() || hours.getFirst().number <= now / HOUR);
        long hash = hash(account, key);
        return !isSure || hours.stream().anyMatch(hour -> hour.hashes.contains(hash));
    }

    synchronized int size() {
        return size;
    }

    /** Returns the 64-bit FNV-1a hash. Two keys with the same hash only cost a read from the database. */
    private static long hash(AccountName account, String key) {
        long hash = 0xcbf29ce484222325L;
        var both = account.value() + '\n' + key;
        for (int i = 0; i < both.length(); i++) {
            hash = (hash ^ both.charAt(i)) * 0x100000001b3L;
        }
        return hash;
    }
}
