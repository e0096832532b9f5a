package berth.desk;

import berth.sla.AccountName;
import com.carrotsearch.hppc.LongHashSet;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.Deque;

/**
 * Knows which idempotency keys may have been used as long as keys count, so that nothing recorded need be read for a new one.
 * What it does not know for sure it calls used. A key takes about 20 bytes; of more than {@value #MAX} the oldest are given up,
 * and all keys count as used until those would not count any more. Safe to use from any thread.
 */
final class UsedKeys {

    /** The most to keep in mind. */
    static final int MAX = 2_000_000;

    private static final long HOUR = Duration.ofHours(1).toSeconds();

    /** Those that were noted within an hour. */
    private record Hour(long number, LongHashSet hashes) {}

    private final InstantSource clock;
    private final int most;

    /** The newest first. */
    private final Deque<Hour> hours = new ArrayDeque<>();

    private int size;

    /** Seconds since the epoch until when a key may have been used that is not in mind. */
    private long incompleteUntil = Long.MAX_VALUE;

    /** Whether some were given up since it was last said that all are in mind. */
    private boolean isCutShort;

    /** @param most to keep in mind */
    UsedKeys(InstantSource clock, int most) {
        this.clock = clock;
        this.most = most;
    }

    private long now() {
        return clock.instant().getEpochSecond();
    }

    /** Keeps a key in mind that is about to be used, or was. */
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

    /** From now on all are in mind that were used before, unless they are too many. */
    synchronized void complete() {
        incompleteUntil = isCutShort ? now() + HOUR + Keys.LIFE.toSeconds() : 0;
        isCutShort = false;
    }

    /** Whether a key may have been used; false only if it has not. */
    synchronized boolean mayHave(AccountName account, String key) {
        long now = now();
        boolean isSure = now >= incompleteUntil && (hours.isEmpty() || hours.getFirst().number <= now / HOUR);
        long hash = hash(account, key);
        return !isSure || hours.stream().anyMatch(hour -> hour.hashes.contains(hash));
    }

    synchronized int size() {
        return size;
    }

    /** FNV-1a of 64 bits. Two keys that share a hash cost a reading, nothing else. */
    private static long hash(AccountName account, String key) {
        long hash = 0xcbf29ce484222325L;
        var both = account.value() + '\n' + key;
        for (int i = 0; i < both.length(); i++) {
            hash = (hash ^ both.charAt(i)) * 0x100000001b3L;
        }
        return hash;
    }
}
