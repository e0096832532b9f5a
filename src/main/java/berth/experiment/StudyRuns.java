package berth.experiment;

import berth.experiment.StudyRuns.Result.Broken;
import berth.experiment.StudyRuns.Result.Found;
import berth.simulation.BrokenRule;
import berth.simulation.ParallelRuns;
import berth.terminal.Progress;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.Random;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;

/**
 * The runs of some studies, several at a time. They are made in a shuffled order, so that those that are done tell how long
 * the others will take.
 */
final class StudyRuns {
    private static final long ORDER = 1;

    private StudyRuns() {}

    /** What came of a study. */
    sealed interface Result {

        record Found(Findings findings) implements Result {}

        /**
         * A run broke a rule that every schedule keeps, so that no figure of the study can be believed.
         *
         * @param what names the study, the run and the rule
         */
        record Broken(String what) implements Result {}
    }

    /**
     * Makes all runs that are not kept yet, and tells what comes of each study, in their order. Of a study that is broken no
     * more runs are begun; the others go on.
     *
     * @param directory where runs are kept, if anywhere
     * @param program see {@link RunLog#open}
     * @throws UnusableDirectory if the directory has runs of other studies
     * @throws java.io.UncheckedIOException if runs cannot be kept
     */
    static List<Result> of(
            List<Study<?, ?>> studies, int threads, Optional<ReportDirectory> directory, String program) {
        List<Bench<?, ?>> benches = new ArrayList<>();
        try {
            studies.forEach(study -> benches.add(Bench.of(study, directory, program)));
            make(benches.stream().flatMap(bench -> bench.missing().stream()).toList(), threads);
            List<Result> results = new ArrayList<>();
            benches.forEach(bench -> results.add(bench.result()));
            return results;
        } finally {
            benches.forEach(Bench::close);
        }
    }

    private static void make(List<Runnable> tasks, int threads) {
        List<Runnable> shuffled = new ArrayList<>(tasks);
        Collections.shuffle(shuffled, new Random(ORDER));
        try (Progress progress = Progress.ofLongWork("experiment", shuffled.size())) {
            ParallelRuns.of(
                    shuffled,
                    run -> {
                        run.run();
                        return run;
                    },
                    threads,
                    progress::step);
        }
    }

    /**
     * A study with the figures that it has so far.
     *
     * @param broken the runs that broke a rule, and how
     */
    private record Bench<R extends Record, F extends Record>(
            Study<R, F> study, Map<R, F> done, Queue<Broken> broken, Optional<RunLog<R, F>> runLog) {

        static <R extends Record, F extends Record> Bench<R, F> of(
                Study<R, F> study, Optional<ReportDirectory> directory, String program) {
            Optional<RunLog<R, F>> runLog =
                    directory.map(place -> RunLog.open(place.runLog(study.name()), study, program));
            Map<R, F> done = new ConcurrentHashMap<>();
            runLog.ifPresent(kept -> done.putAll(kept.kept()));
            return new Bench<>(study, done, new ConcurrentLinkedQueue<>(), runLog);
        }

        List<Runnable> missing() {
            List<Runnable> missing = new ArrayList<>();
            for (R run : study.runs()) {
                if (!done.containsKey(run)) {
                    missing.add(() -> make(run));
                }
            }
            return missing;
        }

        private void make(R run) {
            if (!broken.isEmpty()) {
                return;
            }
            try {
                F figures = study.figures(run);
                done.put(run, figures);
                runLog.ifPresent(kept -> kept.keep(run, figures));
            } catch (BrokenRule e) {
                broken.add(new Broken("Study %s, %s: %s".formatted(study.name(), run, e.getMessage())));
            } catch (IllegalArgumentException | IllegalStateException | ArithmeticException e) {
                throw new IllegalStateException("Study %s, %s failed.".formatted(study.name(), run), e);
            }
        }

        Result result() {
            if (!broken.isEmpty()) {
                return broken.element();
            }
            Map<R, F> ordered = new LinkedHashMap<>();
            study.runs()
                    .forEach(run ->
                            ordered.put(run, Optional.ofNullable(done.get(run)).orElseThrow()));
            return new Found(study.findings(ordered));
        }

        void close() {
            runLog.ifPresent(RunLog::close);
        }
    }
}
