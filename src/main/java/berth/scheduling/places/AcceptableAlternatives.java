package berth.scheduling.places;

import berth.scheduling.ClusterSchedule;
import berth.scheduling.places.Alternatives.Alternative;
import berth.sla.Customer;
import berth.sla.Leeway;
import berth.sla.RequestedTerms;
import java.util.List;
import java.util.OptionalLong;

/**
 * A read-only question: which {@linkplain Alternatives alternative} does a client get that accepts one if there is no room for its request?
 * Paper 000, section 4.3, takes the nearest within a threshold for φ.
 *
 * @param terms the requested terms
 * @param start the chosen start, in seconds since the epoch; empty if the policy chooses
 * @param customer the account that asks
 * @param hold how long the place would be held first, in seconds; counts in the price
 * @param leeway how far outside the window a slot may lie
 */
public record AcceptableAlternatives(
        RequestedTerms terms, OptionalLong start, Customer customer, long hold, Leeway leeway) {

    /** The most alternatives to find. It exceeds the number that refusals list, because some of those found may not be acceptable. */
    private static final int MAX = 100;

    /** Returns the acceptable alternatives, nearest first. */
    public List<Alternative> ask(ClusterSchedule schedule, long now) {
        var cluster = schedule.cluster();
        var maxPhi = leeway.maxPhi(cluster.policy().alternativesMaxPhi());
        return new Alternatives(terms, start, customer, hold, true, maxPhi, MAX)
                .ask(schedule, now).found().stream()
                        .filter(alternative -> leeway.takes(alternative.phi()))
                        .toList();
    }
}
