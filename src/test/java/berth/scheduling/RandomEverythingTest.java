package berth.scheduling;

import static org.assertj.core.api.Assertions.assertThat;

import berth.Seeds;
import berth.availability.Shrinker;
import berth.scheduling.EverythingWorld.Step;
import berth.scheduling.commands.Command;
import berth.scheduling.commands.ReplaceLostPes;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * Every command at random, the same for each seed, checked by {@link EverythingSchedule}. Only all seeds together must reach every
 * command, event and rejection.
 */
class RandomEverythingTest {

    private static final int SEEDS = Seeds.of(450);

    @Test
    void noRandomWorldBreaksARule() {
        var outcomes = new TreeMap<String, Integer>();
        for (int seed = 0; seed < SEEDS; seed++) {
            var world = EverythingWorld.of(seed);
            Shrinker.play(
                    "%s, seed %d".formatted(world.cluster(), seed),
                    world.steps(),
                    steps -> played(world, steps).outcomes().forEach(word -> outcomes.merge(word, 1, Integer::sum)));
        }

        if (!Seeds.areAll()) {
            return;
        }
        // without this check, a change of the worlds could make the test ineffective
        // runs seldom find free PEs here; RandomCommandsTest has worlds in which they do
        var commands = Arrays.stream(Command.class.getPermittedSubclasses())
                .filter(command -> command != ReplaceLostPes.class)
                .map(Class::getSimpleName);
        // desks determine funds and who may file; RandomFundsTest covers them
        var events =
                EnumSet.complementOf(EnumSet.of(Event.Type.BUDGET_LOW)).stream().map(Enum::name);
        var reasons = Arrays.stream(Rejection.class.getPermittedSubclasses())
                .filter(reason -> reason != Rejection.BudgetExceeded.class && reason != Rejection.FilingClosed.class)
                .map(Class::getSimpleName);
        var others = Stream.of("alternative", "would fit", "taken");
        assertThat(Stream.of(commands, events, reasons, others).flatMap(words -> words))
                .allSatisfy(word -> assertThat(outcomes.getOrDefault(word, 0)).isGreaterThanOrEqualTo(10));
    }

    private static EverythingSchedule played(EverythingWorld world, List<Step> steps) {
        var schedule = new EverythingSchedule(world);
        schedule.play(steps);
        return schedule;
    }
}
