package berth.batch;

import static org.assertj.core.api.Assertions.assertThat;

import berth.availability.CapacityProfile;
import berth.batch.Impact.Figures;
import berth.sla.Part;
import berth.time.Slot;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

class EasyBackfillingTest {

    private static final int RUNS = 4_000;

    @Test
    void startsTheFirstJobsLocksTheNextAndBackfillsJobsThatEndInTime() {
        // 10 PEs: the third job waits for the first; the fourth ends before the third begins; the fifth does not and is
        // too wide
        var queue = Queue.on(10)
                .waiting(6, 10)
                .waiting(2, 20)
                .waiting(7, 5)
                .waiting(2, 10)
                .waiting(2, 11)
                .waiting(1, 30);

        assertThat(Queue.starts(queue.plans().original())).containsExactly(0L, 0L, 10L, 0L, 15L, 10L);
    }

    @Test
    void jobsArePlannedAroundReservations() {
        var queue = Queue.on(4)
                .taken(5, 8, 3)
                .waiting(2, 6)
                .waiting(1, 20)
                .waiting(2, 5)
                .waiting(4, 1);

        assertThat(Queue.starts(queue.plans().original())).containsExactly(8L, 0L, 0L, 20L);
    }

    @Test
    void aJobBlockedByOutagesHasNoStartAndDelaysNoOthers() {
        var queue = Queue.on(4)
                .taken(0, Long.MAX_VALUE, 2)
                .waiting(3, 10)
                .waiting(2, 7)
                .waiting(1, 4);

        var plan = queue.plans().original();

        assertThat(Queue.starts(plan)).containsExactly(-1L, 0L, 7L);
        assertThat(plan.figures(0)).isEqualTo(new Figures(2, 11, (7 + 11) / 2.0));
    }

    @Test
    void figuresCountRunningJobsAndTimesFromNowAndFromSubmission() {
        var queue = Queue.on(4).running(3, 8, -12).waiting(2, 5, -1).waiting(1, 2, -4);

        // the jobs end after 20, 14 and 6 seconds, so their ends are 8, 13 and 2
        assertThat(queue.plans().original().figures(0)).isEqualTo(new Figures(3, 13, 40 / 3.0));
        assertThat(Queue.on(4).plans().original().figures(0)).isEqualTo(new Figures(0, 0, 0));
    }

    @Test
    void aPlaceholderDelaysJobsAndDoesNotCount() {
        var plans = Queue.on(4).waiting(4, 10).waiting(2, 5).waiting(2, 9).plans();

        var beside = plans.beside(List.of(Part.whole(new Slot(12, 20), 2)));

        assertThat(Queue.starts(plans.original())).containsExactly(0L, 10L, 10L);
        assertThat(Queue.starts(beside)).containsExactly(0L, 10L, 15L);
        assertThat(beside.figures(0)).isEqualTo(new Figures(3, 24, (10 + 15 + 24) / 3.0));
    }

    @Test
    void aPlaceholderMayLeaveAJobNoPlaceIfPesAreGoneForever() {
        var plans = Queue.on(4)
                .taken(22, Long.MAX_VALUE, 1)
                .waiting(4, 10)
                .waiting(4, 10)
                .plans();

        var beside = plans.beside(List.of(Part.whole(new Slot(10, 15), 1)));

        assertThat(Queue.starts(plans.original())).containsExactly(0L, 10L);
        assertThat(plans.original().figures(0)).isEqualTo(new Figures(2, 20, 15));
        assertThat(Queue.starts(beside)).containsExactly(0L, -1L);
        assertThat(beside.figures(0)).isEqualTo(new Figures(1, 10, 10));
    }

    @Test
    void anAdditionalJobGoesWhereItWouldStartAndDoesNotCount() {
        var plans = Queue.on(4).waiting(3, 10).waiting(4, 5).waiting(3, 5).plans();

        var backfilled = plans.with(1, 10);
        var last = plans.with(1, 11);

        assertThat(Queue.starts(backfilled)).containsExactly(0L, 10L, 15L, 0L);
        assertThat(backfilled.figures(0)).isEqualTo(plans.original().figures(0));
        assertThat(Queue.starts(last)).containsExactly(0L, 10L, 15L, 15L);
    }

    @Test
    void everyPlanMatchesThePlainRules() {
        var random = new Random(20);
        int placed = 0;
        for (int run = 0; run < RUNS; run++) {
            var queue = Queue.drawn(1 + random.nextInt(10), 14, random);
            var plans = queue.plans();

            assertSame(plans.original(), queue.free(), queue.jobs());

            var placeholder = placeholder(queue, random);
            if (queue.free().fewestFree(placeholder.slot()) >= placeholder.pes()) {
                placed++;
                assertSame(
                        plans.beside(List.of(placeholder)),
                        queue.free().take(placeholder.slot(), placeholder.pes()),
                        queue.jobs());
            }
            int pes = 1 + random.nextInt(queue.pes());
            long estimate = 1 + random.nextInt(12);
            var more = queue.jobs().with(Queue.job(Integer.MAX_VALUE, pes, estimate, 0));
            assertStarts(plans.with(pes, estimate), queue.free(), more);
        }
        assertThat(placed).isGreaterThan(RUNS / 10);
    }

