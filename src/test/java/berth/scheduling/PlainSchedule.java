package berth.scheduling;

import berth.availability.ArrayProfile;
import berth.cluster.Cluster;
import berth.reservation.Reservation;
import berth.reservation.ReservationId;
import berth.reservation.ReservationState;
import berth.sla.Money;
import berth.sla.QosScenario;
import berth.sla.Terms;
import berth.sla.Violation;
import berth.time.Slot;
import berth.time.Window;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * The oracle for {@link ClusterSchedule} and its commands: free PEs in an array, reservations in a map, each place found
 * by trying one second after the other, the next event found by looking at every reservation. Changes as it decides.
 */
final class PlainSchedule {

    /** What matters about a reservation; {@code due} is when the clock changes it next. */
    record Booking(ReservationState state, Slot slot, int pes, Money price, long due) {

        static Booking of(Reservation reservation) {
            return new Booking(
                    reservation.state(),
                    reservation.slot(),
                    reservation.terms().pes(),
                    reservation.price(),
                    reservation.due().orElseThrow().at());
        }

        private Booking becomes(ReservationState next, long due) {
            return new Booking(next, slot, pes, price, due);
        }
    }

    /** The state a reservation has gone over to. */
    record Change(long at, ReservationId reservation, ReservationState became) {}

    /** What is to become of a command. */
    sealed interface Verdict {
        record Granted(List<Change> changes) implements Verdict {}

        record Refused(Rejection reason) implements Verdict {}
    }

    /** Stands for every refusal of terms, whatever is wrong with them: {@code RequestedTermsTest} has the details. */
    static final Rejection INVALID = new Rejection.InvalidTerms(List.of());

    /** Stands for every refusal of what the cluster can never hold. */
    static final Rejection NEVER_FITS = new Rejection.NeverFits(new Violation("", ""));

    private final Cluster cluster;
    private final ArrayProfile profile;
    private final Map<ReservationId, Booking> live = new HashMap<>();

    /** Knows the seconds from 0 on. */
    PlainSchedule(Cluster cluster, int seconds) {
        this.cluster = cluster;
        this.profile = new ArrayProfile(cluster.pes(), 0, seconds);
    }

    ArrayProfile profile() {
        return profile;
    }

    Map<ReservationId, Booking> live() {
        return live;
    }

    Verdict decide(Command command, long now) {
        return switch (command) {
            case Reserve reserve -> reserve(reserve, now);
            case Confirm(var target) ->
                change(target.reservation(), ReservationState.HELD, ReservationState.CONFIRMED, now);
            case Cancel(var target) -> cancel(target.reservation(), now);
            case AdvanceClock(int most) -> advance(most, now);
            default -> throw new IllegalArgumentException("Does not know what becomes of " + command);
        };
    }

    private Verdict reserve(Reserve asked, long now) {
        var terms = asked.terms();
        long ready = Math.max(now, terms.readyTime().orElse(now));
        long horizon = now + cluster.policy().horizon();
        long deadline = terms.deadline().orElse(horizon);
        boolean contradictory = terms.duration() < 1
                || asked.hold().orElse(1) < 1
                || terms.readyTime().orElse(now) < now - 60
                || deadline > horizon
                || ready + terms.duration() > deadline;
        if (contradictory) {
            return new Verdict.Refused(INVALID);
        }
        if (terms.pes() > cluster.pes()) {
            return new Verdict.Refused(NEVER_FITS);
        }
        long earliest = asked.hold().isPresent() ? Math.max(ready, now + 1) : ready;
        long latest = deadline - terms.duration();
        long from = asked.start().orElse(earliest);
        long to = asked.start().orElse(latest);
        if (asked.start().isPresent() && (from < earliest || to > latest)) {
            return new Verdict.Refused(INVALID);
        }
        return tryAll(asked, new Window(ready, deadline), from, to, now);
    }

    private Verdict tryAll(Reserve asked, Window window, long from, long to, long now) {
        var terms = new Terms(
                window,
                asked.terms().duration(),
                asked.terms().duration(),
                asked.terms().pes(),
                asked.terms().budget(),
                asked.terms().requires(),
                asked.terms().fixing(),
                QosScenario.INTERVAL);
        Rejection reason = new Rejection.NoSlot();
        for (long start = from; start <= to; start++) {
            var slot = Slot.of(start, terms.duration());
            if (profile.fewestFree(slot) < terms.pes()) {
                continue;
            }
            var price = cluster.tariff().price(terms, start, asked.origin().serviceClass());
            if (terms.budget().isEmpty() || !price.exceeds(terms.budget().get())) {
                return place(asked, slot, price, now);
            }
            if (reason instanceof Rejection.NoSlot) {
                reason = new Rejection.OverBudget(price, terms.budget().get());
            }
        }
        return new Verdict.Refused(reason);
    }

    private Verdict place(Reserve asked, Slot slot, Money price, long now) {
        var state = asked.hold().isPresent() ? ReservationState.HELD : ReservationState.CONFIRMED;
        long due = Math.min(slot.start(), now + asked.hold().orElse(slot.start()));
        profile.take(slot, asked.terms().pes());
        live.put(asked.id(), new Booking(state, slot, asked.terms().pes(), price, due));
        return granted(now, asked.id(), state);
    }

    private Verdict cancel(ReservationId id, long now) {
        return live.containsKey(id)
                ? change(id, live.get(id).state(), ReservationState.CANCELLED, now)
                : new Verdict.Refused(new Rejection.NotLive(id));
    }

    private Verdict change(ReservationId id, ReservationState from, ReservationState to, long now) {
        var booking = live.get(id);
        if (booking == null) {
            return new Verdict.Refused(new Rejection.NotLive(id));
        }
        if (booking.state() != from) {
            return new Verdict.Refused(new Rejection.WrongState(booking.state()));
        }
        become(id, to);
        return granted(now, id, to);
    }

    private Verdict advance(int most, long now) {
        var changes = new ArrayList<Change>();
        while (changes.size() < most) {
            var next = live.entrySet().stream()
                    .filter(entry -> entry.getValue().due() <= now)
                    .map(entry -> new Change(
                            entry.getValue().due(),
                            entry.getKey(),
                            next(entry.getValue().state())))
                    .min(Comparator.comparing(Change::at)
                            .thenComparing(change -> change.became() == ReservationState.RUNNING ? 1 : 0)
                            .thenComparing(change -> change.reservation().value()));
            if (next.isEmpty()) {
                break;
            }
            become(next.get().reservation(), next.get().became());
            changes.add(next.get());
        }
        return new Verdict.Granted(changes);
    }

    private static ReservationState next(ReservationState state) {
        return switch (state) {
            case HELD -> ReservationState.EXPIRED;
            case CONFIRMED -> ReservationState.RUNNING;
            default -> ReservationState.COMPLETED;
        };
    }

    private void become(ReservationId id, ReservationState next) {
        var booking = Objects.requireNonNull(live.remove(id));
        switch (next) {
            case CONFIRMED -> live.put(id, booking.becomes(next, booking.slot().start()));
            case RUNNING -> live.put(id, booking.becomes(next, booking.slot().end()));
            default -> profile.giveBack(booking.slot(), booking.pes());
        }
    }

    private static Verdict granted(long at, ReservationId id, ReservationState state) {
        return new Verdict.Granted(List.of(new Change(at, id, state)));
    }
}
