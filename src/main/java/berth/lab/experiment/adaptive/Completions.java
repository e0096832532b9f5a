package berth.lab.experiment.adaptive;

import berth.lab.simulation.History;
import berth.lab.simulation.JobOutcome;
import berth.lab.simulation.JobOutcome.Accepted;
import java.util.List;
import java.util.function.IntPredicate;
import java.util.stream.IntStream;

/**
 * How long after its submission each request of a run was completed.
 *
 * @param seconds in the order of submission; -1 for refused requests
 */
record Completions(List<Long> seconds) {
    private static final long REFUSED = -1;

    Completions {
        seconds = List.copyOf(seconds);
    }

    static Completions of(History history) {
        return new Completions(history.outcomes().stream().map(Completions::of).toList());
    }

    private static long of(JobOutcome outcome) {
        return outcome instanceof Accepted done
                ? done.end() - done.job().request().submit()
                : REFUSED;
    }

    /** Returns the mean over accepted requests; NaN if there are none. */
    double mean() {
        return mean(this::isAccepted);
    }

    /** Returns the mean over requests that {@code other}, a run of the same jobs, also accepted; NaN if there are none. */
    double meanAmongThoseOf(Completions other) {
        return mean(i -> isAccepted(i) && other.isAccepted(i));
    }

    private boolean isAccepted(int request) {
        return seconds.get(request) != REFUSED;
    }

    private double mean(IntPredicate among) {
        return IntStream.range(0, seconds.size())
                .filter(among)
                .mapToLong(i -> seconds.get(i))
                .average()
                .orElse(Double.NaN);
    }
}
