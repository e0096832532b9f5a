package berth.lab.experiment;

import berth.lab.simulation.ParallelRuns;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Makes the figures of a study, for tests that examine them. */
public final class Figured {
    private Figured() {}

    /** Returns the figures of every run, in the order of the runs. */
    public static <R extends Record, F extends Record> Map<R, F> of(Study<R, F> study, int threads) {
        List<R> runs = study.runs();
        List<F> figures = ParallelRuns.of(runs, study::figures, threads, () -> {});
        Map<R, F> byRun = new LinkedHashMap<>();
        for (int i = 0; i < runs.size(); i++) {
            byRun.put(runs.get(i), figures.get(i));
        }
        return byRun;
    }
}
