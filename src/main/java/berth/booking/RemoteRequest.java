package berth.booking;

import berth.sla.RequestedTerms;
import java.math.BigDecimal;
import java.time.Instant;
import java.util.Optional;
import java.util.OptionalLong;
import tools.jackson.databind.JsonNode;

/**
 * A request to another Berth, against which its answer is checked, because the other Berth is not trusted.
 *
 * @param start the requested start; empty for any within the window
 */
public record RemoteRequest(RequestedTerms terms, OptionalLong start) {

    /** Whether a reservation in the answer has a place as requested, the PEs, and a price within the budget. */
    public boolean isMetBy(JsonNode reservation) {
        var placement = reservation.path("placement");
        long from = second(placement, "start");
        boolean isInTime = start.isEmpty() || from == start.getAsLong();
        boolean isInWindow = from >= terms.readyTime().orElse(Long.MIN_VALUE)
                && second(placement, "end") <= terms.deadline().orElse(Long.MAX_VALUE);
        return isInTime
                && isInWindow
                && hasPes(placement.path("pes").asInt(0))
                && isAffordable(reservation.path("price"));
    }

    private static long second(JsonNode placement, String name) {
        return Instant.parse(placement.path(name).asString("")).getEpochSecond();
    }

    private boolean hasPes(int pes) {
        return pes >= RemoteCluster.fewest(terms) && pes <= terms.pes();
    }

    private boolean isAffordable(JsonNode price) {
        return terms.budget()
                .map(budget -> budget.currency()
                                .getCurrencyCode()
                                .equals(price.path("currency").asString(""))
                        && amount(price)
                                .filter(owed -> owed.compareTo(budget.amount()) <= 0)
                                .isPresent())
                .orElse(true);
    }

    private static Optional<BigDecimal> amount(JsonNode price) {
        try {
            return Optional.of(new BigDecimal(price.path("amount").asString("")));
        } catch (NumberFormatException e) {
            return Optional.empty();
        }
    }
}
