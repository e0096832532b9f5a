package berth.experiment.priority;

import berth.experiment.Inquiry;
import berth.experiment.Inquiry.Cause;
import java.util.Map;

/** What was looked into where a claim of paper 002 does not come out. */
final class PriorityInquiries {
    /** By the claims' ids. */
    static final Map<String, Inquiry> BY_CLAIM = Map.of(
            "002-C1",
            new Inquiry(
                    Cause.READING,
                    "It hangs on when jobs come and how long they are, which the paper does not give. All at once they are a"
                            + " week of work, so that a job with a reservation waits for half a day, any other one for half a"
                            + " week; and the more are reserved or rejected, the less jobs wait. If users come within 20 days"
                            + " the claim is reproduced: from 5.9 to 8.1 h with DPSAR and from 6.4 to 8.3 h with ARWP, the"
                            + " first step the largest. With starts within 14 days, with jobs of 1 to 9 minutes, and with"
                            + " jobs that come one by one it rises too, but evenly with DPSAR or with both; with starts within"
                            + " 14 days 10 of 12 checks hold, and 002-C4 does as well. Where all of this claim holds by later"
                            + " users, DPSAR no longer rejects fewer. Found after all these: with the resources and the starts,"
                            + " a day ahead, of the example of advance reservation that comes with GridSim, whose 47 PEs and"
                            + " author are the paper's and its reference's, and jobs of 2 to 22 minutes, all at once, this"
                            + " claim, 002-C3 and 002-C4 are all reproduced: from 9.7 to 12.5 h with DPSAR and from 12.3 to"
                            + " 13.6 h with ARWP."),
            "002-C2",
            new Inquiry(
                    Cause.PAPER,
                    "DPSAR takes the shortest jobs first, and where jobs queue that shortens their mean wait: by 24 to 28 %"
                            + " here, by 3 % if only users of equal priority are one group, by 0.5 % with rounds whenever"
                            + " a user comes. A longer wait does not go with the shorter offset of 002-C3 either, since"
                            + " both count from nearly the same second. Only where hardly anybody queues, with jobs that come"
                            + " one by one within 20 days, do jobs wait longer with DPSAR, by the five minutes in which it"
                            + " collects them; there 8 of 9 checks hold, and 002-C3 fails. That the wait rises less with"
                            + " DPSAR holds there only. Of reserved jobs alone, as the paper's definition may mean, DPSAR's"
                            + " is half an hour of twelve shorter, by which starts are refused, and with GridSim's example"
                            + " equal within seconds: their starts are chosen, whatever the order."),
            "002-C5",
            new Inquiry(
                    Cause.PAPER,
                    "The paper's results say better, its conclusion almost at par. It is at par here, 0.1 to 0.7 points"
                            + " below: DPSAR leaves the long jobs for the end, when some PEs of a resource have nothing left"
                            + " to do. In none of seven other workloads and ways to take jobs in is it above ARWP at 0 %; if"
                            + " users come within 20 days the difference is less than 0.1 points."));

    private PriorityInquiries() {}
}
