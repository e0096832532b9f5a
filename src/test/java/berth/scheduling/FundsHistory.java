package berth.scheduling;

import java.util.Optional;
import java.util.function.Function;

/** The history of a seed in a project with a budget; returns the first fault, or empty if there is none. */
public final class FundsHistory implements Function<Long, Optional<String>> {

    @Override
    public Optional<String> apply(Long seed) {
        try {
            RandomFundsTest.decideIn(seed.intValue(), new RandomFundsTest.Refused());
            return Optional.empty();
        } catch (AssertionError | RuntimeException e) {
            return Optional.of(LossHistory.firstLine(e));
        }
    }
}
