package berth.lab.workload;

import berth.cluster.Policy;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.commons.rng.JumpableUniformRandomProvider;
import org.apache.commons.rng.simple.RandomSource;

/**
 * The first jobs of a machine whose users estimate run times, counted in its nodes: the part of the SDSC Blue Horizon log that paper 001
 * uses (section 5.1).
 *
 * <p>The paper does not say which jobs count as sound; see {@link Soundness}. A job that ran longer than its estimate counts as if it ran
 * exactly that long.
 *
 * @param source the source of the jobs, in words
 * @param nodes the nodes of the machine (R_N)
 * @param jobs the jobs in the order of submission; their PEs are nodes
 * @param faults the faults of the log's lines
 */
public record BatchLog(String source, int nodes, List<QueuedJob> jobs, LogFaults faults) {

    /**
     * Which jobs of a log are sound. Under each of these rules, a sound job also fits the machine and has a known estimate of at most ten
     * years, the most that the scheduler accepts.
     */
    public enum Soundness {
        /** Jobs that ran and got PEs. */
        RAN {
            @Override
            public boolean holds(SwfJob job) {
                return job.runTime() > 0 && job.allocatedPes() > 0;
            }
        },
        /** Of these, the jobs that did not exceed their estimates. */
        IN_TIME {
            @Override
            public boolean holds(SwfJob job) {
                return RAN.holds(job) && job.runTime() <= job.requestedTime();
            }
        },
        /** Of these, the jobs that completed, rather than being cancelled or failing. */
        COMPLETED {
            @Override
            public boolean holds(SwfJob job) {
                return IN_TIME.holds(job) && job.status() == SwfJob.COMPLETED;
            }
        };

        /** Returns whether a job is sound, judged by its run, its estimate and its status. */
        public abstract boolean holds(SwfJob job);
    }

    private static final int MODELLED_NODES = 144;

    /** The load of modelled jobs on 144 nodes, equal to that of the log. */
    private static final double MODELLED_LOAD = 0.63;

    /** The mean of estimate / run time in the log's first 2000 sound jobs. */
    private static final double MEAN_OVERESTIMATION = 3.85;

    /** @throws IllegalArgumentException if there are no jobs */
    public BatchLog {
        jobs = List.copyOf(jobs);
        if (jobs.isEmpty()) {
            throw new IllegalArgumentException(
                    "%s has no job with a run time, PEs and an estimate. Give another log.".formatted(source));
        }
    }

    /**
     * Reads up to {@code most} sound jobs from the beginning of a log. If its header distinguishes processors and nodes, jobs are counted
     * in nodes, rounded up.
     *
     * @throws UnusableLog see {@link JobLog#read}
     * @throws IllegalArgumentException if its header does not state the size of the machine, or no job is sound
     */
    public static BatchLog ofLog(Path file, int most) {
        return ofLog(JobLog.read(file), Soundness.RAN, most);
    }

    /**
     * Takes jobs from a log that has been read, with another rule for soundness.
     *
     * @throws IllegalArgumentException if its header does not state the size of the machine, or no job is sound
     */
    public static BatchLog ofLog(JobLog log, Soundness soundness, int most) {
        int pes = log.header()
                .machinePes()
                .orElseThrow(() -> new IllegalArgumentException(
                        "the header names neither MaxProcs nor MaxNodes. Add a line such as \"; MaxProcs: 128\""
                                + " at its top."));
        long nodes = log.header().number("MaxNodes").orElse(pes);
        int perNode = nodes >= 1 && pes % nodes == 0 ? (int) (pes / nodes) : 1;
        List<QueuedJob> jobs = log.jobs().stream()
                .filter(soundness::holds)
                .flatMap(job -> sound(job, perNode, pes / perNode).stream())
                .limit(most)
                .toList();
        String source = soundness == Soundness.RAN ? log.source() : "%s (%s)".formatted(log.source(), soundness);
        return new BatchLog(source, pes / perNode, jobs, log.faults());
    }

