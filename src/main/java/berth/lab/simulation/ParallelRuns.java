package berth.lab.simulation;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.Function;

/** Parallel runs of independent computations. */
public final class ParallelRuns {
    private ParallelRuns() {}

    /**
     * Returns the results of {@code run} for all keys, in the order of the keys, whatever the number of threads.
     *
     * @param run must be safe to call from several threads
     * @param threads the number of threads, at least 1
     * @param afterEach called after each run, from any of the threads
     * @throws RuntimeException the failure of the first key, in their order, whose run failed; runs that have not begun by then never begin
     */
    public static <K, V> List<V> of(List<K> keys, Function<K, V> run, int threads, Runnable afterEach) {
        try (ExecutorService pool = Executors.newFixedThreadPool(threads)) {
            List<Future<V>> futures = new ArrayList<>(keys.size());
            for (K key : keys) {
                futures.add(pool.submit(() -> {
                    V result = run.apply(key);
                    afterEach.run();
                    return result;
                }));
            }
            List<V> results = new ArrayList<>(keys.size());
            try {
                for (Future<V> future : futures) {
                    results.add(future.get());
                }
                return results;
            } catch (ExecutionException e) {
                throw e.getCause() instanceof RuntimeException failure
                        ? failure
                        : new IllegalStateException("A run failed.", e.getCause());
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new IllegalStateException("The runs were interrupted.", e);
            } finally {
                pool.shutdownNow();
            }
        }
    }
}
