package berth.rest;

import java.util.Optional;
import java.util.Set;

/** The fields of the contract that this version does not know yet. A client that sends one hears so. */
final class NotBuilt {

    private static final Set<String> FIELDS = Set.of("orderBy");

    private NotBuilt() {}

    /** The problem of a request with this field, if the field belongs to the contract. */
    static Optional<Problem> problem(String field) {
        return FIELDS.contains(field) ? Optional.of(Problem.notBuilt(field, null, "leave it out")) : Optional.empty();
    }
}
