package berth.http;

import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/**
 * The calls in progress and the bytes that they hold for bodies already read and responses not yet sent. The total stays within what the
 * heap can bear, and each caller within its share. Safe to use from any thread.
 */
public final class CallsUnderWay {

    /** Number of bytes that a call may hold without counting them. */
    static final int FREE = 4 << 10;

    private final Bounds bounds;

    // guarded by this
    private final Map<String, Share> shares = new HashMap<>();
    private int calls;
    private long bytes;

    /**
     * Upper bounds at any one time.
     *
     * @param calls number of calls in progress
     * @param callsOfOne number of calls of one caller in progress
     * @param bytes bytes held by all calls
     * @param bytesOfOne bytes held by the calls of one caller
     */
    public record Bounds(int calls, int callsOfOne, long bytes, long bytesOfOne) {

        /**
         * Returns the bounds for a heap of {@code heap} bytes. All calls may hold an eighth of the heap, and one caller a quarter of that.
         * Both bounds are always large enough for the list of a batch queue.
         */
        public static Bounds of(long heap, int calls, int callsOfOne) {
            long bytes = Math.max(heap / 8, 4L * BodyLimit.MAX_OF_A_LIST);
            return new Bounds(calls, callsOfOne, bytes, Math.max(bytes / 4, 2L * BodyLimit.MAX_OF_A_LIST));
        }
    }

    /** The calls and bytes of one caller. */
    private static final class Share {
        private int calls;
        private long bytes;
    }

    public CallsUnderWay(Bounds bounds) {
        this.bounds = bounds;
    }

    /** Counts a new call, before its caller is known. Returns {@code false}, and counts nothing, if too many calls are in progress. */
    synchronized boolean enter() {
        if (calls >= bounds.calls) {
            return false;
        }
        calls++;
        return true;
    }

    /** Removes from the count a call for which {@link #enter} returned {@code true}. */
    synchronized void leave() {
        calls--;
    }

    /** Begins a call of a known caller. Returns empty if the caller has too many calls in progress. */
    public synchronized Optional<Call> begin(String caller) {
        var share = shares.computeIfAbsent(caller, _ -> new Share());
        if (share.calls >= bounds.callsOfOne) {
            return Optional.empty();
        }
        share.calls++;
        return Optional.of(new Call(caller, share));
    }

    public synchronized int calls() {
        return calls;
    }

    public synchronized long bytes() {
        return bytes;
    }

    /** A call and the bytes that it holds until it is closed. */
    public final class Call implements AutoCloseable {
        private final String caller;
        private final Share share;
        private long held;

        private Call(String caller, Share share) {
            this.caller = caller;
            this.share = share;
        }

        /** Holds {@code further} more bytes. Returns {@code false}, and holds nothing more, if there is no room for them. */
        boolean hold(long further) {
            synchronized (CallsUnderWay.this) {
                if (bytes + further > bounds.bytes || share.bytes + further > bounds.bytesOfOne) {
                    return false;
                }
                bytes += further;
                share.bytes += further;
                held += further;
                return true;
            }
        }

        @Override
        public void close() {
            synchronized (CallsUnderWay.this) {
                bytes -= held;
                share.bytes -= held;
                share.calls--;
                held = 0;
                if (share.calls == 0) {
                    shares.remove(caller);
                }
            }
        }
    }
}
