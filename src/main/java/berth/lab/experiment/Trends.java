package berth.lab.experiment;

import java.util.ArrayList;
import java.util.List;

/** Checks of the direction of every line of some curves. */
public final class Trends {
    private Trends() {}

    /**
     * Checks that lines fall throughout: each mean is below the previous one, and from the first point to the last the interval of the
     * paired differences is below 0. Returns, for each line, a check for each step and one for the whole.
     */
    public static <K> List<Check> falls(Curves<K> curves) {
        return allTheWay(curves, -1);
    }

    /** Checks that lines rise throughout, by the rule of {@link #falls} upside down. */
    public static <K> List<Check> rises(Curves<K> curves) {
        return allTheWay(curves, 1);
    }

    /**
     * Checks that lines rise in general: from the first point to the last the interval of the paired differences is above 0, and at most
     * one mean is below the previous one. Returns two checks for each line.
     */
    public static <K> List<Check> risesInGeneral(Curves<K> curves) {
        List<Check> checks = new ArrayList<>();
        for (K key : curves.keys()) {
            checks.add(whole(curves, key, 1));
            List<Sample> line = curves.line(key);
            int against = 0;
            for (int i = 1; i < line.size(); i++) {
                against += line.get(i).mean() < line.get(i - 1).mean() ? 1 : 0;
            }
            checks.add(new Check("%s falls at most once".formatted(key), against <= 1, means(line)));
        }
        return checks;
    }

    private static <K> List<Check> allTheWay(Curves<K> curves, int sign) {
        List<Check> checks = new ArrayList<>();
        for (K key : curves.keys()) {
            for (int i = 1; i < curves.points().size(); i++) {
                checks.add(step(curves, key, i, sign));
            }
            checks.add(whole(curves, key, sign));
        }
        return checks;
    }

    private static <K> Check step(Curves<K> curves, K key, int to, int sign) {
        Sample before = curves.at(key, to - 1);
        Sample after = curves.at(key, to);
        return new Check(
                "%s %s from %s to %s"
                        .formatted(
                                key,
                                verb(sign),
                                curves.points().get(to - 1),
                                curves.points().get(to)),
                sign * (after.mean() - before.mean()) > 0,
                means(List.of(before, after)));
    }

    private static <K> Check whole(Curves<K> curves, K key, int sign) {
        Estimate change =
                curves.line(key).getLast().minus(curves.line(key).getFirst()).estimate();
        return new Check(
                "%s %s overall".formatted(key, verb(sign)),
                sign > 0 ? change.isAbove(0) : change.isBelow(0),
                "by " + change);
    }

    private static String verb(int sign) {
        return sign > 0 ? "rises" : "falls";
    }

    /** Returns the means as figures of a check. */
    public static String means(List<Sample> samples) {
        return String.join(
                ", ",
                samples.stream().map(sample -> Check.number(sample.mean())).toList());
    }
}
