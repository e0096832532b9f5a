package berth.booking.web;

import berth.accounts.Account;
import berth.booking.BookedReservation;
import berth.booking.terms.TermsBody;
import berth.booking.web.RenegotiationBody.Outcome;
import berth.engine.Records.Renegotiation;
import berth.engine.Trial;
import berth.http.MoneyBody;
import berth.http.Texts;
import berth.reservation.Reservation;
import berth.sla.Money;
import java.time.Instant;
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
            case Renegotiation.Offer(var offered, var reply) ->
                reply.map(replied -> offered(
                                number,
                                replied.isAccepted() ? Outcome.ACCEPTED : Outcome.DECLINED,
                                offered,
                                Texts.instant(replied.after().status().updatedAt()),
                                replied.priceBefore(),
                                replied.isAccepted()
                                        ? MoneyBody.of(replied.after().price())
                                        : null,
                                replied.after()))
                        .orElseGet(() -> offered(
                                number,
                                isOpen(offered, present) ? Outcome.PROPOSED : Outcome.EXPIRED,
                                offered,
                                null,
                                offered.price(),
                                null,
                                offered));
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
                after.origin().owner().value(),
                Texts.instant(after.status().updatedAt()),
                null,
                TermsBody.of(after.terms()),
                null,
                null,
                MoneyBody.of(priceBefore),
                MoneyBody.of(after.price()),
                reservations.of(after));
    }

    /**
     * Returns the response body of a proposal and the owner's answer to it.
     *
     * @param offered the reservation at the time of the proposal
     */
    private RenegotiationBody offered(
            int number,
            Outcome outcome,
            Reservation offered,
            @Nullable Instant answeredAt,
            Money priceBefore,
            @Nullable MoneyBody priceAfter,
            Reservation after) {
        var proposal = offered.proposal().orElseThrow();
        return new RenegotiationBody(
                number,
                outcome,
                proposal.by().value(),
                Texts.instant(proposal.at()),
                answeredAt,
                TermsBody.of(proposal.terms()),
                MoneyBody.of(proposal.incentive()),
                Texts.instant(proposal.expiresAt()),
                MoneyBody.of(priceBefore),
                priceAfter,
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
