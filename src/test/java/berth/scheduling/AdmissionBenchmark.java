package berth.scheduling;

import berth.cluster.Cluster;
import berth.cluster.Juggling;
import berth.cluster.ReplanOrder;
import berth.scheduling.commands.Cancel;
import berth.scheduling.commands.Reserve;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;
import java.util.Random;
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
 * The time to decide a request with many waiting reservations: one that fits beside them, one for which others move, and one that is
 * refused after replanning.
 *
 * <p>1024 PEs under the standard rules, with juggling on conflict and earliest deadline first by default. Sizes are 2^k for k = 0 to 8, run
 * times from ten minutes to eight hours, more often short, with ready times over 80 of 90 days; half can wait for up to a day and four run
 * times longer. For each accepted request another reservation is cancelled. Each decision uses the schedule and the replan memo at the time
 * of the request.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.SampleTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Fork(value = 1, jvmArgsAppend = "-Xmx8g")
@Warmup(iterations = 5, time = 2)
@Measurement(iterations = 5, time = 2)
@NullUnmarked
public class AdmissionBenchmark {

    private static final long HOUR = 3_600;
    private static final long DAY = 24 * HOUR;
    private static final int SETTLING = 500;
    private static final int MAX_STEPS = 6_000;
    private static final int WANTED = 100;

    /** The result of a request. */
    public enum Outcome {
        DIRECT,
        JUGGLED,
        REFUSED
    }

    /** A request and the schedule at its time. */
    private record Met(ClusterSchedule schedule, ReplanMemo known, Reserve request) {

        Decision decide() {
            return request.decide(new Basis(schedule.remembering(known), 0));
        }
    }

    @Param({"10000"})
    int live;

    @Param
    Outcome outcome;

    @Param({"EARLIEST_DEADLINE_FIRST"})
    ReplanOrder order;

    @Param({"ON_CONFLICT"})
    Juggling juggling;

    private final List<Met> all = new ArrayList<>();
    private int next;
    private int number;

    @Setup(Level.Trial)
    public void fill() {
        var random = new Random(1);
        var schedule = ClusterSchedule.empty(cluster(Juggling.NEVER));
        while (schedule.reservations().size() < live) {
            if (request(random).decide(new Basis(schedule, 0)) instanceof Decision.Accepted accepted) {
                schedule = accepted.next();
            }
        }
        schedule = schedule.with(new Event.ClusterEvent(cluster(juggling), 0));
        for (int step = 0; step < MAX_STEPS && all.size() < WANTED; step++) {
            var met = new Met(schedule, schedule.memo(), request(random));
            var decision = met.decide();
            if (step >= SETTLING && outcome(decision) == outcome) {
                all.add(met);
            }
            if (decision instanceof Decision.Accepted accepted) {
                schedule = withoutAnother(accepted.next(), random);
            }
        }
        if (all.isEmpty()) {
            throw new IllegalStateException("No request was %s.".formatted(outcome));
        }
    }

    private Cluster cluster(Juggling when) {
        return SampleCluster.like(Cluster.of("sp2", 1024)).juggling(when, order).cluster();
    }

    private Reserve request(Random random) {
        int pes = 1 << random.nextInt(9);
        double share = random.nextDouble();
        long duration = HOUR / 6 + (long) (share * share * 8 * HOUR);
        long ready = HOUR + random.nextLong(80 * DAY);
        long slack = random.nextBoolean() ? 0 : random.nextLong(4 * duration) + random.nextLong(DAY);
        number++;
        return Request.of(number, pes, duration)
                .ready(ready)
                .deadline(ready + duration + slack)
                .reserve();
    }

    private static Outcome outcome(Decision decision) {
        return switch (decision) {
            case Decision.Rejected _ -> Outcome.REFUSED;
            case Decision.Accepted(var events, var _) -> events.size() == 1 ? Outcome.DIRECT : Outcome.JUGGLED;
        };
    }

    private static ClusterSchedule withoutAnother(ClusterSchedule schedule, Random random) {
        var another = schedule.reservations().stream()
                .skip(random.nextInt(100))
                .findFirst()
                .orElseThrow();
        var cancelled = new Cancel(new Target(another.id(), OptionalInt.empty())).decide(new Basis(schedule, 0));
        return ((Decision.Accepted) cancelled).next();
    }

    @Benchmark
    public Decision decide() {
        next = (next + 1) % all.size();
        return all.get(next).decide();
    }

    /** Runs the benchmark with JMH's own options as arguments. */
    public static void main(String[] args) throws Exception {
        new Runner(new OptionsBuilder()
                        .parent(new CommandLineOptions(args))
                        .include(AdmissionBenchmark.class.getName())
                        .build())
                .run();
    }
}
