package berth.lab.simulation;

import berth.cluster.Cluster;
import berth.cluster.Juggling;
import berth.cluster.Policy;
import berth.cluster.ReplanOrder;
import berth.lab.workload.AdvanceReservationRecipe;
import berth.lab.workload.JobLog;
import berth.lab.workload.ReservationRequest;
import berth.sla.Part;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/**
 * Measures how long the simulation of a whole log takes as one run under paper 000's recipe: earliest deadline first, with all waiting
 * reservations replanned on every request. Its argument is the SDSC SP2 log; without it, the program prints a message and does nothing.
 *
 * <p>It prints a row for each load and flexibility: the requests, seconds, seconds of processor time, requests per second, the mean and the
 * greatest number of waiting reservations when a request arrives, and the number of accepted requests.
 */
public final class ReplayBenchmark {
    private static final int PES = 128;
    private static final double FLEXIBLE_SHARE = 0.5;
    private static final int WARM_UP = 8_000;

    private ReplayBenchmark() {}

    /** The factor by which requests are denser, and the mean extension of half of the windows in percent of the run time. */
    private record Case(double load, double flexibility) {}

    /**
     * Runs the benchmark.
     *
     * @param arguments the log
     */
    public static void main(String[] arguments) {
        if (arguments.length == 0 || !Files.exists(Path.of(arguments[0]))) {
            System.out.println("Skipped: name a log, as -Dbenchmarks=SDSC-SP2-1998-4.2-cln.swf.gz");
            return;
        }
        JobLog log = JobLog.read(Path.of(arguments[0]));
        Simulation.run(cluster(), jobs(log, new Case(1, 50)).subList(0, WARM_UP));
        System.out.printf(
                Locale.ROOT,
                "%6s %12s %9s %9s %9s %9s %10s %10s %9s%n",
                "load",
                "flexibility",
                "requests",
                "seconds",
                "worked",
                "a second",
                "waiting",
                "most",
                "accepted");
        for (Case one : List.of(
                new Case(1, 50),
                new Case(1, 100),
                new Case(1.5, 100),
                new Case(2, 100),
                new Case(3, 100),
                new Case(1, 1_000),
                new Case(2, 1_000),
                new Case(3, 1_000),
                new Case(1, 10_000),
                new Case(2, 10_000))) {
            measure(log, one);
        }
    }

    private static void measure(JobLog log, Case one) {
        List<Job> jobs = jobs(log, one);
        long before = processorTime();
        long begin = System.nanoTime();
        History history = Simulation.run(cluster(), jobs);
        double seconds = (System.nanoTime() - begin) / 1e9;
        double worked = (processorTime() - before) / 1e9;
        List<Integer> waiting = waiting(history);
        System.out.printf(
                Locale.ROOT,
                "%6s %10.0f %% %9d %9.2f %9.2f %9.0f %10.1f %10d %7.1f %%%n",
                "x" + one.load(),
                one.flexibility(),
                jobs.size(),
                seconds,
                worked,
                jobs.size() / seconds,
                waiting.stream().mapToInt(each -> each).average().orElse(0),
                waiting.stream().mapToInt(each -> each).max().orElse(0),
                100.0 * history.accepted().size() / jobs.size());
    }

    /** Returns the processor time of this thread, which makes the whole run; garbage collection is not included. */
    private static long processorTime() {
        return ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
    }

    private static List<Job> jobs(JobLog log, Case one) {
        var requests = new AdvanceReservationRecipe(PES, 1, FLEXIBLE_SHARE, one.flexibility()).draws();
        List<Job> jobs = new ArrayList<>();
        for (var job : log.jobs()) {
            var denser = job.submittedAt((long) (job.submit() / one.load()));
            if (requests.requestOf(denser) instanceof ReservationRequest request) {
                jobs.add(Job.asReserved(request));
            }
        }
        return jobs;
    }

    private static Cluster cluster() {
        return Cluster.of("sp2", PES)
                .under(Policy.STANDARD
                        .withReplanning(Juggling.ALWAYS, ReplanOrder.EARLIEST_DEADLINE_FIRST)
                        .withHorizon(Policy.MAX_HORIZON, 0));
    }

    /** Returns how many reservations were accepted and had not begun when each request arrived. */
    private static List<Integer> waiting(History history) {
        Map<Long, Integer> changes = new TreeMap<>();
        history.accepted().forEach(one -> {
            Part first = one.occupied().getFirst();
            changes.merge(one.job().request().submit(), 1, Integer::sum);
            changes.merge(first.slot().start(), -1, Integer::sum);
        });
        Map<Long, Integer> after = new TreeMap<>();
        int count = 0;
        for (var change : changes.entrySet()) {
            count += change.getValue();
            after.put(change.getKey(), count);
        }
        var counts = new TreeMap<>(after);
        return history.outcomes().stream()
                .map(outcome -> counts.lowerEntry(outcome.job().request().submit()))
                .map(before -> before == null ? 0 : before.getValue())
                .toList();
    }
}
