package berth.lab.experiment.whatif;

import berth.lab.experiment.OtherReading;
import berth.lab.experiment.PaperClaim;
import java.util.List;

/**
 * The claims of paper 001. The paper has one workload and does not say which of its jobs become requests. Here several choices are
 * repetitions, and "more" means significantly more if the paper calls a difference significant. The jobs closest to the paper's are the
 * first 2,000 sound ones of the first 60 days of the SDSC Blue Horizon.
 */
final class WhatIfClaims {
    /** When one sample is significantly greater. */
    static final String PAIRED = "the 95 % interval of the paired differences over the repetitions lies above 0";

    private WhatIfClaims() {}

    /** Returns all nine claims, which can be checked only if runs were repeated. */
    static List<PaperClaim> of(WhatIfEvidence evidence) {
        return of(evidence, Judgement.AS_READ);
    }

    /** Returns the same runs under other interpretations, with the claims that depend on them. */
    static List<OtherReading> readings(WhatIfEvidence evidence) {
        return List.of(
                reading(
                        "the load of 001-C3 as the backlog of jobs alone",
                        evidence,
                        Judgement.byBacklogOfJobs(),
                        "001-C3"),
                reading(
                        "the makespan of 001-C4 up to the last end of jobs and reservations",
                        evidence,
                        Judgement.untilAllHaveEnded(),
                        "001-C4"),
                reading(
                        "means compared without regard to chance, as with a single workload",
                        evidence,
                        Judgement.byMeans(),
                        "001-C6",
                        "001-C9"));
    }

    private static OtherReading reading(String says, WhatIfEvidence evidence, Judgement judgement, String... ids) {
        List<PaperClaim> every = of(evidence, judgement);
        return new OtherReading(
                says,
                every.stream()
                        .filter(claim -> List.of(ids).contains(claim.id()))
                        .toList(),
                every);
    }

    private static List<PaperClaim> of(WhatIfEvidence evidence, Judgement judgement) {
        var granted = new GrantedClaims(evidence, judgement);
        var delays = new DelayClaims(evidence, judgement);
        return List.of(
                granted.success(),
                granted.tightSuccess(),
                granted.pressedSuccess(),
                delays.makespan(),
                granted.allGranted(),
                delays.delays(),
                delays.moreDelayed(),
                delays.steps(),
                delays.smallJobs());
    }
}
