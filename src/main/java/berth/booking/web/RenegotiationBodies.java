package berth.booking.web;

import berth.accounts.Account;
import berth.booking.BookedReservation;
import berth.booking.web.RenegotiationBody.Outcome;
import berth.booking.web.RenegotiationBody.WantedBody;
import berth.engine.Records.Renegotiation;
import berth.engine.Trial;
import berth.http.MoneyBody;
import berth.http.Texts;
import berth.reservation.Reservation;
import berth.sla.Money;
import java.time.InstantSource;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;

/** Makes the response bodies of renegotiations, by their current state. */
@Component
class RenegotiationBodies {

    private final ReservationBodies reservations;
    private final InstantSource clock;

    RenegotiationBodies(ReservationBodies reservations, InstantSource clock) {
        this.reservations = reservations;
        this.clock = clock;
    }

    /** Returns the response body of a recorded renegotiation. */
    RenegotiationBody of(Renegotiation renegotiation, Reservation present) {
        int number = renegotiation.number();
        return switch (renegotiation) {
            case Renegotiation.Agreement(var after, var priceBefore) -> agreed(number, after, priceBefore);
            case Renegotiation.Offer(var offered, var reply) -> {
                var proposal = offered.proposal().orElseThrow();
                yield reply.map(replied -> new RenegotiationBody(
                                number,
                                replied.isAccepted() ? Outcome.ACCEPTED : Outcome.DECLINED,
                                WantedBody.proposed(
                                        proposal,
                                        Texts.instant(replied.after().status().updatedAt())),
                                MoneyBody.of(replied.priceBefore()),
                                replied.isAccepted()
                                        ? MoneyBody.of(replied.after().price())
                                        : null,
                                reservations.of(replied.after())))
                        .orElseGet(() -> new RenegotiationBody(
                                number,
                                isOpen(offered, present) ? Outcome.PROPOSED : Outcome.EXPIRED,
                                WantedBody.proposed(proposal, null),
                                MoneyBody.of(offered.price()),
                                null,
                                reservations.of(offered)));
            }
        };
    }

    /** Returns the response body of a dry run. */
    DryRunBody tried(Reservation before, Reservation after, Trial trial, Account account) {
        return reservations.tried(
                new BookedReservation.Here(before), new BookedReservation.Here(after), Optional.of(trial), account);
    }

    /** Returns the response body of a request that changed nothing. */
    RenegotiationBody unchanged(Reservation reservation) {
        return agreed(null, reservation, reservation.price());
    }

    private RenegotiationBody agreed(@Nullable Integer number, Reservation after, Money priceBefore) {
        return new RenegotiationBody(
                number,
                Outcome.AGREED,
                WantedBody.requested(after),
                MoneyBody.of(priceBefore),
                MoneyBody.of(after.price()),
                reservations.of(after));
    }

    /** Checks whether the reservation still has the same proposal, and whether the owner can still answer it. */
    private boolean isOpen(Reservation offered, Reservation present) {
        return present.proposal().equals(offered.proposal())
                && present.proposal()
                        .filter(proposal -> proposal.isOpen(clock.instant().getEpochSecond()))
                        .isPresent();
    }
}
