package berth.mail;

import berth.engine.Records.RecordedEvent;
import berth.engine.Records.RecordedEvent.Whole;
import berth.scheduling.Event;
import berth.scheduling.Event.ReservationEvent;
import java.time.Instant;
import java.util.Optional;

/** Determines which events are news. */
final class Kinds {

    private Kinds() {}

    /** Returns the kind of news that an event is; empty if nobody gets mail about it. */
    static Optional<MailKind> of(RecordedEvent event) {
        return switch (event.type()) {
            case CONFIRMED, RENEGOTIATED, ACCEPTED, EXTENDED, RECEIVED -> Optional.of(MailKind.CONFIRMED);
            case APPROVAL_ASKED, APPROVED -> Optional.of(MailKind.APPROVAL);
            case MOVED, PROPOSED -> Optional.of(MailKind.MOVED);
            case STARTING -> Optional.of(MailKind.STARTS_SOON);
            case ENDING -> Optional.of(MailKind.ENDS_SOON);
            case ENFORCEMENT_FAILED -> Optional.of(MailKind.NOT_IN_PLACE);
            case CANCELLED,
                    APPROVAL_DECLINED,
                    TRANSFERRED,
                    FAILED,
                    RELEASED,
                    LOSING,
                    DEGRADED,
                    NOT_EXTENDED,
                    WAIT_EXPIRED -> Optional.of(MailKind.FAILED);
            case REJECTED ->
                Optional.of(
                        event.origin().flatMap(origin -> origin.occurrence()).isPresent()
                                ? MailKind.SERIES_REFUSED
                                : MailKind.FAILED);
            case EXPIRED -> hasExpiredUnanswered(event) ? Optional.of(MailKind.FAILED) : Optional.empty();
            case BUDGET_LOW -> Optional.of(MailKind.BUDGET_LOW);
            default -> Optional.empty();
        };
    }

    /** Whether a reservation has expired because nobody approved it in time. */
    private static boolean hasExpiredUnanswered(RecordedEvent event) {
        return event instanceof Whole(var _, var _, ReservationEvent about)
                && about.reservation().status().approval().isPresent();
    }

    /** Whether an event is news for a mailbox. A start or end that was announced for others only is not. */
    static boolean concerns(Mailbox mailbox, MailKind kind, Event event) {
        return mailbox.gets(kind)
                && (kind != MailKind.STARTS_SOON && kind != MailKind.ENDS_SOON
                        || event instanceof ReservationEvent announced
                                && announced
                                        .reservation()
                                        .leadsJustTold()
                                        .contains(mailbox.wish().lead()));
    }

    /** Returns when news is worth nothing any more, at the latest at {@code latest}: a start soon, once it has begun. */
    static Instant expiry(MailKind kind, Event event, Instant latest) {
        if (!(event instanceof ReservationEvent about)) {
            return latest;
        }
        var slot = about.reservation().slot();
        var over = switch (kind) {
            case STARTS_SOON -> Instant.ofEpochSecond(slot.start());
            case ENDS_SOON -> Instant.ofEpochSecond(slot.end());
            default -> latest;
        };
        return over.isBefore(latest) ? over : latest;
    }
}
