package berth.lab.replay;

import berth.lab.workload.ReservationRequest;
import berth.terminal.Patience;
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
 * Sends requests in order, as fast as the service answers. Each of a fixed number of workers takes its next request when its last one is
 * answered. With more than one worker, concurrent requests may arrive in another order. An instance serves one run only.
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
     * @param took time from sending the first request to recording the last answer
     */
    record Ended(RunEnd ending, Duration took) {}

    /** Sends requests until none is left or further ones would be pointless. All answers are recorded when it returns. */
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
            stop.raise(new RunEnd.Stopped(
                    ReplayCommand.BAD_INPUT,
                    "The file of --out cannot be written (%s). Answers since then are not recorded. Free up space or choose another file."
                            .formatted(e.getMessage())));
        } catch (RuntimeException e) {
            stop.raise(new RunEnd.Stopped(ReplayCommand.FAILED, "The replay failed: " + e));
            throw e;
        }
    }

    private synchronized Optional<ReservationRequest> take() {
        return stop.isRaised() || !requests.hasNext() ? Optional.empty() : Optional.of(requests.next());
    }

    private void reserve(ReservationRequest request) {
        Patience.Outcome outcome = sender.reserve(request, stop);
        RequestVerdict verdict = RequestVerdict.of(outcome.last());
        switch (verdict) {
            case RequestVerdict.Denied denied ->
                stop.raise(new RunEnd.Stopped(ReplayCommand.BAD_INPUT, TargetCluster.denied(denied.message())));
            case RequestVerdict.Foreign foreign ->
                stop.raise(new RunEnd.Stopped(
                        ReplayCommand.BAD_INPUT,
                        "The service answers a reservation with %s, which is not an answer of Berth. Check --url."
                                .formatted(foreign.message())));
            case RequestVerdict.Unknown unknown ->
                stop.raise(
                        new RunEnd.WentAway("%s after %d attempts".formatted(unknown.message(), outcome.attempts())));
            case RequestVerdict.Accepted accepted -> {}
            case RequestVerdict.Pending pending -> {}
            case RequestVerdict.Refused refused -> {}
        }
        recorder.record(request.job(), sender.keyOf(request), verdict, outcome.attempts(), outcome.took());
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
