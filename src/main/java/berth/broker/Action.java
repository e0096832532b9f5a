package berth.broker;

import berth.scheduling.Cancel;
import berth.scheduling.Claim;
import berth.scheduling.Command;
import berth.scheduling.Complete;
import berth.scheduling.Confirm;
import berth.scheduling.Fix;
import berth.scheduling.Fix.Wish;
import berth.scheduling.Target;
import java.util.Locale;

/** What is done to a reservation in a word. */
public enum Action {
    /** Takes what is held. */
    CONFIRM,
    /** Keeps it where it is. */
    FIX,
    /** Shows up for a run that has begun. */
    CLAIM,
    /** Gives it up. */
    CANCEL,
    /** Ends the run early. */
    COMPLETE;

    /** As other Berths call it. */
    String word() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** @param wish whose wish it is */
    Command on(Target target, Wish wish) {
        return switch (this) {
            case CONFIRM -> new Confirm(target);
            case FIX -> new Fix(target, wish);
            case CLAIM -> new Claim(target);
            case CANCEL -> new Cancel(target, wish);
            case COMPLETE -> new Complete(target);
        };
    }
}
