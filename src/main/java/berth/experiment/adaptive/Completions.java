package berth.experiment.adaptive;

import berth.simulation.History;
import berth.simulation.Outcome;
import berth.simulation.Outcome.Accepted;
import java.util.function.IntPredicate;
import java.util.stream.IntStream;

/** How long after its submission each request of a run was done, in the order of submission. */
final class Completions {
    private static final long REFUSED = -1;

    private final long[] seconds;

    private Completions(long[] seconds) {
        this.seconds = seconds;
    }

    static Completions of(History history) {
        return new Completions(
                history.outcomes().stream().mapToLong(Completions::of).toArray());
    }

    private static long of(Outcome outcome) {
        return outcome instanceof Accepted done
                ? done.end() - done.job().request().submit()
                : REFUSED;
    }

    /** The mean over the accepted; NaN if there are none. */
    double mean() {
        return mean(this::isAccepted);
    }

    /** The mean over those that {@code other}, a run of the same jobs, accepted too; NaN if there are none. */
    double meanAmongThoseOf(Completions other) {
        return mean(i -> isAccepted(i) && other.isAccepted(i));
    }

    private boolean isAccepted(int request) {
        return seconds[request] != REFUSED;
    }

    private double mean(IntPredicate among) {
        return IntStream.range(0, seconds.length)
                .filter(among)
                .mapToLong(i -> seconds[i])
                .average()
                .orElse(Double.NaN);
    }
}
