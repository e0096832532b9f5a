package berth.yard;

import java.util.Optional;
import java.util.function.Function;

/** The history of a seed, for those who have loaded these classes once more: what it breaks first, empty if it breaks nothing. */
public final class History implements Function<Long, Optional<String>> {

    /** No value is told whole. */
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

    /** What has gone wrong, in a line. */
    static String firstLine(Throwable failure) {
        var told = Optional.ofNullable(failure.getMessage()).map(String::strip).orElse("");
        var line = told.lines().findFirst().orElse("");
        return line.isEmpty() ? failure.getClass().getName() : line.substring(0, Math.min(line.length(), LONGEST));
    }
}
