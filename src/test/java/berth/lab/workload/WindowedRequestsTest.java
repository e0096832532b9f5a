package berth.lab.workload;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class WindowedRequestsTest {
    private static final AdvanceReservationRecipe RECIPE = new AdvanceReservationRecipe(8, 1, 0.5, 50);

    @TempDir
    Path directory;

    @Test
    void countsTheWindowFromTheFirstSubmitOfTheLog() throws IOException {
        JobLog log = log(
                job(1, 5_000, 600, 4),
                job(2, 5_099, 600, 4),
                job(3, 5_100, 600, 4),
                job(4, 5_199, 600, 4),
                job(5, 5_200, 600, 4));
        var requests = new WindowedRequests(log, RECIPE, new LogWindow(100, 100));

        assertThat(requests.windowStart()).isEqualTo(5_100);
        assertThat(all(requests)).extracting(ReservationRequest::job).containsExactly(3L, 4L);
    }

    @Test
    void countsFromTheFirstSubmitEvenOfAJobThatIsLeftOut() throws IOException {
        JobLog log = log(job(1, 5_000, -1, 4), job(2, 5_099, 600, 4));
        var requests = new WindowedRequests(log, RECIPE, new LogWindow(0, 100));

        assertThat(requests.windowStart()).isEqualTo(5_000);
        assertThat(all(requests)).extracting(ReservationRequest::job).containsExactly(2L);
    }

    @Test
    void makesTheSameRequestOfAJobInEveryWindow() throws IOException {
        JobLog log = log(job(1, 0, 600, 4), job(2, 50, 600, 4), job(3, 100, 600, 4), job(4, 150, 600, 4));
        var whole = new WindowedRequests(log, RECIPE, new LogWindow(0, 1_000));
        var later = new WindowedRequests(log, RECIPE, new LogWindow(100, 1_000));

        assertThat(all(later)).isEqualTo(all(whole).subList(2, 4));
    }

    @Test
    void countsJobsOfTheWindowThatItLeavesOut() throws IOException {
        JobLog log =
                log(job(1, 0, 5, 4), job(2, 100, 5, 4), job(3, 100, 6, 4), job(4, 150, 600, 9), job(5, 200, 600, 1));
        var requests = new WindowedRequests(log, RECIPE, new LogWindow(100, 1_000));
        all(requests);

        assertThat(requests.leftOut()).isEqualTo(Map.of(SkipReason.SHORT, 2, SkipReason.TOO_LARGE, 1));
    }

    @Test
    void hasNoRequestsBehindTheEndOfTheLog() throws IOException {
        var requests = new WindowedRequests(log(job(1, 0, 600, 4)), RECIPE, new LogWindow(100, 1_000));

        assertThat(requests.hasNext()).isFalse();
    }

    private static List<ReservationRequest> all(WindowedRequests requests) {
        List<ReservationRequest> all = new ArrayList<>();
        requests.forEachRemaining(all::add);
        return all;
    }

    private static String job(int number, long submit, long runTime, int pes) {
        return "%d %d 0 %d %d -1 -1 %d -1 -1 1 1 1 1 1 1 -1 -1".formatted(number, submit, runTime, pes, pes);
    }

    /** Returns a log of a machine that can be larger than that of the recipe. */
    private JobLog log(String... jobs) throws IOException {
        return JobLog.read(Files.writeString(directory.resolve("log.swf"), String.join("\n", jobs) + "\n"));
    }
}
