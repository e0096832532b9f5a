package berth.lab.experiment.flexible;

import static berth.lab.experiment.PaperClaim.NO_FIGURE;

import berth.lab.experiment.Check;
import berth.lab.experiment.Estimate;
import berth.lab.experiment.Inquiry;
import berth.lab.experiment.Inquiry.Cause;
import berth.lab.experiment.PaperClaim;
import berth.lab.experiment.PaperLog;
import berth.lab.experiment.Sample;
import java.util.ArrayList;
import java.util.List;

/** The claims of paper 000 about accepted alternatives: text, rule and result of each. */
record AlternativeClaims(FlexibleEvidence evidence) {
    private static final double NEAR = 0.75;

    PaperClaim alternatives() {
        return PaperClaim.judged(
                        evidence.isRepeated(),
                        "000-C7",
                        "Alternatives raise the utilisation of fixed requests, but less than flexible intervals of"
                                + " the same φ do.",
                        "at each load and threshold, the 95 % interval of the paired differences alternatives − no"
                                + " alternatives lies above 0, and so does that of flexible intervals of the same φ −"
                                + " alternatives",
                        this::checkAlternatives,
                        NO_FIGURE,
                        this::ourAlternatives)
                .with(new Inquiry(
                        Cause.READING,
                        PaperLog.SDSC_SP2,
                        "Here all rejected requests take alternatives, but only half of the requests are flexible;"
                                + " the paper does not say which requests take alternatives. On the SDSC SP2 log,"
                                + " flexible intervals gain 0.6 to 3.3 points more than alternatives if half of the"
                                + " rejected requests take them, and 1.7 to 5.4 points more if all requests are"
                                + " flexible. Both differences are beyond chance at all nine points. So the claim"
                                + " holds if as many requests take alternatives as are flexible."));
    }

    private List<Check> checkAlternatives() {
        List<Check> checks = new ArrayList<>();
        FlexibleClaims.everywhere((load, phi) -> {
            Sample rigid = evidence.edf(Interval.FIXED, load);
            Sample offered = evidence.used(Scenario.of(Interval.FIXED, load).suggesting(phi));
            Estimate gain = offered.minus(rigid).estimate();
            checks.add(new Check(
                    "alternatives gain at " + FlexibleClaims.place(load, phi), gain.isAbove(0), "by " + gain));
            Estimate more = evidence.edf(phi, load).minus(offered).estimate();
            checks.add(new Check(
                    "flexible intervals gain more at " + FlexibleClaims.place(load, phi),
                    more.isAbove(0),
                    "by " + more));
        });
        return checks;
    }

    private String ourAlternatives() {
        return "alternatives %s points above none, flexible intervals %s"
                .formatted(
                        FlexibleClaims.range((load, phi) ->
                                evidence.used(Scenario.of(Interval.FIXED, load).suggesting(phi))
                                                .mean()
                                        - evidence.edf(Interval.FIXED, load).mean()),
                        FlexibleClaims.range((load, phi) -> evidence.gain(phi, load)));
    }

    PaperClaim distances() {
        return PaperClaim.judged(
                        evidence.isRepeated(),
                        "000-C8",
                        "On average, accepted alternatives are not much nearer than the threshold.",
                        "at each load and threshold, the mean |φ| of the accepted alternatives is at least three"
                                + " quarters of the threshold",
                        this::checkDistances,
                        NO_FIGURE,
                        this::ourDistances)
                .with(new Inquiry(
                        Cause.PAPER,
                        PaperLog.SDSC_SP2,
                        "On the SDSC SP2 log, the accepted alternatives are spread evenly over the distances up to"
                                + " the threshold, so their mean is 0.45 to 0.50 of it. It is 0.44 to 0.51 if half of"
                                + " the rejected requests ask for alternatives, and 0.46 to 0.52 if weighted by the"
                                + " size of the runs. Even if each request takes the farthest alternative within the"
                                + " threshold, and not the nearest as in the paper, the mean is 0.58 to 0.68. So no"
                                + " choice among the options of Algorithm 2 comes near the threshold. The paper's"
                                + " words hold in another sense: the standard deviation of |φ| among the accepted"
                                + " alternatives is 0.28 to 0.30 of the threshold, and at all nine points the"
                                + " threshold is less than two standard deviations above the mean."));
    }

    private List<Check> checkDistances() {
        List<Check> checks = new ArrayList<>();
        FlexibleClaims.everywhere((load, threshold) -> {
            var phi = evidence.phi().apply(Scenario.of(Interval.FIXED, load).suggesting(threshold));
            checks.add(new Check(
                    "|φ| is near the threshold at " + FlexibleClaims.place(load, threshold),
                    phi.filter(sample -> sample.mean() >= NEAR * threshold.percent())
                            .isPresent(),
                    phi.map(sample -> sample.estimate().toString()).orElse("none was taken")));
        });
        return checks;
    }

    private String ourDistances() {
        return "mean |φ| %s of the threshold"
                .formatted(FlexibleClaims.range((load, threshold) -> evidence.phi()
                                .apply(Scenario.of(Interval.FIXED, load).suggesting(threshold))
                                .map(Sample::mean)
                                .orElse(Double.NaN)
                        / threshold.percent()));
    }
}
