package berth.scheduling;

import berth.cluster.Cluster;
import berth.reservation.ReservationId;
import berth.scheduling.commands.Cancel;
import berth.scheduling.commands.Command;
import berth.scheduling.commands.GrantWaiting;
import berth.scheduling.commands.GrantWaiting.Turn;
import berth.scheduling.commands.WaitForRoom;
import berth.scheduling.places.WaitingPass;
import java.util.OptionalInt;
import java.util.OptionalLong;
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
 * The cost of the waiting list for a desk: deciding a cancellation together with the requests that get its room, and a reservation, which
 * frees nothing.
 *
 * <p>On 1,024 PEs, 1,024 reservations of 64 PEs and an hour leave no PE free for 64 hours. Each waiting request needs 64 PEs within eight
 * of these hours: for one hour, for which a cancellation makes room, or for two, for which it does not, so all requests whose window
 * contains the room are tried.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.SampleTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Fork(value = 1, jvmArgsAppend = "-Xmx2g")
@Warmup(iterations = 5, time = 2)
@Measurement(iterations = 10, time = 2)
@NullUnmarked
public class WaitingBenchmark {

    private static final long HOUR = 3_600;
    private static final int HOURS = 64;
    private static final int AT_ONE_TIME = 16;

    @Param({"0", "10000"})
    int waiting;

    @Param({"1", "2"})
    int hours;

    private ClusterSchedule schedule;
    private WaitingPass pass;
    private ReservationId cancelled;

    @Setup(Level.Trial)
    public void fill() {
        var random = new Random(1);
        schedule = ClusterSchedule.empty(
                SampleCluster.like(Cluster.of("sp2", 1024)).cluster());
        for (int i = 0; i < HOURS * AT_ONE_TIME; i++) {
            apply(Request.of(i, 64, HOUR).start(i / AT_ONE_TIME * HOUR + HOUR).reserve());
        }
        for (int i = 0; i < waiting; i++) {
            long ready = HOUR + random.nextInt(HOURS - 8) * HOUR;
            var asked = Request.of(100_000 + i, 64, hours * HOUR)
                    .owner("account-" + i % 10)
                    .ready(ready)
                    .deadline(ready + 8 * HOUR)
                    .reserve();
            apply(new WaitForRoom(asked.id(), asked.origin(), 5, asked.terms(), OptionalLong.empty(), Long.MAX_VALUE));
        }
        pass = WaitingPass.BEGINNING;
        do {
            pass = turn(pass, schedule).left();
        } while (pass.isUnderWay());
        cancelled = Request.id(HOURS * AT_ONE_TIME / 2);
    }

    private void apply(Command command) {
        schedule = ((Decision.Accepted) command.decide(new Basis(schedule, 0))).next();
    }

    private static Turn turn(WaitingPass pass, ClusterSchedule schedule) {
        return new GrantWaiting(pass).turn(new Basis(schedule, 0));
    }

    private Turn decided(Command command) {
        var decision = (Decision.Accepted) command.decide(new Basis(schedule, 0));
        return turn(pass.after(schedule, decision.next(), decision.events()), decision.next());
    }

    /** Includes the turn in which a request that fits gets the room. */
    @Benchmark
    public Turn cancellation() {
        return decided(new Cancel(new Target(cancelled, OptionalInt.empty())));
    }

    /** Includes all turns until every affected request has been tried. */
    @Benchmark
    public Turn wholePass() {
        var turn = cancellation();
        while (turn.left().isUnderWay()) {
            turn = turn(turn.left(), turn.granted().next());
        }
        return turn;
    }

    /** Behind all others. */
    @Benchmark
    public Turn reservation() {
        return decided(Request.of(999_999, 64, HOUR).start((HOURS + 2) * HOUR).reserve());
    }

    public static void main(String[] args) throws Exception {
        new Runner(new OptionsBuilder()
                        .parent(new CommandLineOptions(args))
                        .include(WaitingBenchmark.class.getName())
                        .build())
                .run();
    }
}