    private static Optional<QueuedJob> sound(SwfJob job, int perNode, int nodes) {
        long needed = Math.ceilDiv(job.pes(), (long) perNode);
        boolean hasEstimate = job.requestedTime() > 0 && job.requestedTime() <= Policy.MAX_HORIZON;
        return needed > 0 && hasEstimate && needed <= nodes
                ? Optional.of(new QueuedJob(
                        job.number(),
                        job.submit(),
                        (int) needed,
                        job.requestedTime(),
                        Math.min(job.runTime(), job.requestedTime())))
                : Optional.empty();
    }

    /**
     * Draws jobs from the model of Lublin and Feitelson for 144 nodes, for use without a log; equal seeds give equal jobs. The model has no
     * estimates. They are drawn uniformly between the run time and a multiple of it, so that their mean equals the log's (the f-model of A.
     * W. Mu'alem and D. G. Feitelson, IEEE Transactions on Parallel and Distributed Systems 12(6), 2001).
     */
    public static BatchLog modelled(long seed, int most) {
        var random = (JumpableUniformRandomProvider) RandomSource.XO_SHI_RO_256_PP.create(seed);
        var estimates = (JumpableUniformRandomProvider) RandomSource.XO_SHI_RO_256_PP.create(~seed);
        var shape = LublinFeitelson.ALL_JOBS.onMachine(MODELLED_NODES);
        List<ModelJob> drawn = drawn(shape, random, most);
        double area = drawn.stream()
                .mapToDouble(job -> (double) job.pes() * job.runTime())
                .sum();
        double stretch =
                area / (MODELLED_LOAD * MODELLED_NODES * drawn.getLast().submit());
        List<QueuedJob> jobs = new ArrayList<>(most);
        for (ModelJob job : drawn) {
            double times = 1 + 2 * (MEAN_OVERESTIMATION - 1) * estimates.nextDouble();
            jobs.add(new QueuedJob(
                    jobs.size() + 1L,
                    (long) (job.submit() * stretch),
                    job.pes(),
                    (long) Math.ceil(job.runTime() * times),
                    job.runTime()));
        }
        return new BatchLog("modelled jobs of seed " + seed, MODELLED_NODES, jobs, LogFaults.NONE);
    }

    private static List<ModelJob> drawn(LublinFeitelson model, JumpableUniformRandomProvider random, int most) {
        var draws = model.draws(random);
        List<ModelJob> drawn = new ArrayList<>(most);
        while (drawn.size() < most) {
            drawn.add(draws.next());
        }
        return drawn;
    }

    /** Returns the first {@code most} jobs, or all if there are no more. */
    public BatchLog first(int most) {
        return new BatchLog(source, nodes, jobs.subList(0, Math.min(most, jobs.size())), faults);
    }

    /** Returns the jobs after the first {@code first} ones; empty if there are none. */
    public Optional<BatchLog> after(int first) {
        return first >= jobs.size()
                ? Optional.empty()
                : Optional.of(new BatchLog(
                        "%s from its sound job %d on".formatted(source, first + 1),
                        nodes,
                        jobs.subList(first, jobs.size()),
                        faults));
    }

    /**
     * Returns the same jobs with denser or sparser submissions.
     *
     * @param meanGap the mean time between submissions in seconds, more than 0
     */
    public BatchLog arrivingEvery(double meanGap) {
        long first = jobs.getFirst().submit();
        double stretch = meanGap * jobs.size() / Math.max(1, jobs.getLast().submit() - first);
        return new BatchLog(
                "%s, one in %s s".formatted(source, meanGap),
                nodes,
                jobs.stream()
                        .map(job -> job.submittedAt(first + (long) (stretch * (job.submit() - first))))
                        .toList(),
                faults);
    }

    /** Returns the same jobs with exact estimates. */
    public BatchLog exactlyEstimated() {
        return new BatchLog(
                source + " exactly estimated",
                nodes,
                jobs.stream().map(QueuedJob::exactlyEstimated).toList(),
                faults);
    }
}
