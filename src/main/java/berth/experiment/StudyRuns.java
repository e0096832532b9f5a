package berth.experiment;

import berth.simulation.BrokenRule;
import berth.simulation.ParallelRuns;
import berth.terminal.Progress;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The runs of some studies, several at a time. They are made in a shuffled order, so that those that are done tell how long
 * the others will take.
 */
final class StudyRuns {
    private static final long ORDER = 1;

    private StudyRuns() {}

    /**
     * Makes all runs that are not kept yet, and tells what each study finds, in their order.
     *
     * @param directory where runs are kept, if anywhere
     * @param program see {@link Journal#open}
     * @throws BrokenRule if a run breaks a rule that every schedule keeps; the message says which run
     * @throws UnusableDirectory if the directory has runs of other studies
     * @throws java.io.UncheckedIOException if runs cannot be kept
     */
    static List<Findings> of(
            List<Study<?, ?>> studies, int threads, Optional<ReportDirectory> directory, String program) {
        List<Bench<?, ?>> benches = new ArrayList<>();
        try {
            studies.forEach(study -> benches.add(Bench.of(study, directory, program)));
            make(benches.stream().flatMap(bench -> bench.missing().stream()).toList(), threads);
            List<Findings> findings = new ArrayList<>();
            benches.forEach(bench -> findings.add(bench.findings()));
            return findings;
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

    /** A study with the figures that it has so far. */
    private record Bench<R extends Record, F extends Record>(
            Study<R, F> study, Map<R, F> done, Optional<Journal<R, F>> journal) {

        static <R extends Record, F extends Record> Bench<R, F> of(
                Study<R, F> study, Optional<ReportDirectory> directory, String program) {
            Optional<Journal<R, F>> journal =
                    directory.map(place -> Journal.open(place.journal(study.name()), study, program));
            Map<R, F> done = new ConcurrentHashMap<>();
            journal.ifPresent(kept -> done.putAll(kept.kept()));
            return new Bench<>(study, done, journal);
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
            try {
                F figures = study.figures(run);
                done.put(run, figures);
                journal.ifPresent(kept -> kept.keep(run, figures));
            } catch (BrokenRule e) {
                throw new BrokenRule("Study %s, %s: %s".formatted(study.name(), run, e.getMessage()));
            } catch (IllegalArgumentException | IllegalStateException | ArithmeticException e) {
                throw new IllegalStateException("Study %s, %s failed.".formatted(study.name(), run), e);
            }
        }

        Findings findings() {
            Map<R, F> ordered = new LinkedHashMap<>();
            study.runs()
                    .forEach(run ->
                            ordered.put(run, Optional.ofNullable(done.get(run)).orElseThrow()));
            return study.findings(ordered);
        }

        void close() {
            journal.ifPresent(Journal::close);
        }
    }
}
