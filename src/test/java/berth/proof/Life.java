package berth.proof;

import berth.reservation.EndReason;
import berth.reservation.ReservationId;
import berth.reservation.ReservationState;
import berth.scheduling.Event;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** The history of one reservation, with checks of each step. */
final class Life {

    private static final Set<Event.Type> BEGINNINGS =
            EnumSet.of(Event.Type.HELD, Event.Type.APPROVAL_ASKED, Event.Type.CONFIRMED);
    private static final Set<Event.Type> OTHER_TERMS =
            EnumSet.of(Event.Type.RENEGOTIATED, Event.Type.ACCEPTED, Event.Type.EXTENDED, Event.Type.NOT_EXTENDED);
    private static final Set<Event.Type> OTHER_PLACE =
            EnumSet.of(Event.Type.MOVED, Event.Type.RENEGOTIATED, Event.Type.ACCEPTED, Event.Type.EXTENDED);
    private static final Set<Event.Type> OTHER_PRICE = EnumSet.of(
            Event.Type.MOVED,
            Event.Type.RENEGOTIATED,
            Event.Type.ACCEPTED,
            Event.Type.EXTENDED,
            Event.Type.FIXED,
            Event.Type.COMPLETED,
            Event.Type.RELEASED,
            Event.Type.CANCELLED,
            Event.Type.APPROVAL_DECLINED,
            Event.Type.EXPIRED,
            Event.Type.FAILED);

    /** A run that ends owes less if it has lost PEs. */
    private static final Set<Event.Type> NEVER_DEARER =
            EnumSet.of(Event.Type.MOVED, Event.Type.COMPLETED, Event.Type.RELEASED);

    private record Step(Recorded event, Standing after) {}

    private final ReservationId id;
    private final List<Step> steps = new ArrayList<>();

    Life(ReservationId id) {
        this.id = id;
    }

    void add(Recorded event, Standing after) {
        steps.add(new Step(event, after));
    }

    Standing first() {
        return steps.getFirst().after;
    }

    Standing last() {
        return steps.getLast().after;
    }

    /** Whether it was once in that state. */
    boolean stood(Standing standing) {
        return steps.stream().anyMatch(step -> step.after.equals(standing));
    }

    /** Whether an account has handed it over to another. */
    boolean isHandedOver() {
        return steps.stream().anyMatch(step -> step.event.type() == Event.Type.TRANSFERRED);
    }

    /** Returns the events that only a client can cause, once for each occurrence. */
    List<Event.Type> wished() {
        return steps.stream()
                .skip(1)
                .filter(step -> switch (step.event.type()) {
                    case APPROVAL_ASKED,
                            CONFIRMED,
                            APPROVED,
                            APPROVAL_DECLINED,
                            TRANSFERRED,
                            CANCELLED,
                            CLAIMED,
                            USERS_CHANGED,
                            FIXED,
                            RENEGOTIATED,
                            PROPOSED,
                            ACCEPTED,
                            DECLINED -> true;
                    case COMPLETED -> step.event.at() < step.after.end();
                    default -> false;
                })
                // who confirms a hold may have to wait for approval
                .map(step -> step.event.type() == Event.Type.APPROVAL_ASKED ? Event.Type.CONFIRMED : step.event.type())
                .toList();
    }

    /** Returns the first error in it. */
    Optional<String> fault() {
        var beginning = steps.getFirst();
        if (!BEGINNINGS.contains(beginning.event.type())) {
            return Optional.of("%s begins with %s".formatted(id, beginning.event));
        }
        for (int i = 0; i < steps.size(); i++) {
            var step = steps.get(i);
            if (!step.after.isInWindow()) {
                return Optional.of("%s lies outside its window after %s".formatted(id, step.event));
            }
            if (i > 0 && !isInOrder(steps.get(i - 1).after, step)) {
                return Optional.of(
                        "%s was %s and is not so any more after %s".formatted(id, steps.get(i - 1).after, step.event));
            }
        }
        return Optional.empty();
    }

    private static boolean isInOrder(Standing before, Step step) {
        var type = step.event.type();
        var after = step.after;
        boolean isSameAgreement =
                before.terms().equals(after.terms()) && before.window().equals(after.window());
        return (before.state() == after.state()
                        ? before.isLive()
                        : before.state().canBecome(after.state()))
                && (isSameAgreement || OTHER_TERMS.contains(type))
                && (before.slots().equals(after.slots()) || OTHER_PLACE.contains(type))
                && (before.price().equals(after.price()) || OTHER_PRICE.contains(type))
                && (!NEVER_DEARER.contains(type) || !after.price().exceeds(before.price()))
                && (after.isLive() || mayEnd(type, after));
    }

    private static boolean mayEnd(Event.Type type, Standing after) {
        return switch (type) {
            case COMPLETED -> after.state() == ReservationState.COMPLETED;
            case CANCELLED, APPROVAL_DECLINED -> after.state() == ReservationState.CANCELLED;
            case EXPIRED -> after.state() == ReservationState.EXPIRED;
            case RELEASED -> after.reason().equals(Optional.of(EndReason.NOT_CLAIMED));
            case FAILED ->
                after.reason().equals(Optional.of(EndReason.PES_LOST))
                        || after.reason().equals(Optional.of(EndReason.NOT_ENFORCED));
            default -> false;
        };
    }
}
