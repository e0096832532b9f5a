package berth.persistence;

import java.util.Arrays;

/** What is read, by who waits for it. Each has its own number of readers at one time, so that none has to wait for another. */
enum Reading {
    /** What must be known before something is promised: what a key stands for, what an account has elsewhere. */
    FOR_A_PROMISE(6),

    /** A list, or a single thing. */
    PLAIN(8),

    /** Sums over many reservations and events. */
    REPORT(2),

    /** What a calendar program asks for again and again. */
    FEED(2);

    private static final ScopedValue<Reading> CURRENT = ScopedValue.newInstance();

    private final int most;

    Reading(int most) {
        this.most = most;
    }

    /** How many there may be at one time. */
    int most() {
        return most;
    }

    /** What is being read by this thread; where nothing says what, it is {@link #PLAIN}. */
    static Reading current() {
        return CURRENT.orElse(PLAIN);
    }

    /** Does something that is this reading. */
    <T, X extends Throwable> T read(ScopedValue.CallableOp<T, X> work) throws X {
        return ScopedValue.where(CURRENT, this).call(work);
    }

    /** Whether this thread reads what nobody was promised. */
    static boolean isOnPoolOfItsOwn() {
        return CURRENT.isBound() && CURRENT.get() != FOR_A_PROMISE;
    }

    /** The most that do so at one time. */
    static int onPoolOfTheirOwn() {
        return Arrays.stream(values())
                .filter(reading -> reading != FOR_A_PROMISE)
                .mapToInt(Reading::most)
                .sum();
    }
}
