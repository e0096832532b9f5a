package berth.booking.web;

import berth.http.MoneyBody;
import berth.http.Texts;
import berth.reservation.Quantity;
import berth.reservation.Reservation;
import berth.reservation.ReservationState;
import berth.reservation.Returned;
import berth.scheduling.CancellationDue;
import berth.scheduling.ClusterSchedule;
import java.time.Instant;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * What its owner owes, and is owed. A request owes nothing.
 *
 * @param price what it currently owes; null for a request
 * @param owesAtLeast what it owes at least, even if it is cancelled, because its owner changed it when a cancellation was late; null if
 *     the owner did not
 * @param freeCancellationUntil until when its owner can cancel it for nothing. Null if that costs nothing until its start, or something in
 *     any case; also null once it has begun or ended. A move or other terms may change it
 * @param lateCancellationCharge what it owes if its owner cancels it later. If {@code freeCancellationUntil} is null, a cancellation costs
 *     at least {@code owesAtLeast} and at most this. Null if it costs nothing until its start, and once it has begun or ended
 * @param credit what the provider owes for a breach, or for PEs that the run lost
 * @param returnCredit what was taken off the price for PE-time that its owner returned while it ran; null if nothing was
 * @param returnCreditOpen what may still be taken off at most, once others have booked that PE-time and were charged for it; null if
 *     nothing can be
 */
record AmountsBody(
        @Nullable MoneyBody price,
        @Nullable MoneyBody owesAtLeast,
        @Nullable Instant freeCancellationUntil,
        @Nullable MoneyBody lateCancellationCharge,
        @Nullable MoneyBody credit,
        @Nullable MoneyBody returnCredit,
        @Nullable MoneyBody returnCreditOpen) {

    /** What a request owes: nothing is known yet. */
    static final AmountsBody NOTHING = new AmountsBody(null, null, null, null, null, null, null);

    static AmountsBody of(Reservation reservation, ClusterSchedule schedule) {
        var due = reservation.state().isLive() && reservation.state() != ReservationState.RUNNING
                ? Optional.of(CancellationDue.of(reservation, schedule))
                : Optional.<CancellationDue>empty();
        return new AmountsBody(
                MoneyBody.of(reservation.price()),
                Texts.orNull(reservation.charge().least().map(Quantity::money).map(MoneyBody::of)),
                Texts.instant(due.map(CancellationDue::freeUntil).orElse(OptionalLong.empty())),
                Texts.orNull(due.map(CancellationDue::late)
                        .filter(late -> late.amount().signum() > 0)
                        .map(MoneyBody::of)),
                Texts.orNull(reservation.charge().credit().map(MoneyBody::of)),
                returned(reservation, Returned::credited),
                returned(reservation, Returned::rest));
    }

    private static @Nullable MoneyBody returned(Reservation reservation, Function<Returned, Quantity> what) {
        return Texts.orNull(reservation
                .charge()
                .returned()
                .map(back -> what.apply(back).money())
                .filter(credit -> credit.amount().signum() > 0)
                .map(MoneyBody::of));
    }
}
