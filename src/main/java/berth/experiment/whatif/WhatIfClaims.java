package berth.experiment.whatif;

import berth.experiment.Check;
import berth.experiment.Claim;
import berth.experiment.Inquiry;
import berth.experiment.Inquiry.Cause;
import berth.experiment.PaperLog;
import berth.experiment.Reading;
import java.util.List;
import java.util.function.Supplier;

/**
 * The claims of paper 001 and the rules by which they are judged. The paper has one workload, which of whose jobs are made
 * requests is not said; here several choices are repetitions, and "more" is more beyond what chance explains where the paper
 * calls a difference significant. The jobs nearest to the paper's are the first 2,000 sound ones of the first 60 days of the
 * SDSC Blue Horizon.
 */
final class WhatIfClaims {
    private static final String PAIRED =
            "the 95 % interval of the paired differences over the repetitions lies above 0";

    private WhatIfClaims() {}

    /** All nine; not checkable unless runs were repeated. */
    static List<Claim> of(Evidence evidence) {
        return of(evidence, Judgement.AS_READ);
    }

    /** The same runs judged otherwise: the claims on which that bears. */
    static List<Reading> readings(Evidence evidence) {
        return List.of(
                reading(
                        "the load of 001-C3 as the backlog of jobs alone",
                        evidence,
                        Judgement.byBacklogOfJobs(),
                        "001-C3"),
                reading(
                        "the makespan of 001-C4 to the last end of jobs and reservations",
                        evidence,
                        Judgement.untilAllHaveEnded(),
                        "001-C4"),
                reading(
                        "more is more by the mean, chance or not, as where there is one workload",
                        evidence,
                        Judgement.byMeans(),
                        "001-C6",
                        "001-C9"));
    }

    private static Reading reading(String says, Evidence evidence, Judgement judgement, String... ids) {
        return new Reading(
                says,
                of(evidence, judgement).stream()
                        .filter(claim -> List.of(ids).contains(claim.id()))
                        .toList());
    }

