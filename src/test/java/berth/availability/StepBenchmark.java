package berth.availability;

import berth.availability.Load.Booked;
import java.util.Optional;
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

/** Measures one step (a search, a reservation added if there is room, one deleted) under each load, by structure. */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Fork(value = 1, jvmArgsAppend = "-Xmx8g")
@Warmup(iterations = 4, time = 1)
@Measurement(iterations = 5, time = 1)
@NullUnmarked
public class StepBenchmark {

    static final long SEED = 1;

    @Param
    Load load;

    @Param({"1000", "10000", "100000", "1000000"})
    int live;

    @Param({"PROFILE", "TREE_MAP"})
    Measured structure;

    private SteadyState state;

    /** The measured structures, each filled by the fastest structure that gives the same answers. */
    public enum Measured {
        PROFILE {
            @Override
            SteadyState filled(Load load, int live) {
                return SteadyState.of(load, live, new Structure.Profile(), SEED);
            }
        },
        TREE_MAP {
            @Override
            SteadyState filled(Load load, int live) {
                return SteadyState.like(PROFILE.filled(load, live), new Structure.Tree(), SEED);
            }
        },
        CALENDAR {
            @Override
            SteadyState filled(Load load, int live) {
                return SteadyState.of(load, live, new Structure.Calendar(), SEED);
            }

            @Override
            int most(Load load) {
                return load == Load.SPREAD ? 1_000_000 : 10_000;
            }
        },
        PAPER_LIST {
            @Override
            SteadyState filled(Load load, int live) {
                return SteadyState.like(CALENDAR.filled(load, live), new Structure.PaperList(), SEED);
            }

            @Override
            int most(Load load) {
                return load == Load.SPREAD ? 10_000 : 1000;
            }
        };

        abstract SteadyState filled(Load load, int live);

        /** Returns the largest number of live reservations for which the benchmark does not take too long. */
        int most(Load load) {
            return Integer.MAX_VALUE;
        }
    }

    @Setup(Level.Trial)
    public void fill() {
        state = structure.filled(load, live);
    }

    @Benchmark
    public Optional<Booked> step() {
        return state.step();
    }
}
