package berth.lab.workload;

import java.util.ArrayList;
import java.util.List;
import org.apache.commons.rng.UniformRandomProvider;
import org.apache.commons.rng.simple.RandomSource;

/**
 * A recipe that turns a tenth of the jobs of a log into requests for reservations, as paper 001 does for its experiments (section 5.1). In
 * each block of ten jobs, one job becomes a request for its PEs and its run time. Its earliest start is {@code bookAhead} after its
 * submission, and its window leaves {@code slack}. An incomplete last block stays as it is.
 *
 * <p>The paper does not say which job of a block is taken; here each has the same probability. Equal seeds choose the same jobs, whatever
 * the other figures are.
 *
 * @param seed the seed of the choice
 * @param bookAhead the time from submission to the earliest start in seconds, not negative (bat)
 * @param slack how much later the start may be, in seconds, not negative (stw)
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

    /** Returns the remaining jobs and the requests. */
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
