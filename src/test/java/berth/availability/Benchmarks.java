package berth.availability;

import berth.availability.StepBenchmark.Measured;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.Collection;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.openjdk.jmh.profile.GCProfiler;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.options.ChainedOptionsBuilder;
import org.openjdk.jmh.runner.options.CommandLineOptions;
import org.openjdk.jmh.runner.options.Options;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jol.info.GraphLayout;

/**
 * Runs the benchmarks, with JMH's own options as arguments, and prints the results: the time of a step by structure, that time as a
 * multiple of the profile's, the memory that a step allocates, and the memory that a live reservation takes. Only ratios within one run are
 * meaningful.
 */
public final class Benchmarks {

    private static final int WEIGHED = 100_000;

    private Benchmarks() {}

    public static void main(String[] args) throws Exception {
        System.setProperty("jol.magicFieldOffset", "true"); // to look into records
        var given = new CommandLineOptions(args);
        boolean chosen = Stream.of("load", "live", "structure")
                .anyMatch(parameter -> given.getParameter(parameter).hasValue());
        var results = new ArrayList<RunResult>();
        for (var selection : chosen ? List.of(all(given).build()) : selections(given)) {
            results.addAll(new Runner(selection).run());
        }
        for (var load : Load.values()) {
            var rows = rows(results, load);
            if (!rows.isEmpty()) {
                print(load, rows, System.out);
            }
        }
        System.out.printf("%nbytes per live reservation, %,d of them:%n", WEIGHED);
        for (var load : Load.values()) {
            var profile = new Structure.Profile();
            SteadyState.of(load, WEIGHED, profile, StepBenchmark.SEED);
            var tree = new Structure.Tree();
            SteadyState.like(SteadyState.of(load, WEIGHED, new Structure.Profile(), 1), tree, StepBenchmark.SEED);
            System.out.printf(
                    "  %-10s PROFILE %d, TREE_MAP %d%n", load, weight(profile.profile), weight(tree.profile.steps));
        }
        var calendar = new Structure.Calendar();
        SteadyState.of(Load.SPREAD, WEIGHED, calendar, StepBenchmark.SEED);
        System.out.printf("  %-10s CALENDAR %d%n", Load.SPREAD, weight(calendar.calendar));
    }

    private static ChainedOptionsBuilder all(Options given) {
        return new OptionsBuilder()
                .parent(given)
                .include(StepBenchmark.class.getName())
                .addProfiler(GCProfiler.class);
    }

    /** Returns every structure under every load, without combinations that would take too long. */
    private static List<Options> selections(Options given) {
        var selections = new ArrayList<Options>();
        for (var load : Load.values()) {
            for (var structure : Measured.values()) {
                var live = IntStream.of(1000, 10_000, 100_000, 1_000_000)
                        .filter(count -> count <= structure.most(load))
                        .mapToObj(Integer::toString)
                        .toArray(String[]::new);
                if (live.length > 0) {
                    selections.add(all(given)
                            .param("load", load.name())
                            .param("structure", structure.name())
                            .param("live", live)
                            .build());
                }
            }
        }
        return selections;
    }

    private static long weight(Object structure) {
        return GraphLayout.parseInstance(structure).totalSize() / WEIGHED;
    }

    /** Returns the results under one load by the number of live reservations and the structure. */
    private static Map<Integer, Map<Measured, RunResult>> rows(Collection<RunResult> results, Load load) {
        var rows = new TreeMap<Integer, Map<Measured, RunResult>>();
        for (var result : results) {
            var parameters = result.getParams();
            if (parameters.getParam("load").equals(load.name())) {
                rows.computeIfAbsent(Integer.valueOf(parameters.getParam("live")), _ -> new EnumMap<>(Measured.class))
                        .put(Measured.valueOf(parameters.getParam("structure")), result);
            }
        }
        return rows;
    }

    private static void print(Load load, Map<Integer, Map<Measured, RunResult>> rows, PrintStream out) {
        out.printf("%n%s: µs per step ± error (99.9 %%) | times the profile's | bytes allocated per step%n", load);
        rows.forEach((live, row) -> row.forEach((structure, result) -> {
            double time = time(result);
            var profile = row.get(Measured.PROFILE);
            out.printf(
                    "  %,9d %-10s %,12.2f ± %-8.2f | %8s | %,9.0f%n",
                    live,
                    structure,
                    time,
                    result.getPrimaryResult().getScoreError(),
                    profile == null ? "" : "%.2f".formatted(time / time(profile)),
                    allocated(result));
        }));
        var profiles = rows.values().stream()
                .map(row -> row.get(Measured.PROFILE))
                .filter(result -> result != null)
                .toList();
        growth(profiles, out);
    }

    private static void growth(List<RunResult> profiles, PrintStream out) {
        if (profiles.size() > 1) {
            out.printf(
                    "  the profile's step among the most is %.2f times that among the fewest%n",
                    time(profiles.getLast()) / time(profiles.getFirst()));
        }
    }

    private static double allocated(RunResult result) {
        var bytes = result.getSecondaryResults().get("gc.alloc.rate.norm");
        return bytes == null ? Double.NaN : bytes.getScore();
    }

    private static double time(RunResult result) {
        return result.getPrimaryResult().getScore();
    }
}
