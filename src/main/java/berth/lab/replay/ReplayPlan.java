package berth.lab.replay;

import berth.lab.workload.AdvanceReservationRecipe;
import berth.lab.workload.JobLog;
import berth.lab.workload.LogWindow;
import berth.lab.workload.ReservationRequest;
import berth.lab.workload.SkipReason;
import berth.lab.workload.WindowedRequests;
import berth.time.Slot;
import java.time.Instant;
import java.util.Map;

/**
 * The result of a first pass over the window of the log, before anything is sent.
 *
 * @param requests number of requests, at least 1
 * @param shift seconds from the clock of the log to that of the service
 * @param window the window on the clock of the service, in seconds since the epoch
 * @param offeredLoad the requested PE-seconds, including those outside the window, divided by (PEs of the machine · length of the window)
 * @param leftOut number of jobs of the window for which there is no request, by reason
 */
record ReplayPlan(int requests, long shift, Slot window, double offeredLoad, Map<SkipReason, Integer> leftOut) {

    /**
     * Reads the window once and returns the plan.
     *
     * @param start the earliest ready time on the clock of the service
     * @throws ReplayException if there is nothing to send
     */
    static ReplayPlan survey(JobLog log, AdvanceReservationRecipe recipe, LogWindow window, Instant start) {
        var requests = new WindowedRequests(log, recipe, window);
        int count = 0;
        long earliest = Long.MAX_VALUE;
        double area = 0;
        while (requests.hasNext()) {
            ReservationRequest request = requests.next();
            count++;
            earliest = Math.min(earliest, request.readyTime());
            area += request.area();
        }
        if (count == 0) {
            throw ReplayException.badInput(
                    "%s: the window of %d s from second %d after the first submit contains no request. Check that --from is before the end of the log."
                            .formatted(log.name(), window.length(), window.from()));
        }
        long shift = start.getEpochSecond() - earliest;
        return new ReplayPlan(
                count,
                shift,
                Slot.of(requests.windowStart() + shift, window.length()),
                area / ((double) recipe.machinePes() * window.length()),
                requests.leftOut());
    }
}
