package berth.experiment.slots;

import static berth.experiment.slots.SlotPolicy.DU_B;
import static berth.experiment.slots.SlotPolicy.DU_W;
import static berth.experiment.slots.SlotPolicy.FF;
import static berth.experiment.slots.SlotPolicy.PEDU_B;
import static berth.experiment.slots.SlotPolicy.PEDU_W;
import static berth.experiment.slots.SlotPolicy.PE_B;
import static berth.experiment.slots.SlotPolicy.PE_W;

import berth.experiment.Check;
import berth.experiment.Curves;
import berth.experiment.Sample;
import berth.experiment.Trends;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** What the claims of paper 004 come down to; {@link SlotClaims} has the rules in words. */
final class SlotChecks {
    private static final double MUCH = 2;
    private static final double STRAIGHT = 0.98;
    private static final int FIRST_PAIR = 0;
    private static final int FOURTH_PAIR = 3;
    private static final int FIFTH_PAIR = 4;

    private SlotChecks() {}

    /** The three pairs that accept nearly the same. */
    static List<Check> pairs(Curves<SlotPolicy> acceptance) {
        List<Check> checks = new ArrayList<>();
        for (int i = 0; i < acceptance.points().size(); i++) {
            checks.add(alike(acceptance, Measure.ACCEPTANCE, PE_W, DU_B, i));
            checks.add(alike(acceptance, Measure.ACCEPTANCE, PEDU_B, PEDU_W, i));
            checks.add(alike(acceptance, Measure.ACCEPTANCE, PE_B, DU_W, i));
        }
        return checks;
    }

    /** Who accepts more than whom. */
    static List<Check> ranking(Curves<SlotPolicy> acceptance) {
        List<Check> checks = new ArrayList<>();
        for (int i = 0; i < acceptance.points().size(); i++) {
            checks.add(best(acceptance, i));
            checks.add(aboveFirstFit(acceptance, PE_W, MUCH, i));
            checks.add(aboveFirstFit(acceptance, DU_B, MUCH, i));
            checks.add(aboveFirstFit(acceptance, PEDU_B, 0, i));
            checks.add(aboveFirstFit(acceptance, PEDU_W, 0, i));
            checks.add(notAboveFirstFit(acceptance, PE_B, i));
            checks.add(notAboveFirstFit(acceptance, DU_W, i));
        }
        return checks;
    }

    /** Who waits longer than whom. */
    static List<Check> waits(Curves<SlotPolicy> slowdown) {
        List<Check> checks = new ArrayList<>(quickest(slowdown));
        for (int i = 0; i < slowdown.points().size(); i++) {
            checks.add(alike(slowdown, Measure.SLOWDOWN, PE_W, DU_B, i));
            checks.add(alike(slowdown, Measure.SLOWDOWN, PE_B, DU_W, i));
            Check areAlike = alike(slowdown, Measure.SLOWDOWN, PEDU_B, PEDU_W, i);
            checks.add(new Check(
                    "PEDU_B and PEDU_W differ at " + slowdown.points().get(i), !areAlike.holds(), areAlike.figures()));
        }
        return checks;
    }

    /** First fit has the lowest slowdown. */
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

    /** Whose acceptance rises along a straight line, and whose does not. */
    static List<Check> steadiness(Curves<SlotPolicy> acceptance) {
        List<Check> checks = new ArrayList<>();
        for (SlotPolicy policy : List.of(PE_W, DU_B, PEDU_B)) {
            List<Sample> line = acceptance.line(policy);
            checks.add(new Check(policy + " rises steadily", isSteady(line), straightness(line)));
        }
        for (SlotPolicy policy : List.of(FF, PEDU_W, PE_B, DU_W)) {
            List<Sample> line = acceptance.line(policy);
            checks.add(new Check(policy + " rises unsteadily", !isSteady(line), straightness(line)));
            checks.add(new Check(
                    policy + " bends most at the fourth pair", sharpestBend(line) == FOURTH_PAIR, straightness(line)));
        }
        return checks;
    }

    /** The most free PEs are the best choice, the more so the more flexible requests are. */
    static List<Check> lead(Curves<SlotPolicy> acceptance) {
        List<Check> checks = new ArrayList<>();
        for (int i = 0; i < acceptance.points().size(); i++) {
            double best = acceptance.at(PE_W, i).mean();
            checks.add(new Check(
                    "PE_W accepts most at " + acceptance.points().get(i),
                    highestBut(acceptance, i, List.of(PE_W)) < best,
                    named(acceptance, i)));
        }
        for (int i : new int[] {FOURTH_PAIR, FIFTH_PAIR}) {
            checks.add(new Check(
                    "PE_W is ahead of DU_B at " + acceptance.points().get(i),
                    acceptance.at(PE_W, i).isAbove(acceptance.at(DU_B, i)),
                    difference(acceptance, PE_W, DU_B, i)));
        }
        checks.add(new Check(
                "the lead of PE_W over DU_B grows",
                leadOverDurationBestFit(acceptance, FIFTH_PAIR) > leadOverDurationBestFit(acceptance, FIRST_PAIR),
                difference(acceptance, PE_W, DU_B, FIRST_PAIR) + "; "
                        + difference(acceptance, PE_W, DU_B, FIFTH_PAIR)));
        return checks;
    }

