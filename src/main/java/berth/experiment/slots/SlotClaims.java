package berth.experiment.slots;

import static berth.experiment.slots.SlotPolicy.DU_B;
import static berth.experiment.slots.SlotPolicy.FF;
import static berth.experiment.slots.SlotPolicy.PEDU_B;
import static berth.experiment.slots.SlotPolicy.PE_W;

import berth.experiment.Check;
import berth.experiment.Claim;
import berth.experiment.Curves;
import berth.experiment.Inquiry;
import berth.experiment.Trends;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.stream.Stream;

/**
 * The claims of paper 004 and the rules by which they are judged. Only orderings and directions can be checked: no number
 * of its results is in its text.
 *
 * <p>The text has lost the names of most policies. Two are sure, {@code PE_W} as the best and {@code FF} as the quickest;
 * the others follow from what is said of them. That of the two policies by PEs and duration {@code PEDU_B} is the one whose
 * acceptance rises steadily is the weakest of these readings.
 */
final class SlotClaims {
    private static final String FALLS =
            "for each policy, each mean is below the one before, and from the first point to the last the 95 %"
                    + " interval of the paired differences lies below 0";
    private static final String RISES =
            "for each policy, each mean is above the one before, and from the first point to the last the 95 %"
                    + " interval of the paired differences lies above 0";
    private static final String RISES_IN_GENERAL =
            "for each policy, from the first point to the last the 95 % interval of the paired differences lies above"
                    + " 0, and at most one mean is below the one before";
    private static final String ALIKE =
            "at each point the two are alike: the 95 % interval of the paired differences has 0 in it, or the means"
                    + " differ by at most 1 point";
    private static final String RANKED =
            "at each point, the lower mean of PE_W and DU_B is above every other policy's; PE_W and DU_B are above FF,"
                    + " by 2 points at least; PEDU_B and PEDU_W are above FF; PE_B and DU_W are not. One is above another"
                    + " if the 95 % interval of the paired differences lies above 0";
    private static final String WAITS =
            "at each point, every other policy is above FF; PE_W and DU_B are alike, PE_B and DU_W are alike, PEDU_B"
                    + " and PEDU_W are not. Two are alike if the 95 % interval of the paired differences has 0 in it, or"
                    + " the means differ by at most a tenth of the longer wait (slowdown - 1)";
    private static final String STEADY =
            "PE_W, DU_B and PEDU_B are steady: each mean is above the one before, and a straight line explains at least"
                    + " 98 % of the variance of the means. FF, PEDU_W, PE_B and DU_W are not, and of their second"
                    + " differences the one at the fourth pair is the largest in size";
    private static final String LEADS =
            "at each pair, the mean of PE_W is the highest; at the fourth and the fifth the 95 % interval of the"
                    + " paired differences from DU_B lies above 0; the mean difference is larger at the fifth than at the"
                    + " first";

    private static final Inquiry PAIRS = new Inquiry(
            Inquiry.Cause.READING,
            "With 10 repetitions of 10,000 requests thirteen of 15 checks hold; PEDU_B and PEDU_W lie 1.5 points apart"
                    + " at umed 5 and 1.0 at umed 9, a little more than the rule allows. It hangs on where a rectangle"
                    + " ends that nothing ends, which the paper does not say: endless, 10 checks hold, at the last change"
                    + " of the schedule 7, at the deadline of the request 13 or 14. The last was chosen after a look at a"
                    + " first whole run with endless ones, in which 21 of 35 checks of 004-C3 held and all of 004-C8.");
    private static final Inquiry WAITING = new Inquiry(
            Inquiry.Cause.READING,
            "With 10 repetitions of 10,000 requests all but one check hold: at umed 9 PEDU_B and PEDU_W differ by"
                    + " 0.034 ± 0.008, which is beyond chance but within the tenth of the wait that the rule takes for"
                    + " alike. The paper only says that they differ.");
    private static final Inquiry FLEXIBLE = new Inquiry(
            Inquiry.Cause.READING,
            "It hangs on the five pairs, which the paper's text has lost. With the artime factor alone from 1 to 5 FF"
                    + " accepts more, 66.1 to 81.2 %, with the deadline factor alone less, 81.3 to 72.1 %, since looser"
                    + " deadlines let large requests in, each of which takes the room of several small ones (5 repetitions"
                    + " of 4,000). With {1, 1} to {5, 5} the two nearly make up for each other, and acceptance levels off"
                    + " (R² 0.92, 0.79 and 0.55 for PE_W, DU_B and PEDU_B in 10 repetitions of 10,000). Of eight readings"
                    + " of the pairs none makes all checks hold: with {2, 2} to {4, 4} all four that should bend most at"
                    + " the fourth pair do, and with pairs that double from {0.5, 0.5} PE_W rises along a line; both make"
                    + " 8 of 11 hold. Where the fourth pair loosens the deadline alone, {1, 1}, {2, 2}, {3, 3}, {3, 4},"
                    + " {4, 4}, found after results, 6 of 11 hold, FF and PE_B bend there most, and 004-C9 fails from"
                    + " there to the fifth. In one of our 10 repetitions taken singly all four bend there, so that bend"
                    + " may be chance as well.");
    private static final Inquiry LEAD = new Inquiry(
            Inquiry.Cause.CHANCE,
            "With 10 repetitions of 10,000 requests one check fails: at the second pair DU_B accepts 83.53 % and PE_W"
                    + " 83.49 %, in means whose intervals are twenty times as wide as that. From the third pair on PE_W"
                    + " leads, the more the more flexible requests are. None of the fourteen other readings, with fewer"
                    + " repetitions, has all eight checks, and eleven have fewer than seven, three at an offered load of"
                    + " 1: how far PE_W leads hangs on them.");

