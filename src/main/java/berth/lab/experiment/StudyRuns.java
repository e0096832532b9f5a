package berth.lab.experiment;

import berth.lab.experiment.StudyRuns.Result.Broken;
import berth.lab.experiment.StudyRuns.Result.Found;
import berth.lab.progress.ProgressDisplay;
import berth.lab.simulation.BrokenRule;
import berth.lab.simulation.ParallelRuns;
import java.nio.file.Files;
import java.nio.file.Path;
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
import java.util.function.Consumer;
import java.util.stream.Stream;

/**
 * The runs of some studies, several in parallel. The order of runs is shuffled, so that completed runs indicate how long the others will
 * take and all shards have about the same amount of work.
 */
final class StudyRuns {
    private static final long ORDER = 1;

    private StudyRuns() {}

    /** The result of a study. */
    sealed interface Result {

        record Found(Findings findings) implements Result {}

        /**
         * A run broke a rule that every schedule keeps, so no figure of the study is reliable.
         *
         * @param what names the study, the run and the rule
         */
        record Broken(String what) implements Result {}
    }

    /**
     * The result of a shard.
     *
     * @param runs the number of its runs
     * @param now how many of these were made now, because they were not recorded before
     * @param broken the studies in which one of its runs broke a rule
     */
    record Made(int runs, int now, List<Broken> broken) {}

    /**
     * Makes all runs that are not recorded yet and returns the results of the studies, in order. A broken study starts no more runs; the
     * others continue.
     *
     * @param directory where runs are recorded, if anywhere; the runs of shards are read there
     * @param program see {@link RunLog#open}
     * @param tell receives messages for the user
     * @throws UnusableDirectory if the directory has runs of other studies
     * @throws java.io.UncheckedIOException if runs cannot be recorded
     */
    static List<Result> of(
            List<Study<?, ?>> studies,
            int threads,
            Optional<ReportDirectory> directory,
            String program,
            Consumer<String> tell) {
        List<Bench<?, ?>> benches = new ArrayList<>();
        try {
            studies.forEach(study -> benches.add(Bench.of(study, directory, program)));
            tellOfLocks(benches, tell, "make sure that no other command writes to that directory meanwhile");
            make(missing(shuffled(benches)), threads);
            List<Result> results = new ArrayList<>();
            benches.forEach(bench -> results.add(bench.result()));
            return results;
        } finally {
            benches.forEach(Bench::close);
        }
    }

    /**
     * Makes the runs of a shard that neither it nor a command for all runs has recorded, otherwise as {@link #of}. Other shards of the same
     * studies, listed in the same order, may run at the same time.
     */
    static Made ofShard(
            Shard shard,
            List<Study<?, ?>> studies,
            int threads,
            ReportDirectory directory,
            String program,
            Consumer<String> tell) {
        List<Bench<?, ?>> benches = new ArrayList<>();
        try {
            studies.forEach(study -> benches.add(Bench.ofShard(shard, study, directory, program)));
            tellOfLocks(benches, tell, "the file %s replaces them".formatted(directory.lock(shard)));
            List<Task<?>> all = shuffled(benches);
            List<Task<?>> own = new ArrayList<>();
            for (int i = 0; i < all.size(); i++) {
                if (shard.has(i)) {
                    own.add(all.get(i));
                }
            }
            List<Task<?>> missing = missing(own);
            make(missing, threads);
            int now = missing.size() - missing(missing).size();
            List<Broken> broken = benches.stream()
                    .flatMap(bench -> bench.broken().stream().limit(1))
                    .toList();
            return new Made(own.size(), now, broken);
        } finally {
            benches.forEach(Bench::close);
        }
    }

    private static void tellOfLocks(List<Bench<?, ?>> benches, Consumer<String> tell, String instead) {
        benches.stream()
                .flatMap(bench -> bench.runLog().flatMap(RunLog::unlocked).stream())
                .findFirst()
                .ifPresent(why ->
                        tell.accept("The file system of --out has no locks (%s), so %s.".formatted(why, instead)));
    }

    private static List<Task<?>> shuffled(List<Bench<?, ?>> benches) {
        List<Task<?>> tasks = new ArrayList<>();
        benches.forEach(bench -> tasks.addAll(bench.tasks()));
        Collections.shuffle(tasks, new Random(ORDER));
        return tasks;
    }

    private static List<Task<?>> missing(List<Task<?>> tasks) {
        return tasks.stream().filter(Task::isMissing).toList();
    }

    private static void make(List<Task<?>> tasks, int threads) {
        try (ProgressDisplay progress = ProgressDisplay.ofLongWork("experiment", tasks.size())) {
            ParallelRuns.of(
                    tasks,
                    task -> {
                        task.make();
                        return task;
                    },
                    threads,
                    progress::step);
        }
    }

    /** A run of a study. */
    private record Task<R extends Record>(Bench<R, ?> bench, R run) {
        boolean isMissing() {
            return !bench.done().containsKey(run);
        }

        void make() {
            bench.make(run);
        }
    }

    /**
     * A study with its figures so far.
     *
     * @param broken the runs that broke a rule, with the rule
     */
    private record Bench<R extends Record, F extends Record>(
            Study<R, F> study, Map<R, F> done, Queue<Broken> broken, Optional<RunLog<R, F>> runLog) {

        static <R extends Record, F extends Record> Bench<R, F> of(
                Study<R, F> study, Optional<ReportDirectory> directory, String program) {
            return of(
                    study,
                    directory.map(place ->
                            RunLog.open(place.runLog(study.name()), place.shardRunLogs(study.name()), study, program)));
        }

        static <R extends Record, F extends Record> Bench<R, F> ofShard(
                Shard shard, Study<R, F> study, ReportDirectory directory, String program) {
            List<Path> others = Stream.of(directory.runLog(study.name()))
                    .filter(Files::exists)
                    .toList();
            return of(study, Optional.of(RunLog.open(directory.runLog(study.name(), shard), others, study, program)));
        }

        private static <R extends Record, F extends Record> Bench<R, F> of(
                Study<R, F> study, Optional<RunLog<R, F>> runLog) {
            Map<R, F> done = new ConcurrentHashMap<>();
            runLog.ifPresent(kept -> done.putAll(kept.kept()));
            return new Bench<>(study, done, new ConcurrentLinkedQueue<>(), runLog);
        }

        List<Task<R>> tasks() {
            return study.runs().stream().map(run -> new Task<>(this, run)).toList();
        }

        void make(R run) {
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
