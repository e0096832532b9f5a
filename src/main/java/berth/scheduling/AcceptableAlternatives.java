package berth.scheduling;

import berth.scheduling.Alternatives.Alternative;
import berth.sla.Leeway;
import berth.sla.RequestedTerms;
import berth.sla.ServiceClass;
import java.util.List;
import java.util.OptionalLong;

/**
 * A question without effect: what does a client get that takes {@linkplain Alternatives alternatives} where there is no room
 * for what it asks? Paper 000, section 4.3, takes the nearest within a threshold of φ.
 *
 * @param terms what was asked for
 * @param start the chosen start, seconds since the epoch; empty: as the policy chooses
 * @param serviceClass how the account is classed
 * @param leeway how far it goes
 */
public record AcceptableAlternatives(
        RequestedTerms terms, OptionalLong start, ServiceClass serviceClass, Leeway leeway) {

    /** More than are named: those that are not taken are found, too. */
    private static final int MAX = 100;

    /** Finds them, the nearest first. */
    public List<Alternative> ask(ClusterSchedule schedule, long now) {
        var cluster = schedule.cluster();
        var maxPhi = leeway.maxPhi(cluster.policy().alternativesMaxPhi());
        return new Alternatives(terms.at(start, cluster.rating()), serviceClass, maxPhi, MAX)
                .ask(schedule, now).found().stream()
                        .filter(alternative -> leeway.takes(alternative.phi()))
                        .toList();
    }
}
