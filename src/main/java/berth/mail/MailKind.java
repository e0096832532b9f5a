package berth.mail;

import java.util.Collections;
import java.util.EnumSet;
import java.util.Set;

/** A kind of news that an account gets by mail. */
public enum MailKind {
    /** A reservation is confirmed or has other terms. */
    CONFIRMED("confirmed and changed reservations"),
    /** Berth has moved a reservation, or the provider proposes other terms. */
    MOVED("moved reservations and proposals"),
    /** A reservation starts soon. */
    STARTS_SOON("starts of reservations"),
    /** A running reservation ends soon. */
    ENDS_SOON("ends of reservations"),
    /** The machine does not have a reservation as promised. */
    NOT_IN_PLACE("reservations that are not in place"),
    /** A reservation is cancelled, fails or loses PEs, or a request that waited is refused. */
    FAILED("reservations that are cancelled, fail or lose PEs"),
    /** A reservation waits for the approval of the account, or one of its own is approved. */
    APPROVAL("approvals"),
    /** An occurrence of a series is refused. */
    SERIES_REFUSED("refused occurrences of series"),
    /** A project has spent most or all of its budget. Owners of the project get it. */
    BUDGET_LOW("budgets that run low");

    /** The kinds that an account gets unless it chooses others. */
    public static final Set<MailKind> STANDARD =
            Collections.unmodifiableSet(EnumSet.complementOf(EnumSet.of(CONFIRMED, ENDS_SOON)));

    private final String subject;

    MailKind(String subject) {
        this.subject = subject;
    }

    /** Returns what mail of this kind is about, in words that follow "mail about". */
    String subject() {
        return subject;
    }
}
