package berth.lab.replay;

import berth.lab.workload.ReservationRequest;
import java.time.Instant;

/** The fields of the body of {@code POST /reservations} that a replay needs. */
record ReplayedRequest(Terms terms, String cluster, String name) {

    record Terms(String readyTime, String deadline, String duration, int pes) {}

    /** Returns the body of a request whose times are in seconds since the epoch. */
    static ReplayedRequest of(ReservationRequest request, String cluster) {
        Terms terms = new Terms(
                Instant.ofEpochSecond(request.readyTime()).toString(),
                Instant.ofEpochSecond(request.deadline()).toString(),
                "PT" + request.duration() + "S",
                request.pes());
        return new ReplayedRequest(terms, cluster, "job-" + request.job());
    }
}
