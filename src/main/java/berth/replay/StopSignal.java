package berth.replay;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** Tells all workers of a run to take no further request, and why. The first reason stands. Thread-safe. */
final class StopSignal {
    private final CompletableFuture<Ending> ending = new CompletableFuture<>();

    void raise(Ending why) {
        ending.complete(why);
    }

    boolean isRaised() {
        return ending.isDone();
    }

    /** Waits for {@code pause}, or less if the signal is raised meanwhile; answers whether it is. */
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

    /** Why the run was stopped; completed where it was not. */
    Ending ending() {
        return ending.getNow(new Ending.Completed());
    }
}
