package berth.lab.workload;

import java.util.EnumMap;
import java.util.Iterator;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.Optional;

/**
 * The requests that a recipe makes from one window of a log, in the order of submission. The draws always begin with the log's first job,
 * so a job becomes the same request in every window that contains it.
 *
 * <p>Not thread-safe.
 */
public final class WindowedRequests implements Iterator<ReservationRequest> {
    private final Iterator<SwfJob> jobs;
    private final AdvanceReservationRecipe.Draws draws;
    private final LogWindow window;
    private final Map<SkipReason, Integer> leftOut = new EnumMap<>(SkipReason.class);
    private final long windowStart;
    private Optional<ReservationRequest> ahead;

    /** Begins with the log's first job and goes on to the first request of the window. */
    public WindowedRequests(JobLog log, AdvanceReservationRecipe recipe, LogWindow window) {
        this.jobs = log.jobs().iterator();
        this.draws = recipe.draws();
        this.window = window;
        this.windowStart = log.jobs().getFirst().submit() + window.from();
        this.ahead = advance();
    }

    /** Returns the start of the window on the clock of the log. */
    public long windowStart() {
        return windowStart;
    }

    /** Returns how many jobs of the window, as far as it has been read, became no request, by reason. */
    public Map<SkipReason, Integer> leftOut() {
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

    private Optional<ReservationRequest> advance() {
        while (jobs.hasNext()) {
            SwfJob job = jobs.next();
            if (job.submit() >= windowStart + window.length()) {
                return Optional.empty();
            }
            RecipeResult drawn = draws.requestOf(job);
            if (job.submit() >= windowStart) {
                switch (drawn) {
                    case ReservationRequest request -> {
                        return Optional.of(request);
                    }
                    case SkipReason reason -> leftOut.merge(reason, 1, Integer::sum);
                }
            }
        }
        return Optional.empty();
    }
}
