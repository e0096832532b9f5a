package berth.lab.experiment.slots;

import static berth.lab.experiment.slots.SlotPolicy.DU_B;
import static berth.lab.experiment.slots.SlotPolicy.DU_W;
import static berth.lab.experiment.slots.SlotPolicy.FF;
import static berth.lab.experiment.slots.SlotPolicy.PEDU_B;
import static berth.lab.experiment.slots.SlotPolicy.PEDU_W;
import static berth.lab.experiment.slots.SlotPolicy.PE_B;
import static berth.lab.experiment.slots.SlotPolicy.PE_W;

import berth.lab.experiment.Check;
import berth.lab.experiment.Curves;
import berth.lab.experiment.Inquiry;
import berth.lab.experiment.PaperClaim;
import berth.lab.experiment.Sample;
import berth.lab.experiment.Trends;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** The claims of paper 004 about more flexible requests: text, rule and result of each. */
final class FlexibilityClaims {
    private static final double STRAIGHT = 0.98;
    private static final int FIRST_PAIR = 0;
    private static final int FOURTH_PAIR = 3;
    private static final int FIFTH_PAIR = 4;

    private FlexibilityClaims() {}

    static PaperClaim steadiness(SlotEvidence flexibility) {
        return SlotClaims.claim(
                        "004-C7",
                        "As flexibility grows, the acceptance of PE_W, DU_B and PEDU_B rises almost linearly; the"
                                + " acceptance of the other policies rises unsteadily, above all at the fourth pair.",
                        "PE_W, DU_B and PEDU_B are steady: each mean is above the one before, and a straight line"
                                + " explains at least 98 % of the variance of the means. FF, PEDU_W, PE_B and DU_W"
                                + " are not steady, and the largest of their second differences, in absolute value,"
                                + " is at the fourth pair",
                        flexibility,
                        () -> checkSteadiness(flexibility.acceptance()),
                        () -> SlotChecks.ends(flexibility.acceptance(), "%.1f", PE_W, DU_B, PEDU_B, FF))
                .with(new Inquiry(
                        Inquiry.Cause.READING,
                        "The result depends on the five pairs, which the text that we have lacks. With the artime"
                                + " factor alone from 1 to 5, FF accepts more, 66.1 to 81.2 %. With the deadline"
                                + " factor alone it accepts less, 81.3 to 72.1 %, because looser deadlines admit"
                                + " large requests, each of which takes the room of several small ones (5 repetitions"
                                + " of 4,000). With {1, 1} to {5, 5}, the two effects nearly cancel out, and"
                                + " acceptance levels off (R² 0.92, 0.79 and 0.55 for PE_W, DU_B and PEDU_B in 10"
                                + " repetitions of 10,000). Of eight readings of the pairs, none makes all checks"
                                + " hold. With {2, 2} to {4, 4}, all four policies that should bend most at the"
                                + " fourth pair do; with pairs that double from {0.5, 0.5}, PE_W rises along a line."
                                + " With either, 8 of 11 checks hold. If the fourth pair loosens the deadline alone"
                                + " ({1, 1}, {2, 2}, {3, 3}, {3, 4}, {4, 4}), a reading found after results were"
                                + " seen, 6 of 11 checks hold, FF and PE_B bend most there, and 004-C9 fails from the"
                                + " fourth pair to the fifth. In one of our 10 repetitions, taken singly, all four"
                                + " policies bend at the fourth pair, so that bend may be chance as well."));
    }

    /** Checks which policies' acceptance rises in a straight line and which does not. */
    private static List<Check> checkSteadiness(Curves<SlotPolicy> acceptance) {
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

    private static boolean isSteady(List<Sample> line) {
        for (int i = 1; i < line.size(); i++) {
            if (line.get(i).mean() <= line.get(i - 1).mean()) {
                return false;
            }
        }
        return explained(line) >= STRAIGHT;
    }

    /** Returns R squared of the straight line through the means at equal distances; 0 if they are all equal. */
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

    static PaperClaim lead(SlotEvidence flexibility) {
        return SlotClaims.claim(
                        "004-C8",
                        "PE_W accepts most at every flexibility, and its lead over DU_B grows with flexibility.",
                        "at each pair, the mean of PE_W is the highest; at the fourth and fifth pairs, the 95 %"
                                + " interval of the paired differences PE_W − DU_B lies above 0; the mean difference"
                                + " is larger at the fifth pair than at the first",
                        flexibility,
                        () -> checkLead(flexibility.acceptance()),
                        () -> ourLead(flexibility.acceptance()))
                .with(new Inquiry(
                        Inquiry.Cause.CHANCE,
                        "With 10 repetitions of 10,000 requests, one check fails: at the second pair, DU_B accepts"
                                + " 83.53 % and PE_W 83.49 %, and the intervals of both means are twenty times as"
                                + " wide as the difference. From the third pair on, PE_W leads, and its lead grows"
                                + " with flexibility. In none of the fourteen other readings, with fewer repetitions,"
                                + " do all eight checks hold. In eleven of them fewer than seven hold, and at an"
                                + " offered load of 1 only three. So the lead of PE_W depends on the readings."));
    }

    /** Checks that the most free PEs are the best choice, the more so with more flexible requests. */
    private static List<Check> checkLead(Curves<SlotPolicy> acceptance) {
        List<Check> checks = new ArrayList<>();
        for (int i = 0; i < acceptance.points().size(); i++) {
            double best = acceptance.at(PE_W, i).mean();
            checks.add(new Check(
                    "PE_W accepts most at " + acceptance.points().get(i),
                    SlotChecks.highestBut(acceptance, i, List.of(PE_W)) < best,
                    SlotChecks.named(acceptance, i)));
        }
        for (int i : new int[] {FOURTH_PAIR, FIFTH_PAIR}) {
            checks.add(new Check(
                    "PE_W is ahead of DU_B at " + acceptance.points().get(i),
                    acceptance.at(PE_W, i).isAbove(acceptance.at(DU_B, i)),
                    SlotChecks.difference(acceptance, PE_W, DU_B, i)));
        }
        checks.add(new Check(
                "the lead of PE_W over DU_B grows",
                SlotChecks.lead(acceptance, PE_W, DU_B, FIFTH_PAIR)
                        > SlotChecks.lead(acceptance, PE_W, DU_B, FIRST_PAIR),
                SlotChecks.difference(acceptance, PE_W, DU_B, FIRST_PAIR) + "; "
                        + SlotChecks.difference(acceptance, PE_W, DU_B, FIFTH_PAIR)));
        return checks;
    }

    /** Formats the lead of the worst fit by PEs over the best fit by duration at every point. */
    private static String ourLead(Curves<SlotPolicy> acceptance) {
        return IntStream.range(0, acceptance.points().size())
                .mapToObj(at -> SlotChecks.text("%+.2f", SlotChecks.lead(acceptance, PE_W, DU_B, at)))
                .collect(Collectors.joining(", ", "PE_W − DU_B: ", " points"));
    }

    static PaperClaim slowdown(SlotEvidence flexibility) {
        return SlotClaims.claim(
                "004-C9",
                "The slowdown of every policy rises with flexibility, and FF always has the lowest slowdown.",
                "for each policy, each mean is above the one before, and the 95 % interval of the paired differences"
                        + " from the first point to the last lies above 0; at each pair, every other policy is above"
                        + " FF",
                flexibility,
                () -> SlotChecks.joined(
                        Trends.rises(flexibility.slowdown()), SlotChecks.quickest(flexibility.slowdown())),
                () -> SlotChecks.ends(flexibility.slowdown(), "%.2f", PE_W, FF));
    }
}
