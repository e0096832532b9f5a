package berth.scheduling;

import berth.availability.CapacityProfile;
import berth.sla.Money;
import berth.sla.RequestedTerms;
import berth.sla.RequestedTerms.Resolution;
import berth.sla.ServiceClass;
import berth.sla.Terms;
import berth.sla.Violation;
import berth.time.Slot;
import berth.time.Window;
import java.util.Arrays;
import java.util.List;
import java.util.OptionalLong;

/**
 * Whether and where a request fits into a schedule: what a probe shows and a reservation gets.
 *
 * <p>The place is the first fit of paper 000, section 3.2: the earliest start in {@code [ready time, deadline -
 * duration]} with enough PEs free for the whole run. Two things are added: the client may choose the start itself, and a
 * place that costs more than the budget is passed over. Since a later start never costs more, the affordable places are
 * those from some start on, which is found by bisection.
 */
final class Admission {

    private final ClusterSchedule schedule;
    private final Terms terms;
    private final ServiceClass serviceClass;

    private Admission(ClusterSchedule schedule, Terms terms, ServiceClass serviceClass) {
        this.schedule = schedule;
        this.terms = terms;
        this.serviceClass = serviceClass;
    }

    /** A request that could be granted some day, or why it never can. */
    sealed interface Opening {
        record Open(Admission admission) implements Opening {}

        record Closed(Rejection reason) implements Opening {}
    }

    static Opening open(ClusterSchedule schedule, RequestedTerms asked, ServiceClass serviceClass, long now) {
        var cluster = schedule.cluster();
        return switch (asked.resolve(now, cluster.horizon())) {
            case Resolution.Invalid(var violations) -> new Opening.Closed(new Rejection.InvalidTerms(violations));
            case Resolution.Resolved(var terms) -> {
                var currency = cluster.tariff().currency();
                if (terms.budget().isPresent()
                        && !terms.budget().get().currency().equals(currency)) {
                    yield new Opening.Closed(new Rejection.InvalidTerms(
                            List.of(new Violation("budget", "must be in the cluster's currency, " + currency))));
                }
                if (terms.pes() > cluster.pes()) {
                    yield new Opening.Closed(new Rejection.NeverFits(terms.pes(), cluster.pes()));
                }
                yield new Opening.Open(new Admission(schedule, terms, serviceClass));
            }
        };
    }

    Terms terms() {
        return terms;
    }

    Money price(long start) {
        return schedule.cluster().tariff().price(terms, start, serviceClass);
    }

    /** A place for the run, or why there is none. */
    sealed interface Search {
        record Found(Slot slot, Money price) implements Search {}

        record Nothing(Rejection reason) implements Search {}
    }

    /** The place at exactly {@code start}. */
    Search at(long start) {
        if (start < terms.window().readyTime() || start > terms.latestStart()) {
            return new Search.Nothing(new Rejection.InvalidTerms(List.of(
                    new Violation("start", "must lie between the ready time and the deadline less the duration"))));
        }
        if (profile().fewestFree(Slot.of(start, terms.duration())) < terms.pes()) {
            return new Search.Nothing(new Rejection.NoSlot());
        }
        return affordable(price(start)) ? found(start) : overBudget(start);
    }

    /** The first fit within the budget. */
    Search firstFit() {
        return firstFit(terms.window().readyTime());
    }

    /** The first fit within the budget that starts at {@code earliest}, which is not before the ready time, or later. */
    Search firstFit(long earliest) {
        var first = earliestFit(earliest);
        if (first.isEmpty()) {
            return new Search.Nothing(new Rejection.NoSlot());
        }
        if (affordable(price(first.getAsLong()))) {
            return found(first.getAsLong());
        }
        if (!affordable(price(terms.latestStart()))) {
            return overBudget(first.getAsLong());
        }
        var within = earliestFit(firstAffordable(first.getAsLong()));
        return within.isPresent() ? found(within.getAsLong()) : overBudget(first.getAsLong());
    }

    /** The earliest start of every gap that can hold the run, ascending; whatever it costs. */
    List<Long> fits(int limit) {
        return Arrays.stream(profile().fitStarts(terms.window(), terms.duration(), terms.pes(), limit))
                .boxed()
                .toList();
    }

    boolean affordable(Money price) {
        return terms.budget().isEmpty() || !price.exceeds(terms.budget().get());
    }

    private OptionalLong earliestFit(long earliest) {
        return earliest > terms.latestStart()
                ? OptionalLong.empty()
                : profile().earliestFit(new Window(earliest, terms.window().deadline()), terms.duration(), terms.pes());
    }

    /** The earliest affordable start after {@code tooEarly}, which is not; the latest start is. */
    private long firstAffordable(long tooEarly) {
        long below = tooEarly;
        long at = terms.latestStart();
        while (at - below > 1) {
            long middle = below + (at - below) / 2;
            if (affordable(price(middle))) {
                at = middle;
            } else {
                below = middle;
            }
        }
        return at;
    }

    private Search found(long start) {
        return new Search.Found(Slot.of(start, terms.duration()), price(start));
    }

    private Search overBudget(long start) {
        return new Search.Nothing(
                new Rejection.OverBudget(price(start), terms.budget().orElseThrow()));
    }

    private CapacityProfile profile() {
        return schedule.profile();
    }
}
