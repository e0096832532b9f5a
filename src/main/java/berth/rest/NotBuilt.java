package berth.rest;

import java.util.Optional;
import java.util.Set;

/** The fields of the contract that this version does not know yet. A client that sends one hears so. */
final class NotBuilt {

    private static final Set<String> FIELDS = Set.of(
            "terms.minPes",
            "terms.maxPes",
            "terms.moldability",
            "terms.preemption",
            "terms.requires",
            "terms.fixAfter",
            "terms.fixBefore",
            "acceptAlternatives",
            "maxPhi",
            "orderBy",
            "intake",
            "priority",
            "limits",
            "policy.replanOrder",
            "policy.notice",
            "policy.availability",
            "policy.makespanWeight",
            "policy.minAvailability",
            "policy.maxSlots",
            "policy.minSlotGap",
            "policy.alternativesMaxPhi",
            "policy.claimWithin",
            "policy.limits",
            "tariff.preemptionIncentive",
            "tariff.renegotiationSurcharge",
            "tariff.breachCredit");

    /** Filters of the list of reservations. */
    private static final Set<String> PARAMETERS = Set.of("cluster", "state", "project", "from", "to");

    private NotBuilt() {}

    /** @throws Problem if one of the parameters is a filter that is not built yet */
    static void requireNone(Set<String> parameters) {
        parameters.stream().filter(PARAMETERS::contains).findFirst().ifPresent(parameter -> {
            throw Problem.notBuilt(parameter, null, "leave it out");
        });
    }

    /** The problem of a request with this field, if the field belongs to the contract. */
    static Optional<Problem> problem(String field) {
        return FIELDS.contains(field) ? Optional.of(Problem.notBuilt(field, null, "leave it out")) : Optional.empty();
    }
}
