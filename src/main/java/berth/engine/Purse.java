package berth.engine;

import berth.budget.Dues;
import berth.budget.LowBudget;
import berth.engine.Budgets.Step;
import berth.engine.Budgets.Taken;
import berth.reservation.ClusterId;
import berth.reservation.Reservation;
import berth.reservation.ReservationId;
import berth.scheduling.Basis;
import berth.scheduling.ClusterSchedule;
import berth.scheduling.Decision;
import berth.scheduling.Event;
import berth.scheduling.Event.BudgetEvent;
import berth.scheduling.Event.ReservationEvent;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/** The amounts that the decisions of a batch take from project budgets until the batch is recorded or dropped. */
final class Purse {

    private final Budgets budgets;
    private final List<Taken> taken = new ArrayList<>();
    private final List<Step> steps = new ArrayList<>();
    private final List<LowBudget> untold = new ArrayList<>();

    Purse(Budgets budgets) {
        this.budgets = budgets;
    }

    /** Whether automatic changes may reserve anything. */
    boolean isOpen() {
        return budgets.isReady();
    }

    /**
     * Makes a decision with the present funds and takes the amount it needs. If another desk has taken it meanwhile, the decision is
     * repeated.
     */
    Decision decide(Basis basis, Function<Basis, Decision> decision) {
        while (true) {
            var offer = budgets.offer(basis.now());
            var decided = decision.apply(basis.funded(offer.funds()));
            if (!(decided instanceof Decision.Accepted accepted)) {
                return decided;
            }
            var changes = steps(basis.schedule(), accepted.events());
            if (changes.isEmpty()) {
                return accepted;
            }
            var needed = budgets.take(offer, changes, basis.now());
            if (needed.isPresent()) {
                steps.addAll(changes);
                taken.add(needed.get());
                untold.addAll(needed.get().low());
                return accepted;
            }
        }
    }

    /** Notes events that happen regardless of funds. */
    void note(ClusterSchedule before, List<Event> events) {
        steps.addAll(steps(before, events));
    }

    /** Returns the low-budget events since the last decision. */
    List<Event> low(long now) {
        var low = untold.stream()
                .<Event>map(budget -> new BudgetEvent(budget, now))
                .toList();
        untold.clear();
        return low;
    }

    void recorded(ClusterId cluster, long sequence) {
        budgets.recorded(cluster, sequence, taken, steps);
        taken.clear();
    }

    /** Gives back what was taken and not recorded. */
    void dropped() {
        budgets.dropped(taken);
        taken.clear();
    }

    private static List<Step> steps(ClusterSchedule before, List<Event> events) {
        var changes = new ArrayList<Step>();
        Map<ReservationId, Reservation> seen = new HashMap<>();
        for (var event : events) {
            if (event instanceof ReservationEvent(var _, var after, var _, var _, var _, var _)) {
                after.origin().project().ifPresent(project -> {
                    var was = seen.containsKey(after.id())
                            ? Dues.of(seen.get(after.id()))
                            : before.findBilled(after.id()).map(Dues::of).orElseGet(() -> Dues.none(after.price()));
                    seen.put(after.id(), after);
                    changes.add(new Step(project, was, Dues.of(after)));
                });
            }
        }
        return changes;
    }
}
