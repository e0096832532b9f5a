package berth.availability;

import static org.assertj.core.api.Assertions.assertThat;

import berth.time.Slot;
import berth.time.Window;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.OptionalLong;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.Test;

/** Searches where nearly everything is taken, so they go far and skip nodes by the runs in them. */
class PackedBacklogTest {

    private static final int PES = 200;
    private static final int JOBS = 6_000;
    private static final long FAR = 1L << 40;

    /** The PEs that are left free in every second, so that all nodes can be changed at once. */
    private static final int SPARE = 1;

    private final Random random = new Random(4);
    private final List<Command.Take> taken = new ArrayList<>();
    private CapacityProfile profile = CapacityProfile.of(PES).take(new Slot(-FAR, 2 * FAR), SPARE);

    /** A search for a run. */
    record Question(Window window, long duration, int pes) {}

    PackedBacklogTest() {
        for (int i = 0; i < JOBS; i++) {
            var job = new Question(new Window(0, FAR), duration(), pes());
            var slot = Slot.of(answer(profile, job).orElseThrow(), job.duration);
            profile = profile.take(slot, job.pes);
            taken.add(new Command.Take(slot, job.pes));
        }
    }

    @Test
    void matchesASearchThroughAllSteps() {
        assertThat(profile.checkInvariants()).isEqualTo(3);
        askMany();
        profile.checkInvariants();
    }

    @Test
    void matchesASearchThroughAllStepsAmongLongerRuns() {
        Collections.shuffle(taken, random);
        for (var job : taken.subList(0, JOBS / 3)) {
            profile = profile.giveBack(job.slot(), job.pes());
        }

        askMany();
        profile.checkInvariants();
    }

    @Test
    void matchesASearchThroughAllStepsWhileRunsAreCachedAndDropped() {
        for (int i = 0; i < 300; i++) {
            var job = taken.get(random.nextInt(taken.size()));
            profile = profile.giveBack(job.slot(), job.pes());
            ask(profile.steps(new Slot(0, FAR)), question());
            profile = profile.take(job.slot(), job.pes());
            ask(profile.steps(new Slot(0, FAR)), question());
        }
        profile.checkInvariants();
    }

    @Test
    void givesConcurrentThreadsTheSameAnswers() throws Exception {
        var questions = new ArrayList<Question>();
        for (int i = 0; i < 200; i++) {
            questions.add(question());
        }
        var answers = questions.stream().map(each -> answer(profile, each)).toList();
        int threads = 8;
        try (var pool = Executors.newFixedThreadPool(threads)) {
            for (int round = 0; round < 20; round++) {
                var fresh = withAllNodesMadeAnew();
                var begin = new CyclicBarrier(threads);
                var asking = Collections.nCopies(threads, (Callable<List<OptionalLong>>) () -> {
                    begin.await();
                    return questions.stream().map(each -> answer(fresh, each)).toList();
                });
                for (var each : pool.invokeAll(asking)) {
                    assertThat(each.get()).isEqualTo(answers);
                }
                fresh.checkInvariants();
            }
        }
    }

    private CapacityProfile withAllNodesMadeAnew() {
        var all = new Slot(-FAR, 2 * FAR);
        return profile.giveBack(all, SPARE).take(all, SPARE);
    }

    private void askMany() {
        var steps = profile.steps(new Slot(0, FAR));
        for (int i = 0; i < 3_000; i++) {
            ask(steps, question());
        }
    }

    private void ask(List<Step> steps, Question question) {
        long[] starts = starts(steps, question);
        assertThat(answer(profile, question))
                .as("%s", question)
                .isEqualTo(Arrays.stream(starts).findFirst());
        assertThat(profile.fitStarts(question.window, question.duration, question.pes, 5))
                .as("%s", question)
                .isEqualTo(Arrays.copyOf(starts, Math.min(starts.length, 5)));
    }

    private static OptionalLong answer(CapacityProfile profile, Question question) {
        return profile.earliestFit(question.window, question.duration, question.pes);
    }

    /** Returns the first start in each sufficiently long stretch of steps with enough PEs. */
    private static long[] starts(List<Step> steps, Question question) {
        var starts = new ArrayList<Long>();
        long latest = question.window.latestStart(question.duration);
        for (int i = 0, after; i < steps.size(); i = after + 1) {
            after = i;
            while (after < steps.size() && steps.get(after).free() >= question.pes) {
                after++;
            }
            long start = Math.max(steps.get(i).start(), question.window.readyTime());
            long end = after < steps.size() ? steps.get(after).start() : FAR;
            if (start <= latest && end - start >= question.duration) {
                starts.add(start);
            }
        }
        return starts.stream().mapToLong(Long::longValue).toArray();
    }

    private Question question() {
        long span = profile.steps(new Slot(0, FAR)).getLast().start();
        long ready = random.nextLong(span);
        long length = random.nextBoolean() ? FAR / 2 : 1 + random.nextLong(span / 4);
        return new Question(new Window(ready, ready + length), duration(), pes());
    }

    /** Returns a duration that is usually short and rarely 3,000 seconds. */
    private long duration() {
        return Math.round(Math.exp(random.nextDouble() * Math.log(3_000)));
    }

    /** Returns a number of PEs that is usually small. */
    private int pes() {
        return (int) Math.exp(random.nextDouble() * Math.log(PES - SPARE));
    }
}