    /** Checks that a slot is equally available to a job and to a reservation. */
    @Test
    void anAdditionalJobDelaysOthersLikeAReservationOfItsPlace() {
        var random = new Random(23);
        int delaying = 0;
        for (int run = 0; run < RUNS; run++) {
            var queue = Queue.drawn(1 + random.nextInt(10), 14, random);
            int pes = 1 + random.nextInt(queue.pes());
            long estimate = 1 + random.nextInt(12);
            var plans = queue.plans();
            var more = plans.with(pes, estimate);
            int last = more.size() - 1;
            if (more.start(last).isPresent()) {
                var reserved =
                        plans.beside(List.of(Part.whole(Slot.of(more.start(last).getAsLong(), estimate), pes)));
                assertThat(Queue.starts(reserved)).isEqualTo(Queue.starts(more).subList(0, last));
                assertThat(reserved.figures(0)).isEqualTo(more.figures(0));
                delaying += reserved.equals(plans.original()) ? 0 : 1;
            }
        }
        assertThat(delaying).isGreaterThan(RUNS / 100);
    }

    @Test
    void aPlanHoldsUntilItsFirstStartOrTheNextChange() {
        var random = new Random(21);
        int held = 0;
        for (int run = 0; run < RUNS; run++) {
            var queue = Queue.drawn(4, 6, random);
            var plans = queue.plans();
            long later = 1 + random.nextInt(4);
            if (plans.holdAt(later)) {
                held++;
                var then = EasyBackfilling.of(queue.free(), queue.jobs(), later);
                plans = plans.at(later);
                assertThat(then.original()).isEqualTo(plans.original());
                var placeholder = Part.whole(Slot.of(later + random.nextInt(20), 5), 1);
                assertThat(then.beside(List.of(placeholder))).isEqualTo(plans.beside(List.of(placeholder)));
                assertThat(then.with(1, 5)).isEqualTo(plans.with(1, 5));
            }
        }
        assertThat(held).isGreaterThan(RUNS / 10);
        assertThat(Queue.on(1).plans().holdAt(-1)).isFalse();
    }

    /** Checks the guarantee of EASY. */
    @Test
    void noLaterJobDelaysTheFirst() {
        var random = new Random(22);
        int late = 0;
        for (int run = 0; run < RUNS; run++) {
            var queue = Queue.drawn(1 + random.nextInt(10), 14, random);
            var head = queue.jobs().head();
            if (head.isPresent()) {
                var alone = EasyBackfilling.of(queue.free(), Jobs.NONE.with(head.get()), 0);
                var start = queue.plans().original().start(0);
                assertThat(start).isEqualTo(alone.original().start(0));
                late += start.isPresent() && start.getAsLong() > 0 ? 1 : 0;
            }
        }
        assertThat(late).isGreaterThan(RUNS / 10);
    }

    private static Part placeholder(Queue queue, Random random) {
        return Part.whole(Slot.of(random.nextInt(40), 1 + random.nextInt(15)), 1 + random.nextInt(queue.pes()));
    }

    /** Checks the plan of queue {@code jobs} and its figures. */
    private static void assertSame(Plan plan, CapacityProfile free, Jobs jobs) {
        var starts = assertStarts(plan, free, jobs);
        var ends = new ArrayList<Long>();
        long sum = 0;
        for (var job : jobs.all()) {
            var end = job.run().isPresent()
                    ? Long.valueOf(job.run().get().until())
                    : starts.containsKey(job.id()) ? starts.get(job.id()) + job.estimate() : null;
            if (end != null) {
                ends.add(end);
                sum += end - job.submittedAt();
            }
        }
        var figures = ends.isEmpty()
                ? new Figures(0, 0, 0)
                : new Figures(
                        ends.size(),
                        ends.stream().max(Comparator.naturalOrder()).get(),
                        (double) sum / ends.size());
        assertThat(plan.figures(0)).isEqualTo(figures);
    }

    private static Map<JobId, Long> assertStarts(Plan plan, CapacityProfile free, Jobs jobs) {
        var waiting = List.copyOf(jobs.waiting());
        var expected = PlainBackfilling.starts(free, waiting, 0, 300);
        assertThat(Queue.starts(plan))
                .isEqualTo(waiting.stream()
                        .map(job -> expected.getOrDefault(job.id(), -1L))
                        .toList());
        return expected;
    }
}
