package berth.lab.experiment.advisor;

import berth.cluster.Binding;
import berth.cluster.Cluster;
import berth.lab.simulation.Job;
import java.math.BigDecimal;
import java.util.List;
import java.util.Set;

/**
 * The requests that a service recorded for one of its clusters, and the cluster with the settings now in force.
 *
 * @param records the cluster and its requests
 * @param length the length of a window in seconds, at least 1
 * @param asked the requests of each window, at least one, with times from the beginning of the window
 * @param load the factor by which requests are denser, more than 0
 */
record RecordedWorkload(
        ClusterRecords records, long length, List<List<Job>> asked, double load, BigDecimal alternativesUpTo)
        implements Workload {

    @Override
    public String source() {
        return "cluster " + machine().id().value();
    }

    @Override
    public Cluster machine() {
        return records.cluster();
    }

    @Override
    public String baseline() {
        return "in force";
    }

    @Override
    public Set<Binding> bindings() {
        return records.bindings();
    }

    @Override
    public int windows() {
        return asked.size();
    }

    /** Returns the requests of a window. If they are denser, each still asks for a place as long after its submission. */
    @Override
    public List<Job> requests(int window, long seed) {
        return orAlternatives(asked.get(window - 1).stream()
                .map(job -> job.shiftedBy(
                        (long) (job.request().submit() / load) - job.request().submit()))
                .toList());
    }

    @Override
    public List<List<String>> contents() {
        return records.contents();
    }
}
