package berth.workload;

import java.nio.file.Path;
import java.util.EnumMap;
import java.util.Iterator;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.Optional;

/**
 * The requests that a recipe makes of one window of a log, in the order of submission, streamed from the file. The draws
 * begin with the log's first job whatever the window is, so a job becomes the same request in every window that holds it.
 *
 * <p>Reading stops at the first job after the window: what follows is not checked. Not thread-safe; throws
 * {@link SwfException} as the reader does.
 */
public final class WindowedRequests implements Iterator<ReservationRequest>, AutoCloseable {
    private final SwfReader jobs;
    private final AdvanceReservationRecipe.Draws draws;
    private final LogWindow window;
    private final Map<LeftOut, Integer> leftOut = new EnumMap<>(LeftOut.class);
    private Optional<Long> firstSubmit = Optional.empty();
    private Optional<ReservationRequest> ahead;

    private WindowedRequests(SwfReader jobs, AdvanceReservationRecipe recipe, LogWindow window) {
        this.jobs = jobs;
        this.draws = recipe.draws();
        this.window = window;
        this.ahead = advance();
    }

    /** Opens the log and reads it up to the first request of the window. */
    public static WindowedRequests open(Path file, AdvanceReservationRecipe recipe, LogWindow window) {
        SwfReader jobs = SwfReader.open(file);
        try {
            return new WindowedRequests(jobs, recipe, window);
        } catch (RuntimeException e) {
            jobs.close();
            throw e;
        }
    }

    /** When the window begins, on the clock of the log; 0 for a log without jobs. */
    public long windowStart() {
        return firstSubmit.orElse(0L) + window.from();
    }

    /** How many jobs of the window, as far as it has been read, became no request, by reason. */
    public Map<LeftOut, Integer> leftOut() {
        return Map.copyOf(leftOut);
    }

    @Override
    public boolean hasNext() {
        return ahead.isPresent();
    }

    @Override
    public ReservationRequest next() {
        ReservationRequest request =
                ahead.orElseThrow(() -> new NoSuchElementException("The window has no more requests."));
        ahead = advance();
        return request;
    }

    @Override
    public void close() {
        jobs.close();
    }

    private Optional<ReservationRequest> advance() {
        while (jobs.hasNext()) {
            SwfJob job = jobs.next();
            if (firstSubmit.isEmpty()) {
                firstSubmit = Optional.of(job.submit());
            }
            if (job.submit() >= windowStart() + window.length()) {
                return Optional.empty();
            }
            Drawn drawn = draws.requestOf(job);
            if (job.submit() >= windowStart()) {
                switch (drawn) {
                    case ReservationRequest request -> {
                        return Optional.of(request);
                    }
                    case LeftOut reason -> leftOut.merge(reason, 1, Integer::sum);
                }
            }
        }
        return Optional.empty();
    }
}
