package berth.scheduling;

import berth.reservation.Origin;
import berth.reservation.ReservationId;
import berth.sla.Money;
import berth.sla.RequestedTerms;
import berth.sla.ServiceClass;
import java.math.BigDecimal;
import java.util.Currency;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.UUID;

/** What a client asks for: what is not said is left out, so at the least a first fit that is confirmed at once. */
record Request(
        int number, RequestedTerms terms, ServiceClass serviceClass, OptionalLong chosenStart, OptionalLong heldFor) {

    private static final Origin ADA = new Origin("ada", Optional.empty(), Optional.empty());

    /** The {@code number} names the reservation. */
    static Request of(int number, int pes, long duration) {
        var terms = new RequestedTerms(OptionalLong.empty(), OptionalLong.empty(), duration, pes, Optional.empty());
        return new Request(number, terms, ServiceClass.STANDARD, OptionalLong.empty(), OptionalLong.empty());
    }

    static ReservationId id(int number) {
        return new ReservationId(new UUID(0, number));
    }

    static Money usd(String amount) {
        return new Money(new BigDecimal(amount), Currency.getInstance("USD"));
    }

    Request ready(long second) {
        return with(new RequestedTerms(
                OptionalLong.of(second), terms.deadline(), terms.duration(), terms.pes(), terms.budget()));
    }

    Request deadline(long second) {
        return with(new RequestedTerms(
                terms.readyTime(), OptionalLong.of(second), terms.duration(), terms.pes(), terms.budget()));
    }

    Request budget(String amount) {
        return budget(usd(amount));
    }

    Request budget(Money budget) {
        return with(new RequestedTerms(
                terms.readyTime(), terms.deadline(), terms.duration(), terms.pes(), Optional.of(budget)));
    }

    private Request with(RequestedTerms changed) {
        return new Request(number, changed, serviceClass, chosenStart, heldFor);
    }

    Request premium() {
        return new Request(number, terms, ServiceClass.PREMIUM, chosenStart, heldFor);
    }

    Request start(long second) {
        return new Request(number, terms, serviceClass, OptionalLong.of(second), heldFor);
    }

    Request hold(long seconds) {
        return new Request(number, terms, serviceClass, chosenStart, OptionalLong.of(seconds));
    }

    Reserve reserve() {
        return new Reserve(id(number), ADA, serviceClass, terms, chosenStart, heldFor);
    }

    /** The question that leads to this request; a probe knows nothing of chosen starts and holds. */
    Probe probe(int limit) {
        return new Probe(terms, serviceClass, limit);
    }
}
