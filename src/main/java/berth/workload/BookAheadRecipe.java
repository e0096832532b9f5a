package berth.workload;

import java.util.ArrayList;
import java.util.List;
import org.apache.commons.rng.UniformRandomProvider;
import org.apache.commons.rng.simple.RandomSource;

/**
 * Makes requests for reservations of a tenth of the jobs of a log, as paper 001 does for its experiments (section 5.1): of
 * each block of ten jobs one is no job any more, but a request of its PEs for as long as it ran, from {@code bookAhead} after
 * its submission at the earliest, in a window that leaves {@code slack}. A last block of fewer jobs stays as it is.
 *
 * <p>Which job of a block the paper does not say: here each with the same probability. Equal seeds choose the same jobs,
 * whatever the other figures.
 *
 * @param seed of the choice
 * @param bookAhead seconds from submission to the earliest start, not negative (bat)
 * @param slack seconds by which the start may be later, not negative (stw)
 */
public record BookAheadRecipe(long seed, long bookAhead, long slack) {
    private static final int BLOCK = 10;

    /** @throws IllegalArgumentException if a time is negative */
    public BookAheadRecipe {
        if (bookAhead < 0 || slack < 0) {
            throw new IllegalArgumentException("The book-ahead time (%d s) and the slack (%d s) must not be negative."
                    .formatted(bookAhead, slack));
        }
    }

    /** The jobs that remain, and the requests. */
    public MixedWorkload of(List<QueuedJob> all) {
        UniformRandomProvider random = RandomSource.XO_SHI_RO_256_PP.create(seed);
        List<QueuedJob> jobs = new ArrayList<>(all.size());
        List<ReservationRequest> requests = new ArrayList<>(all.size() / BLOCK);
        int whole = all.size() / BLOCK * BLOCK;
        for (int block = 0; block < whole; block += BLOCK) {
            int chosen = block + random.nextInt(BLOCK);
            for (int i = block; i < block + BLOCK; i++) {
                if (i == chosen) {
                    requests.add(request(all.get(i)));
                } else {
                    jobs.add(all.get(i));
                }
            }
        }
        jobs.addAll(all.subList(whole, all.size()));
        return new MixedWorkload(jobs, requests);
    }

    private ReservationRequest request(QueuedJob job) {
        long ready = job.submit() + bookAhead;
        return new ReservationRequest(
                job.number(), job.submit(), ready, ready + job.runTime() + slack, job.runTime(), job.pes());
    }
}
