package berth.batch;

import java.util.Arrays;

/**
 * A queue in flat arrays, and what of its figures no plan changes. Nobody changes the arrays.
 *
 * @param pes of each waiting job, in their order
 * @param estimates of each
 * @param submitted when each was
 * @param counted so many of them count in a plan's figures, the first ones
 * @param longest of the estimates
 * @param unplanned all of them; to be copied
 * @param running how many jobs run
 * @param lastEnd when the last of these ends
 * @param completion their time from submission to end
 */
record WaitingJobs(
        int[] pes,
        long[] estimates,
        long[] submitted,
        int counted,
        long longest,
        UnplannedJobs unplanned,
        int running,
        long lastEnd,
        long completion) {

    static WaitingJobs of(Jobs jobs) {
        var waiting = jobs.waiting();
        int count = waiting.size();
        var pes = new int[count];
        var estimates = new long[count];
        var submitted = new long[count];
        int index = 0;
        for (var job : waiting) {
            pes[index] = job.pes();
            estimates[index] = job.estimate();
            submitted[index++] = job.submittedAt();
        }
        long lastEnd = Long.MIN_VALUE;
        long completion = 0;
        for (var job : jobs.running()) {
            long until = job.run().orElseThrow().until();
            lastEnd = Math.max(lastEnd, until);
            completion += until - job.submittedAt();
        }
        var unplanned = UnplannedJobs.of(pes, estimates, count);
        int running = jobs.running().size();
        long longest = Arrays.stream(estimates).max().orElse(0);
        return new WaitingJobs(pes, estimates, submitted, count, longest, unplanned, running, lastEnd, completion);
    }

    int size() {
        return pes.length;
    }

    /** With one more at the end, which does not count. */
    WaitingJobs and(int morePes, long estimate) {
        int size = size() + 1;
        var allPes = Arrays.copyOf(pes, size);
        var allEstimates = Arrays.copyOf(estimates, size);
        allPes[size - 1] = morePes;
        allEstimates[size - 1] = estimate;
        var all = UnplannedJobs.of(allPes, allEstimates, size);
        return new WaitingJobs(
                allPes,
                allEstimates,
                submitted,
                counted,
                Math.max(longest, estimate),
                all,
                running,
                lastEnd,
                completion);
    }
}
