package berth.experiment.flexible;

import static berth.experiment.Claim.NO_FIGURE;

import berth.experiment.Check;
import berth.experiment.Claim;
import berth.experiment.Inquiry;
import berth.experiment.Inquiry.Cause;
import berth.experiment.PaperLog;
import berth.experiment.Sample;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * The claims of paper 000 and the rules by which they are judged. Of its results only the three utilisations of 000-C3 are
 * in its text as numbers; the rest are orderings and directions.
 */
final class FlexibleClaims {
    private static final String BEST =
            "at each load and each interval but the fixed one, the mean of EDF is the highest of the five, and the 95 %"
                    + " interval of the paired differences from Shuffle lies above 0";
    private static final String SAME_RANKING =
            "for each interval but the fixed one, the same order has the highest mean at every load, and no two orders"
                    + " change places: nowhere does the 95 % interval of the paired differences of two lie above 0 at one"
                    + " load and below 0 at another";
    private static final String LEVELS =
            "fixed requests: at each load the mean lies in the paper's interval (46.8 ± 3.3, 50.9 ± 3.5, 54.7 ± 3.7 %);"
                    + " and it rises from load to load";
    private static final String RISES =
            "each mean is above the one before, and from the first point to the last the 95 % interval of the paired"
                    + " differences lies above 0";
    private static final String LARGER_GAIN =
            "at each load and each interval but the fixed one, the mean gain over fixed intervals is larger than with exact"
                    + " run times; and at each load, for the mean gain of the three, the 95 % interval of the paired"
                    + " differences lies above 0";
    private static final String BETWEEN =
            "at each load and threshold the 95 % interval of the paired differences from no alternatives lies above 0, and"
                    + " so does that of flexible intervals of the same φ from alternatives";
    private static final String NEAR =
            "at each load and threshold, the mean |φ| of those who took an alternative is at least three quarters of the"
                    + " threshold";

    private final Evidence evidence;
    private final FlexibleChecks checks;
    private final FlexibleSummary inShort;

    private FlexibleClaims(Evidence evidence) {
        this.evidence = evidence;
        this.checks = new FlexibleChecks(evidence);
        this.inShort = new FlexibleSummary(evidence);
    }

    /**
     * What the claims are judged by.
     *
     * @param utilisation in percent, a value for each window: PE-seconds that the accepted runs took / (PEs · the time in
     *     which requests came), unless it is read otherwise
     * @param phi mean |φ| in percent of those who took an alternative, a value for each window that had some; empty: none
     * @param windows how many there are
     */
    record Evidence(Function<Scenario, Sample> utilisation, Function<Scenario, Optional<Sample>> phi, int windows) {

        /** Whether there are intervals to judge by. */
        private boolean isRepeated() {
            return windows > 1;
        }
    }

    /** Those of all eight that some experiments tell of, in the order of the experiments. With a single window nothing can be checked. */
    static List<Claim> of(Evidence evidence, List<Experiment> experiments) {
        var claims = new FlexibleClaims(evidence);
        return experiments.stream()
                .flatMap(experiment -> claims.of(experiment).stream())
                .toList();
    }

    private List<Claim> of(Experiment experiment) {
        return switch (experiment) {
            case ORDERS -> List.of(bestOrder(), sameRanking());
            case LEVELS -> List.of(levels());
            case INTERVALS -> List.of(longerIntervals());
            case ESTIMATES -> List.of(overestimated());
            case FIXING -> List.of(laterFixing());
            case ALTERNATIVES -> List.of(alternatives());
            case DISTANCES -> List.of(distances());
        };
    }

    private Claim bestOrder() {
        return claim(
                "000-C1",
                "Earliest deadline first uses most of the machine wherever intervals are flexible.",
                BEST,
                checks::bestOrder,
                NO_FIGURE,
                inShort::leadOfTheBest);
    }

    private Claim sameRanking() {
        return claim(
                "000-C2",
                "How the orders rank does not depend on the load.",
                SAME_RANKING,
                checks::sameRanking,
                NO_FIGURE,
                inShort::rankings);
    }

    private Claim levels() {
        return claim(
                        "000-C3",
                        "Under FIFO 46.8, 50.9 and 54.7 % of the machine are used at load x1, x1.25 and x1.5.",
                        LEVELS,
                        checks::levels,
                        "46.8, 50.9, 54.7 %",
                        inShort::levels)
                .with(new Inquiry(
                        Cause.READING,
                        PaperLog.SDSC_SP2,
                        "The paper does not say over which time utilisation is taken, nor with which intervals. On the SDSC SP2 log"
                                + " fixed requests use 59.6, 69.2 and 76.4 % of the time in which requests come, and 44.0, 47.2 and"
                                + " 48.3 % of the time up to the last end of a run; with long intervals the latter is 46.4, 50.0 and"
                                + " 51.6 %, within the paper's intervals at all three loads. More load by more jobs in the same time (59.6, 68.0, 74.0 %)"
                                + " and p = 0 taken as 1 (59.1, 68.2, 75.4 %) come no nearer. Found"
                                + " after these: where users' estimates are reserved and runs end as in the log, it is 43.5, 48.9 and 53.3 %"
                                + " of the time in which requests come with short, 44.5, 49.7 and 54.3 % with medium and 46.0, 51.7 and"
                                + " 55.9 % with long intervals, reproduced with each of them; with fixed requests 42.8, 48.2 and 51.9 %,"
                                + " of which the first is 0.7 points too low."));
    }

