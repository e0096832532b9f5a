package berth.scheduling;

import berth.budget.Dues;
import berth.reservation.Losses;
import berth.reservation.OpenReturn;
import berth.reservation.Quantity;
import berth.reservation.Reservation;
import berth.reservation.ReservationId;
import berth.reservation.ReservationState;
import berth.scheduling.Event.ReservationEvent;
import berth.scheduling.Event.ReturnCredit;
import berth.sla.Money;
import berth.sla.Part;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Optional;

/**
 * Credits the rest of the price of {@linkplain Returns returned} PE-time to the owner who returned it, once others have booked the time, run
 * in it and are charged. Never refused.
 *
 * <p>A reservation counts if it was made after the return, by another owner, and for another project. It pays for the PE-time that it had, to
 * one owner, the last who returned this time, and no more than it is charged for it. So the provider never gets less than without it. A run
 * that lost PEs, or got others for them, pays nothing.
 *
 * <p>Returned time that is over is forgotten, except where a run that counts has it and is not charged yet.
 *
 * @param happened what has happened since this was last decided
 */
public record CreditReturns(List<Event> happened) {

    private static final Comparator<Claim> LAST_RETURNED_FIRST = Comparator.comparingLong(
                    (Claim claim) -> claim.open.since())
            .reversed()
            .thenComparing(claim -> claim.owner.id().value());

    /** An open return of a reservation. */
    private record Claim(Reservation owner, OpenReturn open) {}

    /** Returns the credits, and an event for each reservation that may get less than before. */
    public Decision.Accepted decide(Basis basis) {
        var schedule = basis.schedule();
        long now = basis.now();
        if (schedule.openReturns().isEmpty()) {
            return Decision.Accepted.unchanged(schedule);
        }
        var events = new ArrayList<Event>();
        var next = schedule;
        for (var ended : ended()) {
            for (var event : paidBy(ended, next, now)) {
                events.add(event);
                next = next.with(event);
            }
        }
        for (var owner : inOrder(next.openReturns())) {
            var over = over(owner, next, now);
            if (over.isPresent()) {
                events.add(over.get());
                next = next.with(over.get());
            }
        }
        return new Decision.Accepted(events, next);
    }

    private Collection<Reservation> ended() {
        var ended = new LinkedHashMap<ReservationId, Reservation>();
        for (var event : happened) {
            if (event instanceof ReservationEvent about
                    && !about.reservation().state().isLive()) {
                ended.put(about.reservation().id(), about.reservation());
            }
        }
        return ended.values();
    }

    private static List<Reservation> inOrder(Collection<Reservation> owners) {
        return owners.stream()
                .sorted(Comparator.comparing(owner -> owner.id().value()))
                .toList();
    }

    private static List<ReservationEvent> paidBy(Reservation payer, ClusterSchedule schedule, long now) {
        var claims = schedule.openReturns().stream()
                .flatMap(owner -> owner.charge().openReturns().stream().map(open -> new Claim(owner, open)))
                .filter(claim -> claim.open.by().map(payer.id()::equals).orElseGet(() -> counts(payer, claim)))
                .sorted(LAST_RETURNED_FIRST)
                .toList();
        var purse = new Purse(payer);
        var changes = new LinkedHashMap<ReservationId, Change>();
        for (var claim : claims) {
            var had = purse.takes(claim.open);
            if (had.isEmpty() && claim.open.by().isEmpty()) {
                continue;
            }
            var change = changes.computeIfAbsent(claim.owner.id(), _ -> new Change(claim.owner));
            var paid = had.isEmpty() ? claim.open.rest().none() : purse.pays(claim.open.restOf(had), had);
            change.replace(claim.open, claim.open.by().isPresent() ? Optional.empty() : claim.open.without(had), paid);
        }
        return changes.values().stream()
                .filter(Change::isOne)
                .map(change -> change.event(payer.id(), now))
                .toList();
    }

