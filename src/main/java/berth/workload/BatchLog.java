package berth.workload;

import berth.cluster.Policy;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.commons.rng.JumpableUniformRandomProvider;
import org.apache.commons.rng.simple.RandomSource;

/**
 * The first jobs of a machine whose users estimate run times, counted in its nodes: what paper 001 takes of the log of the
 * SDSC Blue Horizon (section 5.1).
 *
 * <p>Which jobs are sound the paper leaves open; see {@link Soundness}. A job that ran longer than its estimate counts as one
 * that ran as long as that.
 *
 * @param source where they come from, in words
 * @param nodes of the machine (R_N)
 * @param jobs in the order of their submission; the PEs of each are nodes
 * @param faults of the log's lines
 */
public record BatchLog(String source, int nodes, List<QueuedJob> jobs, LogFaults faults) {

    /** Which jobs are sound. Of all the estimate is known, ten years at most as the scheduler takes it, and they fit the machine. */
    public enum Soundness {
        /** Those that ran and were given PEs. */
        RAN {
            @Override
            public boolean holds(SwfJob job) {
                return job.runTime() > 0 && job.allocatedPes() > 0;
            }
        },
        /** Of these, those that did not run longer than estimated. */
        IN_TIME {
            @Override
            public boolean holds(SwfJob job) {
                return RAN.holds(job) && job.runTime() <= job.requestedTime();
            }
        },
        /** Of these, those that were completed, not cancelled or failed. */
        COMPLETED {
            @Override
            public boolean holds(SwfJob job) {
                return IN_TIME.holds(job) && job.status() == SwfJob.COMPLETED;
            }
        };

        /** Whether a job is, as far as its run tells. */
        public abstract boolean holds(SwfJob job);
    }

    private static final int MODELLED_NODES = 144;

    /** So that modelled jobs ask for 63 % of 144 nodes, as those of the log do. */
    private static final double MODELLED_LOAD = 0.63;

    /** Mean of estimate / run time: that of the log's first 2000 sound jobs. */
    private static final double MEAN_OVERESTIMATION = 3.85;

    /** @throws IllegalArgumentException if there are none */
    public BatchLog {
        jobs = List.copyOf(jobs);
        if (jobs.isEmpty()) {
            throw new IllegalArgumentException(
                    "%s has no job with a run time, PEs and an estimate. Give another log.".formatted(source));
        }
    }

    /**
     * The first sound jobs of a log, {@code most} of them if there are as many. Where its header tells processors and nodes
     * apart jobs are counted in nodes, a part of one as a whole one.
     *
     * @throws UnusableLog see {@link JobLog#read}
     * @throws IllegalArgumentException if its header does not say how large the machine is, or no job is sound
     */
    public static BatchLog ofLog(Path file, int most) {
        return ofLog(JobLog.read(file), Soundness.RAN, most);
    }

    /**
     * The same of a log that has been read, with other jobs that are sound.
     *
     * @throws IllegalArgumentException if its header does not say how large the machine is, or no job is sound
     */
    public static BatchLog ofLog(JobLog log, Soundness soundness, int most) {
        int pes = log.header()
                .machinePes()
                .orElseThrow(() -> new IllegalArgumentException(
                        "the header says neither MaxProcs nor MaxNodes. Add a line such as \"; MaxProcs: 128\""
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
     * Jobs of the model of Lublin and Feitelson for 144 nodes, where there is no log; equal seeds give equal jobs. The model
     * has no estimates: they are drawn evenly between the run time and so many times it that their mean is the log's (the
     * f-model of A. W. Mu'alem and D. G. Feitelson, IEEE Transactions on Parallel and Distributed Systems 12(6), 2001).
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

    /** The first of the jobs, or all if there are no more. */
    public BatchLog first(int most) {
        return new BatchLog(source, nodes, jobs.subList(0, Math.min(most, jobs.size())), faults);
    }

    /** The jobs after the first ones; empty if there are none. */
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
     * The same jobs, submitted denser or less dense.
     *
     * @param meanGap seconds from one submission to the next on average, more than 0
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

    /** The same jobs, of each of which is known how long it runs. */
    public BatchLog exactlyEstimated() {
        return new BatchLog(
                source + " exactly estimated",
                nodes,
                jobs.stream().map(QueuedJob::exactlyEstimated).toList(),
                faults);
    }
}
