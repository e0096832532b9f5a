package berth.lab.experiment.flexible;

import static berth.cluster.ReplanOrder.EARLIEST_DEADLINE_FIRST;
import static berth.cluster.ReplanOrder.SHUFFLE;
import static berth.lab.experiment.PaperClaim.NO_FIGURE;

import berth.cluster.ReplanOrder;
import berth.lab.experiment.Check;
import berth.lab.experiment.Estimate;
import berth.lab.experiment.PaperClaim;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Collectors;

/** The claims of paper 000 about replan orders: text, rule and result of each. */
record OrderClaims(FlexibleEvidence evidence) {
    PaperClaim bestOrder() {
        return PaperClaim.judged(
                evidence.isRepeated(),
                "000-C1",
                "Earliest deadline first uses more of the machine than any other order wherever intervals are"
                        + " flexible.",
                "at each load and each flexible interval, the mean of EDF is the highest of the five, and the 95 %"
                        + " interval of the paired differences EDF − Shuffle lies above 0",
                this::checkBestOrder,
                NO_FIGURE,
                this::ourBestOrder);
    }

    private List<Check> checkBestOrder() {
        List<Check> checks = new ArrayList<>();
        FlexibleClaims.everywhere((load, interval) -> {
            checks.add(new Check(
                    "EDF is highest at " + FlexibleClaims.place(load, interval),
                    best(interval, load) == EARLIEST_DEADLINE_FIRST,
                    named(interval, load)));
            Estimate lead = evidence.edf(interval, load)
                    .minus(evidence.used(Scenario.of(SHUFFLE, interval, load)))
                    .estimate();
            checks.add(new Check(
                    "EDF is above Shuffle at " + FlexibleClaims.place(load, interval), lead.isAbove(0), "by " + lead));
        });
        return checks;
    }

    private String ourBestOrder() {
        return "EDF %s points above Shuffle"
                .formatted(FlexibleClaims.range((load, interval) -> evidence.edf(interval, load)
                                .mean()
                        - evidence.used(Scenario.of(SHUFFLE, interval, load)).mean()));
    }

    PaperClaim sameRanking() {
        return PaperClaim.judged(
                evidence.isRepeated(),
                "000-C2",
                "The ranking of the orders does not depend on the load.",
                "for each flexible interval, the same order has the highest mean at every load, and no two orders"
                        + " change places. Two orders change places if the 95 % interval of their paired differences"
                        + " lies above 0 at one load and below 0 at another",
                this::checkSameRanking,
                NO_FIGURE,
                this::ourSameRanking);
    }

    private List<Check> checkSameRanking() {
        List<Check> checks = new ArrayList<>();
        for (Interval interval : FlexibleStudy.FLEXIBLE) {
            var best = FlexibleStudy.LOADS.stream()
                    .map(load -> best(interval, load))
                    .toList();
            checks.add(new Check(
                    interval + ": the same order is best at every load",
                    best.stream().distinct().count() == 1,
                    best.toString()));
            var reversed = reversed(interval);
            checks.add(new Check(interval + ": no two orders change places", reversed.isEmpty(), reversed.toString()));
        }
        return checks;
    }

    private String ourSameRanking() {
        List<String> rankings = new ArrayList<>();
        for (double load : FlexibleStudy.LOADS) {
            FlexibleStudy.FLEXIBLE.forEach(interval -> rankings.add(ranking(interval, load)));
        }
        List<String> distinct = rankings.stream().distinct().toList();
        return distinct.size() == 1
                ? "%s at all %d points".formatted(distinct.getFirst(), rankings.size())
                : "%d rankings at %d points".formatted(distinct.size(), rankings.size());
    }

    private List<String> reversed(Interval interval) {
        List<String> reversed = new ArrayList<>();
        var orders = FlexibleStudy.ORDERS;
        for (int i = 0; i < orders.size(); i++) {
            for (ReplanOrder other : orders.subList(i + 1, orders.size())) {
                ReplanOrder one = orders.get(i);
                var leads = FlexibleStudy.LOADS.stream()
                        .map(load -> evidence.used(Scenario.of(one, interval, load))
                                .minus(evidence.used(Scenario.of(other, interval, load)))
                                .estimate())
                        .toList();
                if (leads.stream().anyMatch(lead -> lead.isAbove(0))
                        && leads.stream().anyMatch(lead -> lead.isBelow(0))) {
                    reversed.add("%s − %s: %s".formatted(one, other, leads));
                }
            }
        }
        return reversed;
    }

    private String ranking(Interval interval, double load) {
        return FlexibleStudy.ORDERS.stream()
                .sorted(Comparator.comparingDouble((ReplanOrder order) ->
                        -evidence.used(Scenario.of(order, interval, load)).mean()))
                .map(FlexibleResults::name)
                .collect(Collectors.joining(" > "));
    }

    private ReplanOrder best(Interval interval, double load) {
        return FlexibleStudy.ORDERS.stream()
                .max(Comparator.comparingDouble(order ->
                        evidence.used(Scenario.of(order, interval, load)).mean()))
                .orElseThrow();
    }

    private String named(Interval interval, double load) {
        return String.join(
                ", ",
                FlexibleStudy.ORDERS.stream()
                        .map(order -> order + " "
                                + Check.number(evidence.used(Scenario.of(order, interval, load))
                                        .mean()))
                        .toList());
    }
}
