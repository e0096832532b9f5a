package berth.scheduling;

import berth.batch.JobId;
import berth.cluster.AvailabilityMethod;
import berth.cluster.Cluster;
import berth.cluster.Juggling;
import berth.cluster.ReplanOrder;
import berth.scheduling.commands.Command;
import berth.scheduling.commands.Reserve;
import berth.scheduling.commands.StartJobs;
import berth.scheduling.commands.SubmitJob;
import berth.scheduling.places.Alternatives;
import berth.scheduling.places.WouldFit;
import berth.sla.AccountName;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
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
 * The time to refuse a request and to find what would fit instead, with waiting reservations and batch jobs: the decision, up to 20
 * alternatives, and the necessary change of the terms.
 *
 * <p>1,024 PEs under the standard rules, except for how far away alternatives may lie. Reservations as in {@link
 * AdmissionBenchmark}, and jobs with the same sizes and run times. The requests are refused ones for a quarter of all PEs that begin within
 * a week and leave no choice of time.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.SampleTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Fork(value = 1, jvmArgsAppend = "-Xmx2g")
@Warmup(iterations = 5, time = 2)
@Measurement(iterations = 10, time = 2)
@NullUnmarked
public class RefusalBenchmark {

    private static final long HOUR = 3_600;
    private static final long DAY = 24 * HOUR;
    private static final int WANTED = 100;
    private static final int LIMIT = 20;
    private static final int WIDE = 256;

    /** The content of a refusal. */
    public record Told(Decision decision, Alternatives.Answer alternatives, WouldFit.Answer wouldFit) {}

    @Param({"10000"})
    int live;

    @Param({"1000"})
    int jobs;

    @Param({"0", "0.9"})
    String minAvailability;

    @Param({"4", "1000"})
    String maxPhi;

    private final List<Reserve> refused = new ArrayList<>();
    private ClusterSchedule schedule;
    private int next;
    private int number;

    @Setup(Level.Trial)
    public void fill() {
        var random = new Random(1);
        schedule = ClusterSchedule.empty(cluster(Juggling.NEVER));
        while (schedule.reservations().size() < live) {
            apply(request(random, size(random), 80 * DAY, random.nextBoolean()));
        }
        while (schedule.jobs().waiting().size() < jobs) {
            var id = new JobId(new UUID(7, number++));
            apply(new SubmitJob(id, new AccountName("ada"), Optional.empty(), size(random), duration(random)));
            apply(new StartJobs());
        }
        schedule = schedule.with(new Event.ClusterEvent(cluster(Juggling.ON_CONFLICT), 0));
        while (refused.size() < WANTED) {
            var request = request(random, WIDE, 7 * DAY, false);
            if (request.decide(new Basis(schedule.whereNobodyMoves(), 0)) instanceof Decision.Rejected
                    && request.decide(new Basis(schedule, 0)) instanceof Decision.Rejected) {
                refused.add(request);
            }
        }
    }

    private Cluster cluster(Juggling juggling) {
        return SampleCluster.like(Cluster.of("sp2", 1024))
                .juggling(juggling, ReplanOrder.EARLIEST_DEADLINE_FIRST)
                .available(AvailabilityMethod.WHAT_IF, "0.5", minAvailability, 20, 15 * 60)
                .cluster();
    }

    private void apply(Command command) {
        if (command.decide(new Basis(schedule, 0)) instanceof Decision.Accepted accepted) {
            schedule = accepted.next();
        }
    }

    private static int size(Random random) {
        return 1 << random.nextInt(9);
    }

    private static long duration(Random random) {
        double share = random.nextDouble();
        return HOUR / 6 + (long) (share * share * 8 * HOUR);
    }

    private Reserve request(Random random, int pes, long within, boolean hasSlack) {
        long duration = duration(random);
        long ready = HOUR + random.nextLong(within);
        long slack = hasSlack ? random.nextLong(4 * duration) + random.nextLong(DAY) : 0;
        return Request.of(number++, pes, duration)
                .ready(ready)
                .deadline(ready + duration + slack)
                .reserve();
    }

    @Benchmark
    public Told refuse() {
        next = (next + 1) % refused.size();
        var request = refused.get(next);
        return new Told(
                request.decide(new Basis(schedule, 0)),
                new Alternatives(request.terms(), Request.ADA, new BigDecimal(maxPhi), LIMIT).ask(schedule, 0),
                new WouldFit(request.terms(), Request.ADA).ask(schedule, 0));
    }

    /** Runs the benchmark with JMH's own options as arguments. */
    public static void main(String[] args) throws Exception {
        new Runner(new OptionsBuilder()
                        .parent(new CommandLineOptions(args))
                        .include(RefusalBenchmark.class.getName())
                        .build())
                .run();
    }
}
