package berth.lab.experiment.advisor;

import berth.cluster.Binding;
import berth.cluster.Cluster;
import berth.lab.simulation.Job;
import java.math.BigDecimal;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;

/** The requests with which every setting is tried, in windows that are replayed one by one, and the machine. */
sealed interface Workload permits LogWorkload, RecordedWorkload {

    /** Returns the source of the requests, in words. */
    String source();

    /** Returns the machine, with the settings to compare all others with. */
    Cluster machine();

    /** Returns what these settings are called, as in {@code standard}. */
    String baseline();

    /** Returns the bindings that the machine can have. */
    Set<Binding> bindings();

    /** Returns the length of a window in seconds. */
    long length();

    /** Returns the factor by which requests are denser than at their source. */
    double load();

    /** Returns the largest |φ| of alternatives that refused requests accept; 0 if they accept none. */
    BigDecimal alternativesUpTo();

    /** Returns the number of windows. */
    int windows();

    /**
     * Returns the requests of a window in the order of submission. Times count from the beginning of the window.
     *
     * @param window counted from 1
     * @param seed the seed of its draws
     */
    List<Job> requests(int window, long seed);

    /** Returns what was taken from the source and what was left out: rows of a text and a number. */
    List<List<String>> contents();

    /** Returns the setting to compare all others with. */
    default Setting reference() {
        return Setting.of(machine());
    }

    /** Returns the PEs of the machine. */
    default int pes() {
        return machine().pes();
    }

    /** Returns the machine with a setting, empty. */
    default Cluster cluster(Setting setting) {
        return setting.on(machine());
    }

    /** Returns the time in which the requests of a window arrive, in seconds. */
    default double span() {
        return length() / load();
    }

    /** Returns the numbers of all windows, counted from 1. */
    default List<Integer> numbers() {
        return IntStream.rangeClosed(1, windows()).boxed().toList();
    }

    /** Returns the requests, which take alternatives after a refusal if they may. */
    default List<Job> orAlternatives(List<Job> asked) {
        return alternativesUpTo().signum() == 0
                ? asked
                : asked.stream().map(job -> job.orElseUpTo(alternativesUpTo())).toList();
    }
}
