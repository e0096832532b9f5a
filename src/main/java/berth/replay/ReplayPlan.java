package berth.replay;

import berth.time.Slot;
import berth.workload.AdvanceReservationRecipe;
import berth.workload.JobLog;
import berth.workload.LogWindow;
import berth.workload.ReservationRequest;
import berth.workload.SkipReason;
import berth.workload.WindowedRequests;
import java.time.Instant;
import java.util.Map;

/**
 * What a first pass over the window of the log tells before anything is sent.
 *
 * @param requests how many there are, at least 1
 * @param shift seconds from the clock of the log to that of the service
 * @param window the window of the log on the clock of the service, in seconds since the epoch
 * @param offeredLoad PE-seconds asked for / (PEs of the machine · length of the window), whether inside the window or not
 * @param leftOut jobs of the window that became no request, by reason
 */
record ReplayPlan(int requests, long shift, Slot window, double offeredLoad, Map<SkipReason, Integer> leftOut) {

    /**
     * Goes through the window once.
     *
     * @param start where the earliest ready time of the window goes
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
                    "%s: the window of %d s from second %d after the first submit holds no request. Maybe --from lies behind the end of the log."
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
