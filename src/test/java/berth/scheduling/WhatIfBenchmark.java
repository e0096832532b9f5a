package berth.scheduling;

import berth.batch.JobId;
import berth.cluster.AvailabilityMethod;
import berth.cluster.Cluster;
import berth.outcome.Outcome;
import berth.scheduling.commands.Command;
import berth.scheduling.commands.StartJobs;
import berth.scheduling.commands.SubmitJob;
import berth.scheduling.places.Preference;
import berth.scheduling.places.Probe;
import berth.sla.AccountName;
import berth.sla.RequestedTerms;
import java.util.Optional;
import java.util.Random;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.NullUnmarked;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.options.CommandLineOptions;
import org.openjdk.jmh.runner.options.OptionsBuilder;

/**
 * The time of a probe that examines 20 slots beside a batch queue, the slot of a job of the same size and the policy's choice, with a plan
 * of the whole queue for each.
 *
 * <p>1,152 PEs in nodes of eight, as in the SDSC Blue Horizon. Jobs of 2^k nodes for k = 0 to 7, each size 0.6 times as frequent as the
 * previous one (6.6 nodes on average; the log has 7), with log-uniform estimates from ten minutes to 18 hours in steps of ten minutes. 20
 * reservations of such sizes over five days. Each probe has its own terms, with a window of at least 20 times the least gap; the original
 * plan of the queue is computed once.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.SampleTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Fork(value = 1, jvmArgsAppend = "-Xmx2g")
@Warmup(iterations = 5, time = 1)
@Measurement(iterations = 10, time = 1)
@NullUnmarked
public class WhatIfBenchmark {

    private static final int NODES = 144;
    private static final int NODE = 8;
    private static final long TEN_MINUTES = 600;
    private static final long HOUR = 3_600;
    private static final long DAY = 24 * HOUR;
    private static final int RESERVATIONS = 20;

    @Param({"1000"})
    int waiting;

    @Param({"WHAT_IF"})
    AvailabilityMethod method;

    private final Random random = new Random(1);
    private ClusterSchedule schedule;
    private int number;

    @Setup(Level.Trial)
    public void fill() {
        var cluster = SampleCluster.like(Cluster.of("blue", NODES * NODE))
                .available(method, "0.5", "0", 20, TEN_MINUTES + TEN_MINUTES / 2)
                .cluster();
        schedule = ClusterSchedule.empty(cluster);
        for (int granted = 0; granted < RESERVATIONS; granted++) {
            apply(request(random.nextLong(5 * DAY), 0).reserve());
        }
        while (schedule.jobs().waiting().size() < waiting) {
            apply(new SubmitJob(
                    new JobId(new UUID(7, number++)), new AccountName("ada"), Optional.empty(), size(), estimate()));
            apply(new StartJobs());
        }
    }

    private void apply(Command command) {
        if (command.decide(new Basis(schedule, 0)) instanceof Decision.Accepted accepted) {
            schedule = accepted.next();
        }
    }

    private int size() {
        int exponent = 0;
        while (exponent < 7 && random.nextDouble() < 0.6) {
            exponent++;
        }
        return NODE << exponent;
    }

    private long estimate() {
        return (long) Math.exp(random.nextDouble() * Math.log(108)) * TEN_MINUTES;
    }

    private Request request(long ready, long slack) {
        long duration = estimate();
        return Request.of(number++, size(), duration).ready(ready).deadline(ready + duration + slack);
    }

    private RequestedTerms terms() {
        return request(random.nextLong(DAY), 5 * HOUR + random.nextLong(25 * HOUR))
                .terms();
    }

    @Benchmark
    public Outcome<Probe.Offers, Rejection> ask() {
        return new Probe(terms(), Request.ADA, Preference.EARLIEST_START, 22).ask(schedule, 0);
    }

    /** Runs the benchmark with JMH's own options as arguments. */
    public static void main(String[] args) throws Exception {
        new Runner(new OptionsBuilder()
                        .parent(new CommandLineOptions(args))
                        .include(WhatIfBenchmark.class.getName())
                        .build())
                .run();
    }
}
