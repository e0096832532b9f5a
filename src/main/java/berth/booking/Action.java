package berth.booking;

import berth.scheduling.Target;
import berth.scheduling.commands.Cancel;
import berth.scheduling.commands.Claim;
import berth.scheduling.commands.Command;
import berth.scheduling.commands.Complete;
import berth.scheduling.commands.Confirm;
import berth.scheduling.commands.Fix;
import berth.scheduling.commands.Fix.Wish;
import java.util.Locale;

/** A simple action on a reservation. */
public enum Action {
    /** Confirms a hold. */
    CONFIRM,
    /** Makes the place final. */
    FIX,
    /** Claims a run that has begun. */
    CLAIM,
    /** Cancels the reservation. */
    CANCEL,
    /** Ends the run early. */
    COMPLETE;

    /** Returns the name of the action in other Berths' APIs. */
    String word() {
        return name().toLowerCase(Locale.ROOT);
    }

    /**
     * Returns the command for a reservation.
     *
     * @param wish who wants the action
     */
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
