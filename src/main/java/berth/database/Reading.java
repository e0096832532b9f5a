package berth.database;

import java.util.Arrays;

/** Kinds of reads, by who waits for them. Each kind has its own number of concurrent readers, so none has to wait for another. */
public enum Reading {
    /** Reads that must precede a promise: the result of a key, or what an account has elsewhere. */
    FOR_A_PROMISE(6),

    /** Lists and single items. */
    PLAIN(8),

    /** Sums over many reservations and events. */
    REPORT(2),

    /** Repeated reads by calendar programs. */
    FEED(2);

    private static final ScopedValue<Reading> CURRENT = ScopedValue.newInstance();

    private final int most;

    Reading(int most) {
        this.most = most;
    }

    /** Returns the most concurrent readers. */
    public int most() {
        return most;
    }

    /** Returns the kind of read of this thread, {@link #PLAIN} unless set. */
    static Reading current() {
        return CURRENT.orElse(PLAIN);
    }

    /** Runs work as this kind of read. */
    public <T, X extends Throwable> T read(ScopedValue.CallableOp<T, X> work) throws X {
        return ScopedValue.where(CURRENT, this).call(work);
    }

    /** Whether this thread reads from the pool for readers. */
    static boolean isOnPoolOfItsOwn() {
        return CURRENT.isBound() && CURRENT.get() != FOR_A_PROMISE;
    }

    /** Returns the most concurrent readers of that pool. */
    static int onPoolOfTheirOwn() {
        return Arrays.stream(values())
                .filter(reading -> reading != FOR_A_PROMISE)
                .mapToInt(Reading::most)
                .sum();
    }
}
