package berth.experiment.whatif;

import berth.experiment.Check;
import berth.experiment.Claim;
import berth.experiment.Reading;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * The claims of paper 001 and the rules by which they are judged. The paper has one workload, which of whose jobs are made
 * requests is not said; here several choices are repetitions, and "more" is more beyond what chance explains where the paper
 * calls a difference significant.
 */
final class WhatIfClaims {
    private static final String PAIRED =
            "the 95 % interval of the paired differences over the repetitions lies above 0";

    private WhatIfClaims() {}

    /** All nine; not checkable unless runs were repeated. */
    static List<Claim> of(Evidence evidence) {
        var inquiries = WhatIfInquiries.BY_CLAIM;
        return of(evidence, Judgement.AS_READ).stream()
                .map(claim -> Optional.ofNullable(inquiries.get(claim.id()))
                        .map(claim::with)
                        .orElse(claim))
                .toList();
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
                        figures::success),
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
                        figures::pressedSuccess),
                claim(
                        "001-C4",
                        "Reservations extend the makespan by 1 to 8 %; WHAT_IF does better in most settings.",
                        "to the last end of a job: for either method the least mean of the 36 settings is 0.5 % or more, the"
                                + " greatest 8.5 % or less; and in more than 18 of them WHAT_IF has the smaller mean",
                        evidence,
                        checks::makespan,
                        "1 to 8 %",
                        figures::makespan),
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
                        figures::smallJobs));
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