    private static double leadOverDurationBestFit(Curves<SlotPolicy> acceptance, int at) {
        return acceptance.at(PE_W, at).mean() - acceptance.at(DU_B, at).mean();
    }

    private static Check alike(Curves<SlotPolicy> curves, Measure measure, SlotPolicy one, SlotPolicy other, int at) {
        return new Check(
                "%s and %s are alike at %s"
                        .formatted(one, other, curves.points().get(at)),
                measure.areAlike(curves.at(one, at), curves.at(other, at)),
                difference(curves, one, other, at));
    }

    private static Check best(Curves<SlotPolicy> acceptance, int at) {
        double lower =
                Math.min(acceptance.at(PE_W, at).mean(), acceptance.at(DU_B, at).mean());
        return new Check(
                "PE_W and DU_B accept most at " + acceptance.points().get(at),
                highestBut(acceptance, at, List.of(PE_W, DU_B)) < lower,
                named(acceptance, at));
    }

    private static double highestBut(Curves<SlotPolicy> curves, int at, List<SlotPolicy> without) {
        return curves.keys().stream()
                .filter(policy -> !without.contains(policy))
                .mapToDouble(policy -> curves.at(policy, at).mean())
                .max()
                .orElseThrow();
    }

    private static Check aboveFirstFit(Curves<SlotPolicy> acceptance, SlotPolicy policy, double least, int at) {
        Sample sample = acceptance.at(policy, at);
        Sample firstFit = acceptance.at(FF, at);
        return new Check(
                "%s accepts %s than FF at %s"
                        .formatted(
                                policy,
                                least > 0 ? "much more" : "more",
                                acceptance.points().get(at)),
                sample.isAbove(firstFit) && sample.mean() - firstFit.mean() >= least,
                difference(acceptance, policy, FF, at));
    }

    private static Check notAboveFirstFit(Curves<SlotPolicy> acceptance, SlotPolicy policy, int at) {
        return new Check(
                "%s accepts no more than FF at %s"
                        .formatted(policy, acceptance.points().get(at)),
                !acceptance.at(policy, at).isAbove(acceptance.at(FF, at)),
                difference(acceptance, policy, FF, at));
    }

    private static boolean isSteady(List<Sample> line) {
        for (int i = 1; i < line.size(); i++) {
            if (line.get(i).mean() <= line.get(i - 1).mean()) {
                return false;
            }
        }
        return explained(line) >= STRAIGHT;
    }

    /** R squared of the straight line through the means, the points being evenly apart; 0 if they are all the same. */
    private static double explained(List<Sample> line) {
        double middle = (line.size() - 1) / 2.0;
        double mean = line.stream().mapToDouble(Sample::mean).average().orElseThrow();
        double together = 0;
        double along = 0;
        double across = 0;
        for (int i = 0; i < line.size(); i++) {
            double x = i - middle;
            double y = line.get(i).mean() - mean;
            together += x * y;
            along += x * x;
            across += y * y;
        }
        return across == 0 ? 0 : together * together / (along * across);
    }

    private static int sharpestBend(List<Sample> line) {
        int sharpest = 1;
        for (int i = 2; i < line.size() - 1; i++) {
            sharpest = bend(line, i) > bend(line, sharpest) ? i : sharpest;
        }
        return sharpest;
    }

    private static double bend(List<Sample> line, int at) {
        return Math.abs(line.get(at - 1).mean()
                - 2 * line.get(at).mean()
                + line.get(at + 1).mean());
    }

    private static String straightness(List<Sample> line) {
        return String.format(Locale.ROOT, "R² %.4f of %s", explained(line), Trends.means(line));
    }

    private static String difference(Curves<SlotPolicy> curves, SlotPolicy one, SlotPolicy other, int at) {
        return "%s − %s: %s"
                .formatted(
                        one,
                        other,
                        curves.at(one, at).minus(curves.at(other, at)).estimate());
    }

    private static String named(Curves<SlotPolicy> curves, int at) {
        return String.join(
                ", ",
                curves.keys().stream()
                        .map(policy -> String.format(
                                Locale.ROOT,
                                "%s %.3f",
                                policy,
                                curves.at(policy, at).mean()))
                        .toList());
    }
}
