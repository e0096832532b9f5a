package berth.budget;

import berth.reservation.Reservation;
import java.math.BigDecimal;
import java.util.Currency;
import java.util.Optional;
import org.pcollections.HashTreePMap;
import org.pcollections.PMap;

/**
 * What projects that must keep to their budgets can still spend, as a decision finds it. Reservations that are filed under anything else
 * have no place in it.
 *
 * @param byProject what is there for each of them
 */
public record Funds(PMap<String, Fund> byProject) {

    /** No project has to keep to a budget. */
    public static final Funds FREE = new Funds(HashTreePMap.empty());

    /**
     * What a project can still spend.
     *
     * @param unit of its budget; empty: it has none yet, and can spend nothing
     * @param available less than 0 where more was promised than is there by now
     */
    public record Fund(Optional<BudgetUnit> unit, BigDecimal available) {

        private Fund less(BigDecimal amount) {
            return new Fund(unit, available.subtract(amount));
        }
    }

    /** What a decision would take that is not there. */
    public record Shortage(String project, BudgetUnit unit, BigDecimal available, BigDecimal needed) {}

    /** What there is after a reservation has become another. */
    public Funds after(Optional<Reservation> before, Reservation after) {
        var project = after.origin().project();
        return project.flatMap(this::fund)
                .flatMap(fund -> fund.unit().map(unit -> {
                    var taken = Dues.of(after).taken(unit);
                    var had = before.map(one -> Dues.of(one).taken(unit)).orElse(BigDecimal.ZERO);
                    return new Funds(byProject.plus(project.get(), fund.less(taken.subtract(had))));
                }))
                .orElse(this);
    }

    private Optional<Fund> fund(String project) {
        return Optional.ofNullable(byProject.get(project));
    }

    /** What a project is short of where these funds have become {@code after}; empty where it is not, or spends less than before. */
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

    /** Why a project cannot pay at all what costs money of a currency, whatever it costs; empty if it can. */
    public Optional<String> obstacle(Optional<String> project, Currency currency) {
        return project.flatMap(this::fund).flatMap(fund -> {
            if (fund.unit().isEmpty()) {
                return Optional.of("has no budget yet, and must keep to one; ask for a grant");
            }
            return fund.unit().filter(unit -> unit.pays(currency)).isPresent()
                    ? Optional.empty()
                    : Optional.of("has a budget in %s, and the cluster charges %s; choose another cluster or project"
                            .formatted(fund.unit().flatMap(BudgetUnit::money).orElseThrow(), currency));
        });
    }
}
