package berth.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import berth.http.CallsUnderWay.Bounds;
import berth.runtime.Gate;
import berth.runtime.Threads;
import io.micrometer.core.instrument.Timer;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.springframework.mock.web.MockHttpServletRequest;

class GatedCallsTest {

    private static final String JOBS = "/api/v1/clusters/demo/jobs";
    private static final String HERE = Thread.currentThread().getName();

    private final Gate searches = gate("search");
    private final GatedCalls gated = new GatedCalls(gate("reading"), gate("report"), () -> searches);

    @AfterEach
    void close() {
        gated.close();
        searches.close();
    }

    private static Gate gate(String name) {
        var times = Timer.builder("times").register(new SimpleMeterRegistry());
        return new Gate(name, 1, 1, 2, Threads.OF_THE_JVM, Duration.ofSeconds(30), times);
    }

    /** Returns the name of the thread that carries out a call. */
    private String thread(String method, String path, int bodySize) throws Exception {
        var request = new MockHttpServletRequest(method, path);
        request.setContent(new byte[bodySize]);
        var call = new CallsUnderWay(Bounds.of(64 << 20, 2, 2)).begin("alice").orElseThrow();
        var carrier = new AtomicReference<String>();
        gated.carryOut(
                "alice",
                new BufferedBody.Request(request, call),
                () -> carrier.set(Thread.currentThread().getName()));
        return carrier.get();
    }

    @Test
    void aListOfManyJobsTakesItsTurnAmongReports() throws Exception {
        assertThat(thread("PUT", JOBS, BodyLimit.MAX + 1)).isEqualTo("report-0");
        assertThat(thread("PUT", JOBS, BodyLimit.MAX)).isEqualTo(HERE);
    }

    @Test
    void eachKindOfReadingTakesItsTurnAtItsGate() throws Exception {
        assertThat(thread("GET", JOBS, 0)).isEqualTo("reading-0");
        assertThat(thread("GET", "/api/v1/clusters/demo/statistics", 0)).isEqualTo("report-0");
        assertThat(thread("POST", "/api/v1/probes/map", 0)).isEqualTo("search-0");
    }

    @Test
    void changesAndSingleReservationsWaitForNoTurn() throws Exception {
        assertThat(thread("POST", "/api/v1/reservations", 0)).isEqualTo(HERE);
        assertThat(thread("GET", "/api/v1/reservations/4711", 0)).isEqualTo(HERE);
    }

    @Test
    void aListThatIsTooLongTakesNoTurn() {
        assertThatExceptionOfType(BufferedBody.NotRead.class)
                .isThrownBy(() -> thread("PUT", JOBS, BodyLimit.MAX_OF_A_LIST + 1))
                .satisfies(e -> assertThat(e.problem().code()).isEqualTo(ProblemCode.TOO_LARGE));
    }
}
