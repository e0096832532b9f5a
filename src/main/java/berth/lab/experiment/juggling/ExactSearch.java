package berth.lab.experiment.juggling;

import berth.sla.Terms;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.OptionalInt;
import java.util.stream.IntStream;

/**
 * An exhaustive search that determines whether runs with one part and one shape all fit into their windows. If they do, then some sequence
 * exists in which each run, placed one after another at its earliest fit, fits as well: from any schedule that keeps the deadlines, runs
 * can be shifted towards their ready times until none can move. Trying all n! sequences of n runs is therefore sufficient.
 */
final class ExactSearch {

    /** The number of free PEs in each second. */
    private final int[] free;

    private ExactSearch(int[] free) {
        this.free = free;
    }

    /** Whether all of these runs fit on {@code pes} PEs; their windows lie between second 0 and {@code end}. */
    static boolean isFeasible(int pes, int end, List<Terms> runs) {
        int[] free = new int[end];
        Arrays.fill(free, pes);
        return new ExactSearch(free).isFeasible(runs);
    }

    private boolean isFeasible(List<Terms> runs) {
        for (var run : runs) {
            if (earliestFit(run).isEmpty()) {
                // nor in any other sequence, which has only less room
                return false;
            }
        }
        return runs.isEmpty() || runs.stream().anyMatch(next -> isFeasible(next, runs));
    }

    private boolean isFeasible(Terms next, List<Terms> runs) {
        var others = new ArrayList<>(runs);
        others.remove(next);
        int start = earliestFit(next).orElseThrow();
        take(next, start, next.pes());
        boolean isFeasible = isFeasible(others);
        take(next, start, -next.pes());
        return isFeasible;
    }

    private void take(Terms run, int start, int pes) {
        for (int second = start; second < start + run.runTime(); second++) {
            free[second] -= pes;
        }
    }

    private OptionalInt earliestFit(Terms run) {
        return IntStream.rangeClosed((int) run.window().readyTime(), (int) run.latestStart())
                .filter(start -> isFree(run, start))
                .findFirst();
    }

    private boolean isFree(Terms run, int start) {
        for (int second = start; second < start + run.runTime(); second++) {
            if (free[second] < run.pes()) {
                return false;
            }
        }
        return true;
    }
}
