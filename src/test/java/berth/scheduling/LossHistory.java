package berth.scheduling;

import java.util.Optional;
import java.util.Random;
import java.util.function.Function;

/** The history of a seed in which runs lose PEs, under the random oracle; returns the first fault, or empty if there is none. */
public final class LossHistory implements Function<Long, Optional<String>> {

    @Override
    public Optional<String> apply(Long seed) {
        var world = SchedulingWorld.of(seed.intValue());
        try {
            new CheckedSchedule(world).play(world.losses(new Random(seed)));
            return Optional.empty();
        } catch (AssertionError | RuntimeException e) {
            return Optional.of(firstLine(e));
        }
    }

    /** Returns the failure in one line. */
    static String firstLine(Throwable failure) {
        return Optional.ofNullable(failure.getMessage())
                .flatMap(told -> told.lines().filter(line -> !line.isBlank()).findFirst())
                .orElse(failure.getClass().getName());
    }
}
