package berth.rest;

import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/**
 * The calls that are under way and the bytes that they hold, of bodies that were read and of answers that are still to be heard: no
 * more in all than the heap can bear, and of one caller no more than its share. Safe to use from any thread.
 */
final class CallsUnderWay {

    /** So few bytes are not worth counting. */
    static final int FREE = 4 << 10;

    private final Most most;

    // guarded by this
    private final Map<String, Share> shares = new HashMap<>();
    private int calls;
    private long bytes;

    /**
     * How much there may be at a time.
     *
     * @param calls of all
     * @param callsOfOne of one caller
     * @param bytes of all
     * @param bytesOfOne of one caller
     */
    record Most(int calls, int callsOfOne, long bytes, long bytesOfOne) {

        /** Of a heap of that size: an eighth of it for bytes, a quarter of these for one caller, and room for a queue in any case. */
        static Most of(long heap, int calls, int callsOfOne) {
            long bytes = Math.max(heap / 8, 4L * BodyLimit.MAX_OF_A_LIST);
            return new Most(calls, callsOfOne, bytes, Math.max(bytes / 4, 2L * BodyLimit.MAX_OF_A_LIST));
        }
    }

    /** What one caller has under way. */
    private static final class Share {
        private int calls;
        private long bytes;
    }

    CallsUnderWay(Most most) {
        this.most = most;
    }

    /** A call begins, whoever makes it; {@code false} if there are too many. */
    synchronized boolean enter() {
        if (calls >= most.calls) {
            return false;
        }
        calls++;
        return true;
    }

    /** A call has ended that had begun. */
    synchronized void leave() {
        calls--;
    }

    /** The call of a caller who is known by now; empty if that one has too many under way. */
    synchronized Optional<Call> begin(String caller) {
        var share = shares.computeIfAbsent(caller, _ -> new Share());
        if (share.calls >= most.callsOfOne) {
            return Optional.empty();
        }
        share.calls++;
        return Optional.of(new Call(caller, share));
    }

    synchronized int calls() {
        return calls;
    }

    synchronized long bytes() {
        return bytes;
    }

    /** A call and the bytes that it holds until it ends. */
    final class Call implements AutoCloseable {
        private final String caller;
        private final Share share;
        private long held;

        private Call(String caller, Share share) {
            this.caller = caller;
            this.share = share;
        }

        /** Holds further bytes; {@code false}, and nothing has changed, where there is no room for them. */
        boolean hold(long further) {
            synchronized (CallsUnderWay.this) {
                if (bytes + further > most.bytes || share.bytes + further > most.bytesOfOne) {
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
