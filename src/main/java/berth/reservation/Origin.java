package berth.reservation;

import berth.sla.AccountName;
import berth.sla.Customer;
import berth.sla.ServiceClass;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * Who requested a reservation, and how the client labelled it.
 *
 * @param owner the account
 * @param serviceClass the class of the account at the time of the request
 * @param labels what the client wrote on it
 * @param phi how far an accepted alternative lies from the requested window, in run times, rounded to six decimals: paper 000's φ, negative
 *     if it is earlier; empty if it is not an alternative
 * @param tried the clusters that were tried before, for a request without a cluster
 * @param users the machine's names of the users who may run jobs in it; empty means the owner. Journal rows older than this field lack it
 * @param occurrence the occurrence of the series that it is; empty if it belongs to none
 * @param firstVersion the version with which the reservation begins: one more than the last version of the request that was collected or
 *     waited under the same id; empty if the request was decided at once, which makes it 0
 * @param assignment how the owner got it last, or is about to lose it; empty if the owner requested it and has it still
 * @param policyAsks why the site's policy wants a person to approve the reservation; empty if it does not
 */
public record Origin(
        AccountName owner,
        ServiceClass serviceClass,
        ClientLabels labels,
        Optional<BigDecimal> phi,
        List<TriedCluster> tried,
        List<String> users,
        Optional<Occurrence> occurrence,
        OptionalInt firstVersion,
        Optional<Assignment> assignment,
        Optional<String> policyAsks) {

    private static final int DECIMALS = 6;

    /** Rounds φ to six decimals. */
    public Origin {
        phi = phi.map(distance -> distance.setScale(DECIMALS, RoundingMode.HALF_UP));
        tried = List.copyOf(tried);
        users = List.copyOf(Objects.requireNonNullElse(users, List.of()));
    }

    /** Returns the project under which the client filed it. */
    public Optional<String> project() {
        return labels.project();
    }

    /** Returns the account as prices depend on it. */
    public Customer customer() {
        return new Customer(owner, serviceClass);
    }

    /** Creates the origin of a request as it arrives, without named users. */
    public Origin(AccountName owner, ServiceClass serviceClass, ClientLabels labels) {
        this(
                owner,
                serviceClass,
                labels,
                Optional.empty(),
                List.of(),
                List.of(),
                Optional.empty(),
                OptionalInt.empty(),
                Optional.empty(),
                Optional.empty());
    }

    /** Creates the origin of a request without labels. */
    public Origin(AccountName owner, ServiceClass serviceClass) {
        this(owner, serviceClass, ClientLabels.NONE);
    }

    /** Returns the same origin with other users. */
    public Origin withUsers(List<String> others) {
        return with(phi, tried, others, occurrence, firstVersion, assignment, policyAsks);
    }

    /** Returns the same origin for an accepted alternative at that distance from the requested window. */
    public Origin accepting(BigDecimal distance) {
        return with(Optional.of(distance), tried, users, occurrence, firstVersion, assignment, policyAsks);
    }

    /** Returns the same origin with the clusters that were tried before. */
    public Origin after(List<TriedCluster> others) {
        return with(phi, others, users, occurrence, firstVersion, assignment, policyAsks);
    }

    /** Returns the same origin as an occurrence of a series. */
    public Origin as(Occurrence which) {
        return with(phi, tried, users, Optional.of(which), firstVersion, assignment, policyAsks);
    }

    /** Returns the same origin for a reservation that begins with that version. */
    public Origin beginningAt(int version) {
        return with(phi, tried, users, occurrence, OptionalInt.of(version), assignment, policyAsks);
    }

    /** Returns the same origin with an assignment to an account that is or becomes the owner. */
    public Origin assigned(Assignment how) {
        return with(phi, tried, users, occurrence, firstVersion, Optional.of(how), policyAsks);
    }

    /** Returns the same origin of the account to which it is assigned, which takes the place of the owner among the users. */
    public Origin received() {
        var to = assignment.orElseThrow().to();
        var others = users.stream()
                .map(user -> user.equals(owner.value()) ? to.value() : user)
                .distinct()
                .toList();
        return new Origin(
                to, serviceClass, labels, phi, tried, others, occurrence, firstVersion, assignment, policyAsks);
    }

    /** Returns the same origin of a request that a person must approve, because the site's policy wants it. */
    public Origin toApprove(String why) {
        return with(phi, tried, users, occurrence, firstVersion, assignment, Optional.of(why));
    }

    private Origin with(
            Optional<BigDecimal> distance,
            List<TriedCluster> others,
            List<String> names,
            Optional<Occurrence> which,
            OptionalInt version,
            Optional<Assignment> how,
            Optional<String> why) {
        return new Origin(owner, serviceClass, labels, distance, others, names, which, version, how, why);
    }
}
