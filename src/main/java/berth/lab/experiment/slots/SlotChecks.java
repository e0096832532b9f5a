package berth.lab.experiment.slots;

import static berth.lab.experiment.slots.SlotPolicy.FF;

import berth.lab.experiment.Check;
import berth.lab.experiment.Curves;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Checks and texts that several claims share. */
final class SlotChecks {
    private SlotChecks() {}

    /** Checks that first fit has the lowest slowdown. */
    static List<Check> quickest(Curves<SlotPolicy> slowdown) {
        List<Check> checks = new ArrayList<>();
        for (int i = 0; i < slowdown.points().size(); i++) {
            int at = i;
            List<SlotPolicy> others =
                    slowdown.keys().stream().filter(policy -> policy != FF).toList();
            checks.add(new Check(
                    "FF has the lowest slowdown at " + slowdown.points().get(i),
                    others.stream().allMatch(policy -> slowdown.at(policy, at).isAbove(slowdown.at(FF, at))),
                    named(slowdown, at)));
        }
        return checks;
    }

    /** Returns the highest mean of all policies except some. */
    static double highestBut(Curves<SlotPolicy> curves, int at, List<SlotPolicy> without) {
        return curves.keys().stream()
                .filter(policy -> !without.contains(policy))
                .mapToDouble(policy -> curves.at(policy, at).mean())
                .max()
                .orElseThrow();
    }

    /** Formats the difference of two policies as figures of a check. */
    static String difference(Curves<SlotPolicy> curves, SlotPolicy one, SlotPolicy other, int at) {
        return "%s − %s: %s"
                .formatted(
                        one,
                        other,
                        curves.at(one, at).minus(curves.at(other, at)).estimate());
    }

    /** Formats the mean of every policy as figures of a check. */
    static String named(Curves<SlotPolicy> curves, int at) {
        return String.join(
                ", ",
                curves.keys().stream()
                        .map(policy -> policy + " " + Check.number(mean(curves, policy, at)))
                        .toList());
    }

    /** Formats the means at the first and the last point, as in {@code PE_W 94.8 to 53.8, FF 91.2 to 45.9}. */
    static String ends(Curves<SlotPolicy> curves, String number, SlotPolicy... policies) {
        int last = curves.points().size() - 1;
        return Stream.of(policies)
                .map(policy -> text(
                        "%s " + number + " to " + number, policy, mean(curves, policy, 0), mean(curves, policy, last)))
                .collect(Collectors.joining(", "));
    }

    /** Returns how far the mean of a policy is above that of another. */
    static double lead(Curves<SlotPolicy> curves, SlotPolicy one, SlotPolicy other, int at) {
        return mean(curves, one, at) - mean(curves, other, at);
    }

    /** Returns all checks together. */
    @SafeVarargs
    static List<Check> joined(List<Check>... checks) {
        return Stream.of(checks).flatMap(List::stream).toList();
    }

    static double mean(Curves<SlotPolicy> curves, SlotPolicy policy, int at) {
        return curves.at(policy, at).mean();
    }

    static String text(String format, Object... values) {
        return String.format(Locale.ROOT, format, values);
    }
}
