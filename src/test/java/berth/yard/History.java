package berth.yard;

import java.util.Optional;
import java.util.function.Function;

/** The history of a seed in classes that were loaded again; returns the first broken rule, or empty if there is none. */
public final class History implements Function<Long, Optional<String>> {

    /** Values are cut at this length. */
    private static final int LONGEST = 120;

    @Override
    public Optional<String> apply(Long seed) {
        var yard = new Yard(seed, Swarm.of(seed), new Coverage());
        try {
            yard.run();
            return Optional.empty();
        } catch (Throwable e) {
            return Optional.of(firstLine(e));
        }
    }

    /** Returns the failure in one line. */
    static String firstLine(Throwable failure) {
        var told = Optional.ofNullable(failure.getMessage()).map(String::strip).orElse("");
        var line = told.lines().findFirst().orElse("");
        return line.isEmpty() ? failure.getClass().getName() : line.substring(0, Math.min(line.length(), LONGEST));
    }
}
