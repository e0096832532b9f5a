package berth.desk;

import org.slf4j.Logger;

/**
 * Tells of failures of what goes on all the same: of the first of a streak. It never fails itself, as logging may where memory is
 * short. For one thread.
 */
public final class FailureStreak {

    private final Logger log;
    private final String told;
    private boolean isTold;

    /** @param told what has failed, and what becomes of it */
    public FailureStreak(Logger log, String told) {
        this.log = log;
        this.told = told;
    }

    /** It has failed, in whichever way. */
    public void failed(Throwable why) {
        if (isTold) {
            return;
        }
        try {
            log.error(told, why);
            isTold = true;
        } catch (Throwable e) {
            // it is told the next time
        }
    }

    /** It has not failed: the next failure begins another streak. */
    public void ended() {
        isTold = false;
    }
}