    /** Both measures along one sweep. */
    record Evidence(Curves<SlotPolicy> acceptance, Curves<SlotPolicy> slowdown) {

        /** Whether there are intervals to judge by. */
        boolean isRepeated() {
            return Stream.of(acceptance, slowdown)
                    .flatMap(curves -> curves.lines().values().stream())
                    .flatMap(List::stream)
                    .allMatch(sample -> sample.size() > 1);
        }
    }

    private SlotClaims() {}

    /** The nine claims, in order. With a single repetition nothing can be checked. */
    static List<Claim> of(Evidence sizes, Evidence arrivals, Evidence flexibility) {
        return List.of(
                claim(
                        "004-C1",
                        "The acceptance of every policy falls as jobs become larger and longer (umed).",
                        "umed: " + FALLS,
                        sizes,
                        () -> Trends.falls(sizes.acceptance),
                        () -> SlotNumbers.ends(sizes.acceptance, "%.1f", PE_W, FF),
                        Optional.empty()),
                claim(
                        "004-C2",
                        "Three pairs of policies accept nearly the same over umed: PE_W and DU_B, PEDU_B and PEDU_W,"
                                + " PE_B and DU_W.",
                        "umed: " + ALIKE,
                        sizes,
                        () -> SlotChecks.pairs(sizes.acceptance),
                        () -> SlotNumbers.apart(sizes.acceptance, "%.1f points"),
                        Optional.of(PAIRS)),
                claim(
                        "004-C3",
                        "PE_W and DU_B accept most at every umed, much more than FF; PEDU_B and PEDU_W accept more"
                                + " than FF; PE_B and DU_W do not.",
                        "umed: " + RANKED,
                        sizes,
                        () -> SlotChecks.ranking(sizes.acceptance),
                        () -> SlotNumbers.aboveFirstFit(sizes.acceptance),
                        Optional.empty()),
                claim(
                        "004-C4",
                        "The slowdown of every policy rises with umed in general.",
                        "umed: " + RISES_IN_GENERAL,
                        sizes,
                        () -> Trends.risesInGeneral(sizes.slowdown),
                        () -> SlotNumbers.ends(sizes.slowdown, "%.2f", PE_W, FF),
                        Optional.empty()),
                claim(
                        "004-C5",
                        "Over umed FF has the lowest slowdown; PE_W and DU_B, and PE_B and DU_W, are alike; PEDU_B and"
                                + " PEDU_W differ.",
                        "umed: " + WAITS,
                        sizes,
                        () -> SlotChecks.waits(sizes.slowdown),
                        () -> SlotNumbers.middle(sizes.slowdown),
                        Optional.of(WAITING)),
                claim(
                        "004-C6",
                        "Acceptance and slowdown get worse as requests come denser; the policies rank as over umed.",
                        "arrival factor; acceptance: " + FALLS + "; slowdown: " + RISES_IN_GENERAL
                                + "; and the rules of 004-C2, 004-C3 and 004-C5",
                        arrivals,
                        () -> joined(
                                Trends.falls(arrivals.acceptance),
                                Trends.risesInGeneral(arrivals.slowdown),
                                SlotChecks.pairs(arrivals.acceptance),
                                SlotChecks.ranking(arrivals.acceptance),
                                SlotChecks.waits(arrivals.slowdown)),
                        () -> "accepted: %s; slowdown: %s"
                                .formatted(
                                        SlotNumbers.ends(arrivals.acceptance, "%.1f", PE_W, FF),
                                        SlotNumbers.ends(arrivals.slowdown, "%.2f", PE_W, FF)),
                        Optional.empty()),
                claim(
                        "004-C7",
                        "With flexibility the acceptance of PE_W, DU_B and PEDU_B rises almost linearly, that of the"
                                + " others unsteadily, at the fourth pair above all.",
                        STEADY,
                        flexibility,
                        () -> SlotChecks.steadiness(flexibility.acceptance),
                        () -> SlotNumbers.ends(flexibility.acceptance, "%.1f", PE_W, DU_B, PEDU_B, FF),
                        Optional.of(FLEXIBLE)),
                claim(
                        "004-C8",
                        "PE_W accepts most at every flexibility, and gets ahead of DU_B as flexibility grows.",
                        LEADS,
                        flexibility,
                        () -> SlotChecks.lead(flexibility.acceptance),
                        () -> SlotNumbers.lead(flexibility.acceptance),
                        Optional.of(LEAD)),
                claim(
                        "004-C9",
                        "The slowdown of every policy rises with flexibility, and FF always has the lowest.",
                        RISES + "; at each pair, every other policy is above FF",
                        flexibility,
                        () -> joined(Trends.rises(flexibility.slowdown), SlotChecks.quickest(flexibility.slowdown)),
                        () -> SlotNumbers.ends(flexibility.slowdown, "%.2f", PE_W, FF),
                        Optional.empty()));
    }

    private static Claim claim(
            String id,
            String says,
            String rule,
            Evidence evidence,
            Supplier<List<Check>> checks,
            Supplier<String> ours,
            Optional<Inquiry> inquiry) {
        Claim claim = Claim.of(id, says, rule, evidence.isRepeated() ? checks.get() : List.of())
                .with(Claim.NO_FIGURE, ours.get());
        return inquiry.map(claim::with).orElse(claim);
    }

    @SafeVarargs
    private static List<Check> joined(List<Check>... checks) {
        return Stream.of(checks).flatMap(List::stream).toList();
    }
}
