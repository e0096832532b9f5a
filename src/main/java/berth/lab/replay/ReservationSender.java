package berth.lab.replay;

import berth.lab.workload.ReservationRequest;
import berth.terminal.Patience;
import berth.terminal.ServiceClient;

/**
 * Sends the reservation requests of one run.
 *
 * @param runId first part of every idempotency key: two runs with equal ids, shifts and seeds send equal keys and bodies
 * @param shift seconds added to every time of a request
 */
record ReservationSender(ServiceClient service, Patience patience, String cluster, String runId, long shift) {

    /** Sends a request, and repeats it with the same key while the outcome is unknown. */
    Patience.Outcome reserve(ReservationRequest request, StopSignal stop) {
        ReplayedRequest body = ReplayedRequest.of(request.shiftedBy(shift), cluster);
        return patience.send(
                timeout -> service.post("/reservations", keyOf(request), body, timeout), stop::isRaisedWithin);
    }

    String keyOf(ReservationRequest request) {
        return runId + "-" + request.job();
    }
}
