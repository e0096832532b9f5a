package berth.replay;

import berth.workload.ReservationRequest;
import java.time.Instant;

/** The JSON of {@code POST /reservations}, as much of it as a replay needs. */
record ReserveBody(Terms terms, String cluster, String name) {

    record Terms(String readyTime, String deadline, String duration, int pes) {}

    /** Of a request whose times are seconds since the epoch. */
    static ReserveBody of(ReservationRequest request, String cluster) {
        Terms terms = new Terms(
                Instant.ofEpochSecond(request.readyTime()).toString(),
                Instant.ofEpochSecond(request.deadline()).toString(),
                "PT" + request.duration() + "S",
                request.pes());
        return new ReserveBody(terms, cluster, "job-" + request.job());
    }
}
