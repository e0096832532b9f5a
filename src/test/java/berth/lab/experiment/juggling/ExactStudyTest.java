package berth.lab.experiment.juggling;

import static org.assertj.core.api.Assertions.assertThat;

import berth.availability.CapacityProfile;
import berth.cluster.Juggling;
import berth.lab.experiment.Figured;
import berth.lab.experiment.juggling.ExactStudy.Way;
import berth.sla.Fixing;
import berth.sla.QosScenario;
import berth.sla.Shape;
import berth.sla.Terms;
import berth.time.Slot;
import berth.time.Window;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;

class ExactStudyTest {

    private static Terms run(int pes, long duration, long ready, long deadline) {
        return new Terms(
                new Window(ready, deadline),
                duration,
                List.of(new Shape(pes, duration)),
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                Map.of(),
                Fixing.BY_NOTICE,
                QosScenario.INTERVAL);
    }

    @Test
    void findsTheOneSequenceInWhichAllFit() {
        // the wide run only fits between the others, which must then be at the same time
        assertThat(ExactSearch.isFeasible(2, 10, List.of(run(2, 4, 0, 10), run(1, 3, 0, 10), run(1, 6, 0, 10))))
                .isTrue();
        assertThat(ExactSearch.isFeasible(2, 10, List.of(run(2, 5, 0, 10), run(1, 3, 0, 10), run(1, 6, 0, 10))))
                .isFalse();
    }

    /** Compares the search with an oracle that tries every start of each run. */
    @Test
    void matchesATrialOfEveryStart() {
        var random = new Random(1);
        var answers = new ArrayList<Boolean>();
        for (int round = 0; round < 400; round++) {
            var runs = IntStream.range(0, 4)
                    .mapToObj(_ -> {
                        int duration = 1 + random.nextInt(4);
                        int ready = random.nextInt(4);
                        return run(1 + random.nextInt(3), duration, ready, ready + duration + random.nextInt(5));
                    })
                    .toList();
            boolean answer = ExactSearch.isFeasible(3, 20, runs);
            assertThat(answer).as("%s", runs).isEqualTo(anyStarts(CapacityProfile.of(3), runs));
            answers.add(answer);
        }
        assertThat(answers).contains(true, false);
    }

    private static boolean anyStarts(CapacityProfile free, List<Terms> runs) {
        if (runs.isEmpty()) {
            return true;
        }
        var first = runs.getFirst();
        for (long start = first.window().readyTime(); start <= first.latestStart(); start++) {
            var slot = Slot.of(start, first.runTime());
            if (free.fewestFree(slot) >= first.pes()
                    && anyStarts(free.take(slot, first.pes()), runs.subList(1, runs.size()))) {
                return true;
            }
        }
        return false;
    }

    @Test
    void jugglingRefusesFewerFeasibleRequestsThanNeverMoving() {
        var outcomes = Figured.of(new ExactStudy(40, 1), 2);

        assertThat(outcomes.keySet()).containsExactlyElementsOf(Way.all());
        assertThat(outcomes).allSatisfy((_, outcome) -> {
            assertThat(outcome.refused()).isBetween(1, outcome.requests());
            assertThat(outcome.exact()).isBetween(0, outcome.refused());
        });
        var never = Objects.requireNonNull(outcomes.get(Way.all().getFirst()));
        assertThat(outcomes).anySatisfy((way, outcome) -> {
            assertThat(way.juggling()).isNotEqualTo(Juggling.NEVER);
            assertThat(outcome.share()).isLessThan(never.share());
        });
    }

    @Test
    void theCommandPrintsALineForEachWay() {
        assertThat(output(0, "--instances", "3", "--seed", "2"))
                .contains("3 clusters of 4 PEs, at most 7 waiting, seed 2")
                .contains("EARLIEST_DEADLINE_FIRST", "ON_CONFLICT", "feasible", "tried every sequence");
        assertThat(output(2, "--instances", "0")).contains("--instances is 0: give 1 to 100000.");
    }

    private static String output(int exitCode, String... arguments) {
        var text = new StringWriter();
        var command = new CommandLine(new ExactCommand())
                .setOut(new PrintWriter(text))
                .setErr(new PrintWriter(text));
        assertThat(command.execute(arguments)).isEqualTo(exitCode);
        return text.toString();
    }
}
