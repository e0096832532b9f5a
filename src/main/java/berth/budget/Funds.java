package berth.budget;

import berth.approval.ApprovalRules;
import berth.reservation.Reservation;
import berth.sla.AccountName;
import java.math.BigDecimal;
import java.util.Currency;
import java.util.Optional;
import org.pcollections.HashTreePMap;
import org.pcollections.PMap;

/**
 * Who may spend for which project, and what projects with enforced budgets can still spend, as one decision sees it.
 *
 * @param byProject the funds of each project with an enforced budget, by its id
 * @param filing who may file
 */
public record Funds(PMap<String, Fund> byProject, Filing filing) {

    /** Everybody may file under every label, and no project has an enforced budget. */
    public static final Funds FREE = new Funds(HashTreePMap.empty(), (_, _) -> true);

    /** Tells who may file under a label at present, and whose approval that needs. */
    @FunctionalInterface
    public interface Filing {

        /** Whether the account may file under that label. */
        boolean isOpen(AccountName account, String label);

        /** Whether that label is a project; every label counts as one where there are no projects. */
        default boolean isProject(String label) {
            return true;
        }

        /** Returns the rules by which the project with that label asks for approval. */
        default ApprovalRules approval(String label) {
            return ApprovalRules.NONE;
        }

        /** Whether the account is an owner of the project with that label. */
        default boolean owns(AccountName account, String label) {
            return false;
        }

        /** Whether the account is an administrator of the service. */
        default boolean isAdministrator(AccountName account) {
            return false;
        }
    }

    /**
     * The amount that one project can still spend.
     *
     * @param unit the unit of its budget; empty if it has none yet and can spend nothing
     * @param available the amount; negative if the project has committed more than it now has
     */
    public record Fund(Optional<BudgetUnit> unit, BigDecimal available) {

        private Fund less(BigDecimal amount) {
            return new Fund(unit, available.subtract(amount));
        }
    }

    /** An amount that a decision needs and a project lacks. */
    public record Shortage(String project, BudgetUnit unit, BigDecimal available, BigDecimal needed) {}

    /** Returns the funds after a reservation has changed. */
    public Funds after(Optional<Reservation> before, Reservation after) {
        var project = after.origin().project();
        return project.flatMap(this::fund)
                .flatMap(fund -> fund.unit().map(unit -> {
                    var taken = Dues.of(after).taken(unit);
                    var had = before.map(one -> Dues.of(one).taken(unit)).orElse(BigDecimal.ZERO);
                    return new Funds(byProject.plus(project.get(), fund.less(taken.subtract(had))), filing);
                }))
                .orElse(this);
    }

    private Optional<Fund> fund(String project) {
        return Optional.ofNullable(byProject.get(project));
    }

    /**
     * Returns the project for which a change would take more, in money or in PE-seconds, than it does now, although the account that made
     * the reservation may not file under it; empty if there is none.
     */
    public Optional<String> closed(Optional<Reservation> before, Reservation after) {
        return after.origin()
                .project()
                .filter(project ->
                        Dues.of(after).isMoreThan(before.map(Dues::of).orElseGet(() -> Dues.none(after.price()))))
                .filter(project -> !filing.isOpen(after.origin().owner(), project));
    }

    /**
     * Returns the amount that a project would lack if these funds became {@code after}; empty if there is enough, or if the project would
     * spend less than before.
     */
    public Optional<Shortage> shortage(Optional<String> project, Funds after) {
        return project.flatMap(id -> {
            var before = fund(id);
            var left = after.fund(id);
            return before.flatMap(Fund::unit).flatMap(unit -> {
                var available = before.get().available();
                var needed = available.subtract(left.orElseThrow().available());
                return needed.signum() > 0 && needed.compareTo(available) > 0
                        ? Optional.of(new Shortage(id, unit, available, needed))
                        : Optional.empty();
            });
        });
    }

    /** Returns what a project lacks for a reservation for which it holds the price already; empty if it can pay. */
    public Optional<Shortage> overdrawn(Reservation reservation) {
        var project = reservation.origin().project();
        return project.flatMap(this::fund)
                .filter(fund -> fund.available().signum() < 0)
                .flatMap(fund -> fund.unit().map(unit -> {
                    var held = Dues.of(reservation).taken(unit);
                    return new Shortage(project.get(), unit, fund.available().add(held), held);
                }));
    }

    /** Returns the reason why a project cannot pay any price in a currency; empty if it can. */
    public Optional<String> obstacle(Optional<String> project, Currency currency) {
        return project.flatMap(this::fund).flatMap(fund -> {
            if (fund.unit().isEmpty()) {
                return Optional.of("must keep to a budget, but has no grant yet; ask for a grant");
            }
            return fund.unit().filter(unit -> unit.pays(currency)).isPresent()
                    ? Optional.empty()
                    : Optional.of("has a budget in %s, but the cluster charges in %s; choose another cluster or project"
                            .formatted(fund.unit().flatMap(BudgetUnit::money).orElseThrow(), currency));
        });
    }
}
