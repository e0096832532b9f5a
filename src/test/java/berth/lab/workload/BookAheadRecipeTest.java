package berth.lab.workload;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class BookAheadRecipeTest {
    private static final List<QueuedJob> JOBS = LongStream.range(0, 95)
            .mapToObj(i -> new QueuedJob(i, 10 * i, 1 + (int) i, 200 + i, 100 + i))
            .toList();

    @Test
    void makesOneOfEveryTenJobsARequest() {
        var workload = new BookAheadRecipe(1, 3600, 7200).of(JOBS);

        assertThat(workload.jobs()).hasSize(86);
        assertThat(workload.requests()).hasSize(9);
        for (int block = 0; block < 9; block++) {
            assertThat(workload.requests().get(block).job() / 10).isEqualTo(block);
        }
        assertThat(workload.jobs().subList(81, 86)).isEqualTo(JOBS.subList(90, 95));
        assertThat(LongStream.concat(
                                workload.jobs().stream().mapToLong(QueuedJob::number),
                                workload.requests().stream().mapToLong(ReservationRequest::job))
                        .distinct())
                .hasSize(95);
    }

    @Test
    void asksForThePesOfTheJobAsLongAsItRanInAWindowThatLeavesTheSlack() {
        var request = new BookAheadRecipe(1, 3600, 7200).of(JOBS).requests().getFirst();
        var job = JOBS.get((int) request.job());

        assertThat(request)
                .isEqualTo(new ReservationRequest(
                        job.number(),
                        job.submit(),
                        job.submit() + 3600,
                        job.submit() + 3600 + job.runTime() + 7200,
                        job.runTime(),
                        job.pes()));
    }

    @Test
    void choosesTheSameJobsForOneSeedInAnyWindow() {
        var jobs = new BookAheadRecipe(5, 0, 0).of(JOBS).jobs();

        assertThat(new BookAheadRecipe(5, 7200, 3600).of(JOBS).jobs()).isEqualTo(jobs);
        assertThat(new BookAheadRecipe(6, 0, 0).of(JOBS).jobs()).isNotEqualTo(jobs);
    }

    @Test
    void limitsJobsButNotRequests() {
        var workload = new BookAheadRecipe(1, 0, 0).of(JOBS);
        var limited = workload.withJobsOnAtMost(40);

        assertThat(limited.requests()).isEqualTo(workload.requests());
        assertThat(limited.jobs()).hasSameSizeAs(workload.jobs()).allMatch(job -> job.pes() <= 40);
        assertThat(limited.jobs().getFirst()).isEqualTo(workload.jobs().getFirst());
    }

    @Test
    void rejectsImpossibleTimesAndJobs() {
        assertThatThrownBy(() -> new BookAheadRecipe(1, -1, 0)).hasMessageContaining("book-ahead time (-1 s)");
        assertThatThrownBy(() -> new QueuedJob(1, 0, 1, 10, 11)).hasMessageContaining("11 s and an estimate of 10 s");
    }
}
