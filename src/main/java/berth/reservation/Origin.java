package berth.reservation;

import berth.sla.AccountName;
import berth.sla.ServiceClass;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/**
 * Who asked for a reservation, and what they call it.
 *
 * @param owner the account
 * @param serviceClass how the account was classed then
 * @param name the client's own label
 * @param project what the client files it under
 * @param phi how far from what was asked for the alternative lies that was accepted, in run times: paper 000's φ, less than 0
 *     where it is earlier; rounded to six decimals; empty if it is no alternative
 * @param tried what was tried before, for a request that named no cluster
 * @param users who may run jobs in it, by their names on the machine; none: the owner. Rows of the journal from before they could be named say
 *     nothing
 * @param occurrence which one of a series it is; empty: it stands alone
 */
public record Origin(
        AccountName owner,
        ServiceClass serviceClass,
        Optional<String> name,
        Optional<String> project,
        Optional<BigDecimal> phi,
        List<TriedCluster> tried,
        List<String> users,
        Optional<Occurrence> occurrence) {

    private static final int DECIMALS = 6;

    /** Rounds φ. */
    public Origin {
        phi = phi.map(distance -> distance.setScale(DECIMALS, RoundingMode.HALF_UP));
        tried = List.copyOf(tried);
        users = List.copyOf(Objects.requireNonNullElse(users, List.of()));
    }

    /** For its owner. */
    public Origin(
            AccountName owner,
            ServiceClass serviceClass,
            Optional<String> name,
            Optional<String> project,
            Optional<BigDecimal> phi,
            List<TriedCluster> tried) {
        this(owner, serviceClass, name, project, phi, tried, List.of(), Optional.empty());
    }

    /** Nothing was tried before. */
    public Origin(
            AccountName owner,
            ServiceClass serviceClass,
            Optional<String> name,
            Optional<String> project,
            Optional<BigDecimal> phi) {
        this(owner, serviceClass, name, project, phi, List.of());
    }

    /** It is what was asked for. */
    public Origin(AccountName owner, ServiceClass serviceClass, Optional<String> name, Optional<String> project) {
        this(owner, serviceClass, name, project, Optional.empty());
    }

    /** The same, for these users. */
    public Origin of(List<String> others) {
        return new Origin(owner, serviceClass, name, project, phi, tried, others, occurrence);
    }

    /** The same, but that an alternative is accepted that lies so far from what was asked for. */
    public Origin accepting(BigDecimal distance) {
        return new Origin(owner, serviceClass, name, project, Optional.of(distance), tried, users, occurrence);
    }

    /** The same, but that all that was tried before. */
    public Origin after(List<TriedCluster> others) {
        return new Origin(owner, serviceClass, name, project, phi, others, users, occurrence);
    }

    /** The same, as one of a series. */
    public Origin as(Occurrence which) {
        return new Origin(owner, serviceClass, name, project, phi, tried, users, Optional.of(which));
    }
}
