package berth.lab.experiment.advisor;

import berth.lab.experiment.Findings;
import berth.lab.experiment.Seeds;
import berth.lab.experiment.Study;
import berth.lab.simulation.Job;
import berth.lab.simulation.Simulation;
import berth.lab.workload.ReservationRequest;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * A study of how many of some requests of a window each setting accepts, and how many could be accepted with knowledge of all of them. The
 * requests are those at the time of the greatest demand, because an empty machine accepts the first ones of a window under any setting.
 * Runs take all of their reserved time and no alternatives are accepted, so all settings and the bound have the same requests.
 *
 * @param settings the settings to compare, at least one, without duplicates; the one to compare them with is added
 * @param requests the requests of each window, at least 1; fewer if a window has fewer
 * @param windows the number of windows from the first, at least 1; fewer if there are fewer
 * @param seed the seed of the study
 */
record BoundStudy(Workload workload, List<Setting> settings, int requests, int windows, long seed)
        implements Study<BoundRun, BoundFigures> {

    BoundStudy {
        settings = Stream.concat(settings.stream(), Stream.of(workload.reference()))
                .distinct()
                .toList();
    }

    @Override
    public String name() {
        return "bound";
    }

    @Override
    public String title() {
        return String.format(
                Locale.ROOT,
                "What could be accepted of the %d requests closest together in each of %d windows, load x%s, seed %d",
                requests,
                runs().size(),
                workload.load(),
                seed);
    }

    @Override
    public List<BoundRun> runs() {
        return workload.numbers().stream().limit(windows).map(BoundRun::new).toList();
    }

    @Override
    public BoundFigures figures(BoundRun run) {
        long drawn = Seeds.ofRepetition(seed, run.window());
        List<Job> jobs = jobs(run, drawn);
        var most =
                MostAccepted.of(workload.pes(), jobs.stream().map(Job::request).toList());
        List<Integer> accepted = new ArrayList<>();
        for (Setting setting : settings) {
            int count = Simulation.run(workload.cluster(setting), jobs, drawn)
                    .accepted()
                    .size();
            most.check(setting, count);
            accepted.add(count);
        }
        return new BoundFigures(jobs.size(), most.requests(), most.proof(), accepted);
    }

    /** Returns the densest requests of a window in the order of submission, as runs that take all of their reserved time. */
    List<Job> jobs(BoundRun run, long drawn) {
        List<ReservationRequest> all = workload.requests(run.window(), drawn).stream()
                .map(Job::request)
                .sorted(Comparator.comparingLong(ReservationRequest::readyTime)
                        .thenComparingLong(ReservationRequest::job))
                .toList();
        int count = Math.min(requests, all.size());
        var densest = IntStream.rangeClosed(0, all.size() - count)
                .mapToObj(from -> all.subList(from, from + count))
                .max(Comparator.comparingDouble(BoundStudy::density))
                .orElseThrow();
        return densest.stream()
                .sorted(Comparator.comparingLong(ReservationRequest::submit).thenComparingLong(ReservationRequest::job))
                .map(Job::asReserved)
                .toList();
    }

    /**
     * Returns the mean number of requested PEs from the first ready time to the last deadline; the requests are in the order of ready
     * times.
     */
    private static double density(List<ReservationRequest> some) {
        long last = some.stream().mapToLong(ReservationRequest::deadline).max().orElseThrow();
        double area = some.stream().mapToDouble(ReservationRequest::area).sum();
        return area / (last - some.getFirst().readyTime());
    }

    @Override
    public Class<BoundFigures> kept() {
        return BoundFigures.class;
    }

    @Override
    public Findings findings(Map<BoundRun, BoundFigures> figures) {
        return new BoundResults(this, figures).findings();
    }
}
