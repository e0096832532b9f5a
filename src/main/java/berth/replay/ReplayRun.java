package berth.replay;

import berth.workload.ReservationRequest;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/**
 * Sends requests in the order given and as fast as answers come: each of a fixed number of workers takes the next request
 * when it has the answer to its last. With more than one worker, requests that are on their way together may arrive in
 * another order. For one run only.
 */
final class ReplayRun {
    private final ReservationSender sender;
    private final Iterator<ReservationRequest> requests;
    private final Recorder recorder;
    private final StopSignal stop = new StopSignal();

    ReplayRun(ReservationSender sender, Iterator<ReservationRequest> requests, Recorder recorder) {
        this.sender = sender;
        this.requests = requests;
        this.recorder = recorder;
    }

    /**
     * The end of a run.
     *
     * @param took from the first request sent to the last answer recorded
     */
    record Ended(Ending ending, Duration took) {}

    /** Sends until there are no more requests or going on is of no use; every answer is recorded when it returns. */
    Ended run(int concurrency) {
        long begin = System.nanoTime();
        List<Future<?>> workers = new ArrayList<>();
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            for (int i = 0; i < concurrency; i++) {
                workers.add(threads.submit(this::work));
            }
        }
        workers.forEach(ReplayRun::rethrowFailure);
        return new Ended(stop.ending(), Duration.ofNanos(System.nanoTime() - begin));
    }

    private void work() {
        try {
            for (Optional<ReservationRequest> next = take(); next.isPresent(); next = take()) {
                reserve(next.get());
            }
        } catch (UncheckedIOException e) {
            stop.raise(new Ending.Stopped(
                    ReplayCommand.BAD_INPUT,
                    "The file of --out cannot be written (%s); what was answered since is not on record."
                            .formatted(e.getMessage())));
        } catch (RuntimeException e) {
            stop.raise(new Ending.Stopped(ReplayCommand.FAILED, "The replay failed: " + e));
            throw e;
        }
    }

    private synchronized Optional<ReservationRequest> take() {
        return stop.isRaised() || !requests.hasNext() ? Optional.empty() : Optional.of(requests.next());
    }

    private void reserve(ReservationRequest request) {
        Patience.Asked asked = sender.reserve(request, stop);
        Verdict verdict = Verdict.of(asked.last());
        switch (verdict) {
            case Verdict.Denied denied ->
                stop.raise(new Ending.Stopped(ReplayCommand.BAD_INPUT, TargetCluster.denied(denied.said())));
            case Verdict.Foreign foreign ->
                stop.raise(new Ending.Stopped(
                        ReplayCommand.BAD_INPUT,
                        "The service answers a reservation with %s, which is no answer of a Berth. Maybe --url is wrong."
                                .formatted(foreign.said())));
            case Verdict.Unknown unknown ->
                stop.raise(new Ending.WentAway("%s after %d attempts".formatted(unknown.said(), asked.attempts())));
            case Verdict.Accepted accepted -> {}
            case Verdict.Pending pending -> {}
            case Verdict.Refused refused -> {}
        }
        recorder.record(request.job(), sender.keyOf(request), verdict, asked.attempts(), asked.took());
    }

    private static void rethrowFailure(Future<?> worker) {
        try {
            worker.get();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (ExecutionException e) {
            throw new IllegalStateException("A worker of the replay failed.", e.getCause());
        }
    }
}
