package berth.experiment;

import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A study: runs that do not depend on each other, the figures of each, and what all of them together show. It is a record,
 * so its text says all that its figures depend on but the program: two studies of equal text have equal figures, whatever
 * the number of threads and however often they were interrupted.
 *
 * @param <R> what a run varies: a record
 * @param <F> the figures of a run: a record of numbers, texts, lists and maps, so that it can be kept in a file as it is
 */
public interface Study<R extends Record, F extends Record> {

    /** The name of its directory: lower-case letters, digits and hyphens, as in {@code 003-large-jobs}. */
    String name();

    /** What was studied, for people: paper, machine, jobs, seed. */
    String title();

    /** The log of the papers that its jobs come from; none if they are drawn, or come from a log that no paper used. */
    default Optional<PaperLog> paperLog() {
        return Optional.empty();
    }

    /** All runs, in a fixed order, none twice. */
    List<R> runs();

    /**
     * Makes one run. Called from several threads.
     *
     * @throws berth.simulation.BrokenRule if it breaks a rule that every schedule keeps
     */
    F figures(R run);

    /** What the figures of a run are. */
    Class<F> kept();

    /**
     * What came out.
     *
     * @param figures of every run, in the order of the runs
     */
    Findings findings(Map<R, F> figures);
}