    private static List<Claim> of(Evidence evidence, Judgement judgement) {
        var checks = new WhatIfChecks(evidence, judgement);
        var figures = new OurFigures(evidence, judgement);
        return List.of(
                claim(
                                "001-C1",
                                "Over the 36 settings WHAT_IF grants 97 % of the requests, LOAD 80 %.",
                                "WHAT_IF grants more: " + PAIRED + "; each mean is within 5 points of the paper's",
                                evidence,
                                checks::success,
                                "WHAT_IF 97, LOAD 80 %",
                                figures::success)
                        .with(new Inquiry(
                                Cause.READING,
                                PaperLog.SDSC_BLUE,
                                "Which jobs are made requests matters more than the method: in one of ten choices LOAD adds 1,046"
                                        + " h of waiting at 0 h, in the other nine 138 to 342. By the means, as with the paper's"
                                        + " single workload, WHAT_IF delays fewer jobs and by less at 0, 2 and 4 h. With forty choices"
                                        + " 7 of 12 checks hold: it delays fewer jobs at 0 h, and by less at 0, 2 and 4 h, beyond"
                                        + " chance. But it also delays fewer jobs at 6 h, and fewer and by less at 12 h, where the"
                                        + " paper has LOAD ahead, and that is beyond chance as well: it is not chance alone. With"
                                        + " exact estimates it is LOAD that delays fewer jobs at 0 h, 159 against 234. Found after"
                                        + " these results: of jobs that were completed within their estimates 9 of 12 checks hold, and"
                                        + " both change places at 6, 12 and 24 h as in the paper; what fails is that fewer jobs are"
                                        + " delayed at 0 to 4 h, within chance.")),
                claim(
                        "001-C2",
                        "Where book-ahead time and slack are 2 h at most, WHAT_IF grants 92 %, LOAD 38 %.",
                        "WHAT_IF grants more: " + PAIRED
                                + "; each mean is within 5 points of the paper's; and WHAT_IF is"
                                + " further ahead than over all 36 settings, in the same sense",
                        evidence,
                        checks::tightSuccess,
                        "WHAT_IF 92, LOAD 38 %",
                        figures::tightSuccess),
                claim(
                                "001-C3",
                                "Of the fifth of the requests made at the highest load WHAT_IF grants 92 %, LOAD 58 %.",
                                "over the 36 settings, by the load in each run: WHAT_IF grants more: " + PAIRED
                                        + "; each mean is within 5 points of the paper's",
                                evidence,
                                checks::pressedSuccess,
                                "WHAT_IF 92, LOAD 58 %",
                                figures::pressedSuccess)
                        .with(new Inquiry(
                                Cause.READING,
                                PaperLog.SDSC_BLUE,
                                "WHAT_IF is as in the paper; LOAD grants 51.7 ± 4.2 %. It is neither chance (50.6 % in forty"
                                        + " choices) nor the meaning of the load (51.9 % by the backlog of jobs alone). It hangs on"
                                        + " the jobs and their estimates, of which LOAD guesses when all work has ended: with exact"
                                        + " estimates it grants 83.8 %, among the 2,000 jobs that come next in the log 14.4 %. Which"
                                        + " jobs are sound the paper does not say, and ours lack those of the interactive queue. Found"
                                        + " after these results: with jobs that were completed within their estimates, as dense as the"
                                        + " paper's 2,000 in eight days, it is 91.7 and 59.2 %, and 001-C1, 001-C2 and this claim are"
                                        + " all reproduced.")),
                claim(
                                "001-C4",
                                "Reservations extend the makespan by 1 to 8 %; WHAT_IF does better in most settings.",
                                "to the last end of a job: for either method the least mean of the 36 settings is 0.5 % or more, the"
                                        + " greatest 8.5 % or less; and in more than 18 of them WHAT_IF has the smaller mean",
                                evidence,
                                checks::makespan,
                                "1 to 8 %",
                                figures::makespan)
                        .with(new Inquiry(
                                Cause.READING,
                                PaperLog.SDSC_BLUE,
                                "What is granted nowhere makes nothing longer: without book-ahead time and slack LOAD grants 0.5 %"
                                        + " of the requests. For that reason it is also ahead where time is short; with 10 or 30 h of"
                                        + " slack, where both grant nearly all, WHAT_IF is no longer than LOAD in 11 of 12 settings."
                                        + " To the last end of jobs and reservations the makespan is 0.0 to 5.9 % longer with LOAD and"
                                        + " 0.3 to 6.5 % with WHAT_IF. The end of a log hangs on a few jobs: in single choices of"
                                        + " forty the greatest growth is 0.4 to 8.4 %, as in the paper, which has one; among the next"
                                        + " 2,000 jobs it is 0.1 % on average. Found after these results: where refused requests are"
                                        + " submitted as jobs, so that the work is the same in every setting, the makespan is 1.1 to"
                                        + " 2.3 % longer with LOAD and 0.9 to 2.4 % with WHAT_IF, and four of five checks hold; what"
                                        + " fails is that WHAT_IF does better in most settings, 11 of 36.")),
                claim(
                        "001-C5",
                        "With 30 h of slack every request is granted, by either method at every book-ahead time.",
                        "no request is refused in any repetition",
                        evidence,
                        checks::allGranted,
                        "all of 200",
                        figures::allGranted),
                claim(
                        "001-C6",
                        "With 30 h of slack WHAT_IF delays fewer jobs and by less at 0, 2 and 4 h of book-ahead time; at 6 h"
                                + " more jobs, by about as much; LOAD does a little better at 12 h; at 24 h both are"
                                + " nearly equal.",
                        "jobs that wait longer than without reservations, and how much longer on average. 0, 2, 4 h: both are"
                                + " less with WHAT_IF: " + PAIRED + ". 6 h: the mean number is higher with WHAT_IF, the"
                                + " extra waits differ by a tenth of the larger at most. 12 h: both means are higher with"
                                + " WHAT_IF. 24 h: both differ by a twentieth of the larger at most",
                        evidence,
                        checks::delays,
                        "jobs at 0 h: WHAT_IF 172, LOAD 284; at 24 h: 407, 411",
                        figures::delays),
                claim(
                        "001-C7",
                        "The further ahead reservations are booked, the more jobs are delayed.",
                        "with 30 h of slack, for each method: from 0 to 24 h " + PAIRED
                                + ", and at most one mean is below the one before",
                        evidence,
                        checks::moreDelayed,
                        "WHAT_IF 172 to 407, LOAD 284 to 411 jobs",
                        figures::moreDelayed),
                claim(
                        "001-C8",
                        "The extra waits come in sharp steps, and the further ahead reservations are booked the more they"
                                + " add up to.",
                        "with 30 h of slack, for each method and book-ahead time: half of the extra wait belongs to jobs that"
                                + " begin in ten hours of the run; and the sum of the extra waits rises as in 001-C7",
                        evidence,
                        checks::steps,
                        Claim.NO_FIGURE,
                        figures::steps),
                claim(
                                "001-C9",
                                "If no job takes 89 nodes or more, which changes fewer than ten jobs, delays are much smaller.",
                                "with 30 h of slack, for each method and book-ahead time: the sum of the extra waits is less: "
                                        + PAIRED + "; and in each repetition fewer than ten jobs are changed",
                                evidence,
                                checks::smallJobs,
                                "fewer than 10 jobs changed",
                                figures::smallJobs)
                        .with(new Inquiry(
                                Cause.CHANCE,
                                PaperLog.SDSC_BLUE,
                                "By the means the extra wait is less at all twelve points, at six of them beyond chance. With"
                                        + " forty choices instead of ten it is so at all twelve, by 48 to 60 % with LOAD and by 36 to"
                                        + " 52 % with WHAT_IF, and the claim is reproduced.")));
    }

    private static Claim claim(
            String id,
            String says,
            String rule,
            Evidence evidence,
            Supplier<List<Check>> checks,
            String paper,
            Supplier<String> ours) {
        return evidence.isRepeated()
                ? Claim.of(id, says, rule, checks.get()).with(paper, ours.get())
                : Claim.of(id, says, rule, List.of()).with(paper, "");
    }
}
