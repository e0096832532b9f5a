package berth.experiment.whatif;

import berth.experiment.Inquiry;
import berth.experiment.Inquiry.Cause;
import java.util.Map;

/**
 * What was looked into where a claim of paper 001 does not come out on the jobs nearest to the paper's: the first 2,000
 * sound ones of the first 60 days of the SDSC Blue Horizon.
 */
final class WhatIfInquiries {
    /** By the claims' ids. */
    static final Map<String, Inquiry> BY_CLAIM = Map.of(
            "001-C3",
            new Inquiry(
                    Cause.OPEN,
                    "WHAT_IF is as in the paper; LOAD grants less of what comes at high load, as it does where time is"
                            + " short (33 % where the paper has 38). Its estimate of when all work has ended comes of the"
                            + " users' estimates, and those of the excerpt may be worse."),
            "001-C4",
            new Inquiry(
                    Cause.READING,
                    "What the makespan is of is not said. To the last end of jobs and reservations it is up to 6.5 %"
                            + " longer, as in the paper; but nothing is longer where nothing is granted, and where time is"
                            + " short LOAD refuses nearly everything."),
            "001-C6",
            new Inquiry(
                    Cause.CHANCE,
                    "Which jobs are made requests matters more than the method: in one of ten choices LOAD adds 1,046 h of"
                            + " waiting at 0 h, in the other nine 138 to 342. By the means WHAT_IF is ahead at 0, 2 and"
                            + " 4 h."),
            "001-C9",
            new Inquiry(
                    Cause.CHANCE,
                    "By the means the extra wait is less at all twelve points. With forty choices instead of ten it is so"
                            + " beyond chance."));

    private WhatIfInquiries() {}
}
