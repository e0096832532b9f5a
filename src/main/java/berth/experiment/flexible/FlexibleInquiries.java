package berth.experiment.flexible;

import berth.experiment.Inquiry;
import berth.experiment.Inquiry.Cause;

/** What was looked into where claims of paper 000 do not come out; all figures are those of the log of the SDSC SP2. */
final class FlexibleInquiries {
    private FlexibleInquiries() {}

    /** 000-C3. */
    static final Inquiry LEVELS = new Inquiry(
            Cause.READING,
            "The paper does not say over which time utilisation is taken, nor with which intervals. On the SDSC SP2 log"
                    + " fixed requests use 59.6, 69.2 and 76.4 % of the time in which requests come, and 44.0, 47.2 and"
                    + " 48.3 % of the time up to the last end of a run; with long intervals the latter is 46.4, 50.0 and"
                    + " 51.6 %, within the paper's intervals at all three loads. More load by more jobs in the same time (59.6, 68.0, 74.0 %)"
                    + " and p = 0 taken as 1 (59.1, 68.2, 75.4 %) come no nearer. Found"
                    + " after these: where users' estimates are reserved and runs end as in the log, it is 43.5, 48.9 and 53.3 %"
                    + " of the time in which requests come with short, 44.5, 49.7 and 54.3 % with medium and 46.0, 51.7 and"
                    + " 55.9 % with long intervals, reproduced with each of them; with fixed requests 42.8, 48.2 and 51.9 %,"
                    + " of which the first is 0.7 points too low.");

    /** 000-C5. */
    static final Inquiry ESTIMATES = new Inquiry(
            Cause.READING,
            "The paper does not say what the gain is measured in. On the SDSC SP2 log runs that take 80 % of their time use"
                    + " 80 % of the machine, and the gain shrinks with them. In percent of what fixed intervals use it is larger"
                    + " at seven of nine points, by 0.4 at most; in PE-seconds reserved it is larger at all nine, by 0.01 to"
                    + " 0.34 points. Where the run times of the log are the actual ones and estimates longer, what is used"
                    + " gains more at three points, none beyond chance, and what is reserved at all nine, by 0.5 to 2.9"
                    + " points, beyond chance at eight: there the claim is reproduced. So it holds of what is reserved."
                    + " Found after these: where whoever waits is pulled forward when a run ends early it is reproduced of what is"
                    + " reserved (4.9, 6.0 and 7.4 points against 4.7, 5.7 and 6.9) and in percent of what fixed intervals use (8.3,"
                    + " 8.7 and 9.8 % against 8.0, 8.4 and 9.2 %); with users' own estimates both ways as well, in percent on"
                    + " average 11.1, 10.3 and 11.8 % against 8.0, 8.4 and 9.2 % with exact run times.");

    /** 000-C7. */
    static final Inquiry ALTERNATIVES = new Inquiry(
            Cause.READING,
            "All that are refused take alternatives here, while half of the requests are flexible; the paper does not say"
                    + " who takes one. On the SDSC SP2 log flexible intervals gain 0.6 to 3.3 points more than alternatives"
                    + " where half of the refused take them, and 1.7 to 5.4 points more where all requests are flexible,"
                    + " beyond chance at all nine points both times. So the claim holds where as many take alternatives as"
                    + " are flexible.");

    /** 000-C8. */
    static final Inquiry DISTANCES = new Inquiry(
            Cause.PAPER,
            "On the SDSC SP2 log the distances that are taken spread evenly up to the threshold, so that their mean is 0.45"
                    + " to 0.50 of it; 0.44 to 0.51 where half of the refused ask, 0.46 to 0.52 if weighed by the size of the"
                    + " runs. Even if always the farthest alternative within the threshold is taken, and not the nearest as"
                    + " in the paper, it is 0.58 to 0.68: no choice among the options of Algorithm 2 comes near the threshold."
                    + " The words hold in another sense: among those who took one |φ| has a standard deviation of 0.28 to"
                    + " 0.30 of the threshold, which lies less than two of them above the mean at all nine points.");
}