    private Claim longerIntervals() {
        return claim(
                "000-C4",
                "The longer the intervals, the more is used (EDF).",
                "at each load: " + RISES,
                checks::longerIntervals,
                NO_FIGURE,
                inShort::gainOfLongIntervals);
    }

    private Claim overestimated() {
        return claim(
                        "000-C5",
                        "Flexible intervals gain more where run times are overestimated.",
                        LARGER_GAIN,
                        checks::overestimated,
                        NO_FIGURE,
                        inShort::furtherGain)
                .with(new Inquiry(
                        Cause.READING,
                        PaperLog.SDSC_SP2,
                        "The paper does not say what the gain is measured in. On the SDSC SP2 log runs that take 80 % of their time use"
                                + " 80 % of the machine, and the gain shrinks with them. In percent of what fixed intervals use it is larger"
                                + " at seven of nine points, by 0.4 at most; in PE-seconds reserved it is larger at all nine, by 0.01 to"
                                + " 0.34 points. Where the run times of the log are the actual ones and estimates longer, what is used"
                                + " gains more at three points, none beyond chance, and what is reserved at all nine, by 0.5 to 2.9"
                                + " points, beyond chance at eight: there the claim is reproduced. So it holds of what is reserved."
                                + " Found after these: where whoever waits is pulled forward when a run ends early it is reproduced of what is"
                                + " reserved (4.9, 6.0 and 7.4 points against 4.7, 5.7 and 6.9) and in percent of what fixed intervals use (8.3,"
                                + " 8.7 and 9.8 % against 8.0, 8.4 and 9.2 %); with users' own estimates both ways as well, in percent on"
                                + " average 11.1, 10.3 and 11.8 % against 8.0, 8.4 and 9.2 % with exact run times."));
    }

    private Claim laterFixing() {
        return claim(
                "000-C6",
                "The later a reservation is fixed, the more is used; fixing it on acceptance is worst.",
                "at each load and each interval but the fixed one, from acceptance over 25 and 50 to 75 % of the"
                        + " waiting time: " + RISES,
                checks::laterFixing,
                NO_FIGURE,
                inShort::gainOfLaterFixing);
    }

    private Claim alternatives() {
        return claim(
                        "000-C7",
                        "Alternatives raise what fixed requests use, but less than flexible intervals of the same φ do.",
                        BETWEEN,
                        checks::alternatives,
                        NO_FIGURE,
                        inShort::gainOfAlternatives)
                .with(new Inquiry(
                        Cause.READING,
                        PaperLog.SDSC_SP2,
                        "All that are refused take alternatives here, while half of the requests are flexible; the paper does not say"
                                + " who takes one. On the SDSC SP2 log flexible intervals gain 0.6 to 3.3 points more than alternatives"
                                + " where half of the refused take them, and 1.7 to 5.4 points more where all requests are flexible,"
                                + " beyond chance at all nine points both times. So the claim holds where as many take alternatives as"
                                + " are flexible."));
    }

    private Claim distances() {
        return claim(
                        "000-C8",
                        "Alternatives that are taken are on average not much nearer than the threshold.",
                        NEAR,
                        checks::distances,
                        NO_FIGURE,
                        inShort::distances)
                .with(
                        new Inquiry(
                                Cause.PAPER,
                                PaperLog.SDSC_SP2,
                                "On the SDSC SP2 log the distances that are taken spread evenly up to the threshold, so that their mean is 0.45"
                                        + " to 0.50 of it; 0.44 to 0.51 where half of the refused ask, 0.46 to 0.52 if weighed by the size of the"
                                        + " runs. Even if always the farthest alternative within the threshold is taken, and not the nearest as"
                                        + " in the paper, it is 0.58 to 0.68: no choice among the options of Algorithm 2 comes near the threshold."
                                        + " The words hold in another sense: among those who took one |φ| has a standard deviation of 0.28 to"
                                        + " 0.30 of the threshold, which lies less than two of them above the mean at all nine points."));
    }

    private Claim claim(
            String id, String says, String rule, Supplier<List<Check>> itsChecks, String paper, Supplier<String> ours) {
        boolean isRepeated = evidence.isRepeated();
        return Claim.of(id, says, rule, isRepeated ? itsChecks.get() : List.of())
                .with(paper, isRepeated ? ours.get() : "");
    }
}
