package berth.batch;

import java.util.Arrays;

/**
 * A queue in flat arrays, with the figures that are the same for every plan. Nobody may change the arrays.
 *
 * @param pes the PEs of each waiting job, in the order of the queue
 * @param estimates the estimates, in the same order
 * @param submitted the times of submission, in the same order
 * @param counted how many jobs, from the first, count in a plan's figures
 * @param longest the longest estimate
 * @param unplanned the list with which a plan begins: all waiting jobs. A plan changes only its own copy
 * @param running the number of running jobs
 * @param lastEnd the end of the last running job
 * @param completion the sum of the running jobs' times from submission to end
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

    /** Returns the queue with one more job at the end, which does not count in the figures. */
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
