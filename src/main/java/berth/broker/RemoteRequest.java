package berth.broker;

import berth.sla.RequestedTerms;
import java.math.BigDecimal;
import java.time.Instant;
import java.util.Optional;
import java.util.OptionalLong;
import tools.jackson.databind.JsonNode;

/**
 * What another Berth is asked for, by which its answer is judged: it may be anybody.
 *
 * @param start at which it is to begin; empty: any within the window
 */
record RemoteRequest(RequestedTerms terms, OptionalLong start) {

    /** Whether what it tells of lies where it was asked for, has the PEs and costs no more than the budget. */
    boolean isMetBy(JsonNode reservation) {
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
        return Instant.parse(placement.path(name).asString()).getEpochSecond();
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