    /** Whether a reservation pays for returned time that it has had. */
    private static boolean counts(Reservation payer, Claim claim) {
        var by = payer.origin();
        var to = claim.owner.origin();
        boolean isOneProject = by.project().isPresent() && by.project().equals(to.project());
        return !by.owner().equals(to.owner())
                && !isOneProject
                && payer.status().createdAt() >= claim.open.since()
                && hasLostNone(payer)
                && payer.price().currency().equals(claim.open.rest().money().currency());
    }

    /** Whether a run has had its present PEs since it began. */
    private static boolean hasLostNone(Reservation run) {
        return run.placement().losses().equals(Losses.NONE);
    }

    /** What a reservation that is charged can pay for the PE-time that it had. */
    private static final class Purse {

        private final Reservation payer;
        private final Money charged;
        private Money left;
        private List<Part> time;

        Purse(Reservation payer) {
            this.payer = payer;
            this.charged = payer.charge().ofParts();
            this.left = payer.charge().credit().map(payer.price()::less).orElse(payer.price());
            boolean pays = payer.isOwedInFull() && left.amount().signum() > 0 && hasLostNone(payer);
            this.time = pays ? payer.occupied() : List.of();
        }

        /** Returns the part of returned time that the reservation had and has not paid for. */
        List<Part> takes(OpenReturn open) {
            var had = open.and(time);
            time = had.isEmpty() ? time : OpenReturn.minus(time, had);
            return had;
        }

        /** Returns the rest of the price of this time, but no more than the reservation is charged for it. */
        Quantity pays(Quantity rest, List<Part> had) {
            var most = new Quantity(charged, 0)
                    .shareDown(OpenReturn.work(had), payer.placement().work())
                    .money();
            var paid = rest.atMost(most).atMost(left);
            left = left.less(paid.money());
            return paid;
        }
    }

    /** A change of what may be credited to a reservation. */
    private static final class Change {

        private final Reservation owner;
        private final List<OpenReturn> left;
        private Quantity credited;

        Change(Reservation owner) {
            this.owner = owner;
            this.left = new ArrayList<>(owner.charge().openReturns());
            this.credited = new Quantity(owner.price().none(), 0);
        }

        void replace(OpenReturn open, Optional<OpenReturn> by, Quantity paid) {
            int place = left.indexOf(open);
            left.remove(place);
            by.ifPresent(one -> left.add(place, one));
            credited = credited.plus(paid);
        }

        boolean isOne() {
            return !left.equals(owner.charge().openReturns());
        }

        ReservationEvent event(ReservationId payer, long now) {
            var after = owner.crediting(credited, left, now);
            var less = owed(owner).less(owed(after));
            return less.isNothing()
                    ? new ReservationEvent(Event.Type.RETURN_ENDED, after, now)
                    : ReservationEvent.credited(after, new ReturnCredit(payer, less), now);
        }

        private static Quantity owed(Reservation reservation) {
            var dues = Dues.of(reservation);
            return reservation.state().isLive() ? dues.held() : dues.charged();
        }
    }

    /** Returns the event of a reservation of whose returned time some is over; empty if there is nothing new. */
    private static Optional<ReservationEvent> over(Reservation owner, ClusterSchedule schedule, long now) {
        var open = owner.charge().openReturns();
        var left = open.stream()
                .flatMap(each -> left(new Claim(owner, each), schedule, now).stream())
                .toList();
        return left.equals(open)
                ? Optional.empty()
                : Optional.of(new ReservationEvent(
                        Event.Type.RETURN_ENDED,
                        owner.crediting(new Quantity(owner.price().none(), 0), left, now),
                        now));
    }

    private static List<OpenReturn> left(Claim claim, ClusterSchedule schedule, long now) {
        var open = claim.open;
        if (open.by().isPresent()) {
            return schedule.find(open.by().get()).isPresent() ? List.of(open) : List.of();
        }
        if (open.until() > now) {
            return List.of(open);
        }
        var runs = schedule.reservations().stream()
                .filter(run -> run.state() == ReservationState.RUNNING && counts(run, claim))
                .toList();
        return inOrder(runs).stream()
                .flatMap(run -> Optional.of(open.and(run.occupied()))
                        .filter(had -> !had.isEmpty())
                        .flatMap(had -> open.hadBy(run.id(), had))
                        .stream())
                .toList();
    }
}
