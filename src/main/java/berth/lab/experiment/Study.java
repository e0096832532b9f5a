package berth.lab.experiment;

import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A study: independent runs, the figures of each, and the findings from all of them. A study is a record. Its text contains everything on
 * which its figures depend, except the program. Two studies with equal text have equal figures, whatever the number of threads and
 * interruptions.
 *
 * @param <R> the parameters of a run: a record
 * @param <F> the figures of a run: a record of numbers, texts, lists and maps that can be stored as JSON
 */
public interface Study<R extends Record, F extends Record> {

    /** Returns the name of its directory: lower-case letters, digits and hyphens, as in {@code 003-large-jobs}. */
    String name();

    /** Returns the subject of the study in words: paper, machine, jobs, seed. */
    String title();

    /** Returns the papers' log from which its jobs come; empty if they are drawn or come from another log. */
    default Optional<PaperLog> paperLog() {
        return Optional.empty();
    }

    /** Returns all runs in a fixed order, without duplicates. */
    List<R> runs();

    /**
     * Makes one run. Called from several threads.
     *
     * @throws berth.lab.simulation.BrokenRule if it breaks a rule that every schedule keeps
     */
    F figures(R run);

    /** Returns the type of a run's figures. */
    Class<F> kept();

    /**
     * Returns the findings.
     *
     * @param figures the figures of every run, in the order of the runs
     */
    Findings findings(Map<R, F> figures);
}
