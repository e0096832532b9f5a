package berth.experiment.flexible;

import static berth.experiment.Claim.NO_FIGURE;

import berth.experiment.Check;
import berth.experiment.Claim;
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
                .with(FlexibleInquiries.LEVELS);
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
                .with(FlexibleInquiries.ESTIMATES);
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
                .with(FlexibleInquiries.ALTERNATIVES);
    }

    private Claim distances() {
        return claim(
                        "000-C8",
                        "Alternatives that are taken are on average not much nearer than the threshold.",
                        NEAR,
                        checks::distances,
                        NO_FIGURE,
                        inShort::distances)
                .with(FlexibleInquiries.DISTANCES);
    }

    private Claim claim(
            String id, String says, String rule, Supplier<List<Check>> itsChecks, String paper, Supplier<String> ours) {
        boolean isRepeated = evidence.isRepeated();
        return Claim.of(id, says, rule, isRepeated ? itsChecks.get() : List.of())
                .with(paper, isRepeated ? ours.get() : "");
    }
}
