package berth.lab.replay;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** Stops all workers of a run, with the reason. Only the first reason counts. Thread-safe. */
final class StopSignal {
    private final CompletableFuture<RunEnd> ending = new CompletableFuture<>();

    void raise(RunEnd why) {
        ending.complete(why);
    }

    boolean isRaised() {
        return ending.isDone();
    }

    /** Waits for {@code pause}, or until the signal is raised. Returns whether it is raised. */
    boolean isRaisedWithin(Duration pause) {
        try {
            ending.get(pause.toNanos(), TimeUnit.NANOSECONDS);
            return true;
        } catch (TimeoutException e) {
            return false;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return true;
        } catch (ExecutionException e) {
            throw new IllegalStateException("The signal is never completed by a failure.", e);
        }
    }

    /** Returns why the run was stopped; {@link RunEnd.Completed} if it was not. */
    RunEnd ending() {
        return ending.getNow(new RunEnd.Completed());
    }
}
