package berth.experiment.adaptive;

import berth.experiment.Check;
import berth.experiment.Claim;
import berth.experiment.Sample;
import java.util.List;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * The claims of paper 003 and the rules by which they are judged. "Traditional" is FIFO with rigid requests at the same load.
 * Each comparison is made by windows, and the best and worst twelfth of them are left out, as in the paper. Where the paper
 * contradicts itself in the share of requests that may be split, both shares must hold.
 */
final class AdaptiveClaims {
    private static final String NORMAL_LOAD =
            "at x1, for each share: of the four types under MDF the mean gain over traditional is highest for MOLDABLE or"
                    + " BOTH, and the highest lies within 4.5 ± 2 %; the highest under FIFO is at most 2 %";
    private static final String HIGH_LOAD =
            "at x1.5, MOLDABLE under MDF: the mean gain lies within 14 ± 4 % over traditional and within 3 ± 2 % over RIGID"
                    + " under MDF, and both 95 % intervals above 0";
    private static final String SOONER =
            "of requests that both accept, under MDF: for each type and load the 95 % interval of the cut against"
                    + " traditional lies above 0; at each load, for each share, the mean cut of PREEMPTIBLE is the highest"
                    + " of the four types; each type's mean cut is smaller at x1.5 than at x1; the highest mean cut lies"
                    + " within 20 ± 5 %";
    private static final String FEWER_REJECTED =
            "at each load, RIGID under MDF rejects fewer than traditional (the 95 % interval of the differences lies above"
                    + " 0), and its mean difference is larger than that of any type under FIFO";
    private static final String INCENTIVE =
            "at x1.5, PREEMPTIBLE under MDF, for each share: the mean gain over traditional falls from each incentive to"
                    + " the next, lies between 0 and 1 % at 30 %, and below 0 at 40 %";
    private static final String MORE_USED =
            "under MDF, all windows: for MOLDABLE, BOTH_20 and BOTH_60, from x1 to x1.5 the 95 % interval of the paired"
                    + " differences lies above 0, and at most one mean is below the one before; at each load the means of"
                    + " BOTH_20 and BOTH_60 are above that of MOLDABLE";

    /** A comparison of two settings, by windows. */
    interface Comparison extends BiFunction<Setting, Setting, Sample> {}

    /** What a setting earns more than another at an incentive, in percent, by windows. */
    interface Gain {
        Sample of(Setting setting, Setting other, int incentive);
    }

    /**
     * What the claims are judged by.
     *
     * @param profit by how many percent a setting earns more than another
     * @param completion by how many percent requests that both accept are done sooner
     * @param rejected by how many points of all requests fewer are rejected
     * @param modified the share of the moldable requests on fewer than R^max PEs, in percent
     * @param modification how far they are modified, in percent
     */
    record Evidence(
            Gain profit,
            Comparison completion,
            Comparison rejected,
            Function<Setting, Sample> modified,
            Function<Setting, Sample> modification) {

        /** Whether there are intervals to judge by. */
        boolean isRepeated() {
            return modified.apply(AdaptiveStudy.settings().getFirst()).size() > 1;
        }
    }

    private AdaptiveClaims() {}

    /** The seven claims, in order. With a single window nothing can be checked. */
    static List<Claim> of(Evidence evidence) {
        var checks = new AdaptiveChecks(evidence);
        return List.of(
                claim(
                        "003-C1",
                        "At normal load at most about 4.5 % more is earned, by moldable requests, split or not, with rescheduling; without it at most 2 %.",
                        NORMAL_LOAD,
                        evidence,
                        checks::normalLoad),
                claim(
                        "003-C2",
                        "At half as much load again, moldable requests with rescheduling earn about 14 % more than FIFO with rigid ones, and about 3 % more than rigid ones with rescheduling.",
                        HIGH_LOAD,
                        evidence,
                        checks::highLoad),
                claim(
                        "003-C3",
                        "Rescheduling has requests done sooner, by 20 % in the abstract; preemptible ones most of all; less so as load grows.",
                        SOONER,
                        evidence,
                        checks::sooner),
                claim(
                        "003-C4",
                        "Rescheduling plays the main part in avoiding rejections.",
                        FEWER_REJECTED,
                        evidence,
                        checks::fewerRejected),
                claim(
                        "003-C5",
                        "The gain by preemptible requests falls with their incentive: under 1 % at 30 %, a loss after it.",
                        INCENTIVE,
                        evidence,
                        checks::incentive),
                claim(
                        "003-C6",
                        "More moldable requests run on fewer PEs as load grows, and where they may also be split.",
                        MORE_USED,
                        evidence,
                        () -> checks.grows(evidence.modified)),
                claim(
                        "003-C7",
                        "Moldable requests are modified further as load grows, and where they may also be split.",
                        MORE_USED,
                        evidence,
                        () -> checks.grows(evidence.modification)));
    }

    private static Claim claim(String id, String says, String rule, Evidence evidence, Supplier<List<Check>> checks) {
        return new Claim(id, says, rule, evidence.isRepeated() ? checks.get() : List.of());
    }
}
