package berth.booking;

import berth.engine.Trial;
import java.util.Optional;

/**
 * The result of a call that was only tried. Nothing has changed.
 *
 * @param outcome the outcome that the call would have
 * @param trial the trial at the desk of a cluster; empty if no desk was needed
 */
public record TrialOutcome<T>(T outcome, Optional<Trial> trial) {

    static <T> TrialOutcome<T> without(T outcome) {
        return new TrialOutcome<>(outcome, Optional.empty());
    }
}
