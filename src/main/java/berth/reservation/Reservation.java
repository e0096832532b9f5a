package berth.reservation;

import berth.availability.PeSet;
import berth.reservation.Due.What;
import berth.sla.Money;
import berth.sla.Terms;
import berth.time.Slot;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * An accepted agreement with its place. A value: each change is another reservation of the same id.
 *
 * @param id names it for good
 * @param cluster where it runs
 * @param origin who asked for it
 * @param terms what was agreed
 * @param placement where it lies in time, inside the window of its terms, and on which PEs
 * @param charge what it owes and is owed
 * @param status how far it has come
 */
public record Reservation(
        ReservationId id,
        String cluster,
        Origin origin,
        Terms terms,
        Placement placement,
        Charge charge,
        Status status) {

    /** @throws IllegalArgumentException if the slot or the PEs break the terms */
    public Reservation {
        if (!terms.allow(placement.slot())) {
            throw new IllegalArgumentException(
                    "Reservation %s lies at %s, outside its %s.".formatted(id, placement.slot(), terms));
        }
        if (placement.peIds().isPresent() && placement.peIds().get().size() != terms.pes()) {
            throw new IllegalArgumentException("Reservation %s has the PEs %s, which are not %d."
                    .formatted(id, placement.peIds().get(), terms.pes()));
        }
    }

    /** Where it stands. */
    public ReservationState state() {
        return status.state();
    }

    /** Where it lies in time. */
    public Slot slot() {
        return placement.slot();
    }

    /** What it owes. */
    public Money price() {
        return charge.price();
    }

    /** Whether the provider may still move it inside its window at {@code now}. */
    public boolean isMovable(long now) {
        return state() == ReservationState.CONFIRMED && now < placement.fixesAt();
    }

    /** What the clock will do to it next; empty once it has ended. */
    public Optional<Due> due() {
        return switch (state()) {
            case HELD -> Optional.of(due(status.holdExpiresAt().orElseThrow(), What.HOLD_EXPIRES));
            case CONFIRMED -> Optional.of(due(slot().start(), What.RUN_STARTS));
            case RUNNING -> {
                long end = slot().end();
                long claimBy = status.claimBy().orElse(end);
                yield Optional.of(claimBy < end ? due(claimBy, What.CLAIM_LAPSES) : due(end, What.RUN_ENDS));
            }
            case COMPLETED, CANCELLED, EXPIRED, FAILED -> Optional.empty();
        };
    }

    private Due due(long at, What what) {
        return new Due(at, what, id.value());
    }

    /** The time in which it takes PEs, or took them: what ended early took them until then. */
    public Optional<Slot> occupied() {
        return switch (state()) {
            case HELD, CONFIRMED, RUNNING -> Optional.of(slot());
            case COMPLETED, CANCELLED, FAILED ->
                status.updatedAt() > slot().start()
                        ? Optional.of(new Slot(slot().start(), Math.min(slot().end(), status.updatedAt())))
                        : Optional.empty();
            case EXPIRED -> Optional.empty();
        };
    }

    /**
     * The same reservation in its next state. One that ends before it began owes nothing.
     *
     * @param at seconds since the epoch
     * @throws IllegalStateException if {@code next} may not follow the present state
     */
    public Reservation becomes(ReservationState next, long at) {
        boolean neverBegan = state() != ReservationState.RUNNING && !next.isLive();
        return with(neverBegan ? charge.waived() : charge, status.becomes(next, at));
    }

    /** Its owner could not claim it in time, since nobody was there to hear it, and has until {@code by}. */
    public Reservation claimPostponed(long by, long at) {
        return with(charge, status.changed(at).claimBy(OptionalLong.of(by)));
    }

    /** Seconds from its start within which it must be claimed, if it still must be. */
    public OptionalLong claimWithin() {
        var by = status.claimBy();
        return by.isPresent() ? OptionalLong.of(by.getAsLong() - slot().start()) : by;
    }

    /** Its owner has shown up. */
    public Reservation claimed(long at) {
        return with(charge, status.changed(at).claimBy(OptionalLong.empty()));
    }

    /** Nobody has claimed it in time. What has begun owes its price. */
    public Reservation released(long at) {
        return with(charge, status.becomes(ReservationState.CANCELLED, EndReason.NOT_CLAIMED, at));
    }

    /** The provider cannot keep it. It owes nothing, and is credited what was agreed to be paid for; a hold was not. */
    public Reservation failed(Money credit, long at) {
        var breach = state() == ReservationState.HELD ? charge.waived() : charge.credited(credit);
        return with(breach, status.becomes(ReservationState.FAILED, EndReason.PES_LOST, at));
    }

    /** It stays where it is from now on. */
    public Reservation fixed(long at) {
        return new Reservation(id, cluster, origin, terms, placement.fixed(at), charge, status.changed(at));
    }

    /** The same, bound to these PEs: part of what happens to it, and no change of its own. */
    public Reservation on(PeSet pes) {
        return new Reservation(id, cluster, origin, terms, placement.on(pes), charge, status);
    }

    /** The provider has moved it to another place in its window. */
    public Reservation moved(Placement to, Money price, long at) {
        return new Reservation(id, cluster, origin, terms, to, Charge.of(price), shifted(to, at));
    }

    /** Other terms are agreed. */
    public Reservation renegotiated(Terms agreed, Placement place, Money price, long at) {
        return new Reservation(id, cluster, origin, agreed, place, Charge.of(price), shifted(place, at));
    }

    private Status shifted(Placement to, long at) {
        return status.changed(at).claimedLater(to.slot().start() - slot().start());
    }

    private Reservation with(Charge next, Status then) {
        return new Reservation(id, cluster, origin, terms, placement, next, then);
    }
}
