package berth.load;

import java.io.PrintWriter;
import java.util.Locale;
import java.util.TreeSet;
import java.util.function.ToDoubleFunction;
import java.util.function.ToLongFunction;

/** Prints the figures of a run: a block for each kind of call, with a column for the warm-up and one for the measured time. */
final class LoadTable {
    private static final double[] PERCENTILES = {50, 90, 99, 99.9};
    private static final double[] PERCENTILES_OF_THE_CLIENT = {99, 99.9};

    private final PrintWriter out;
    private final Phases phases;

    LoadTable(PrintWriter out, Phases phases) {
        this.out = out;
        this.phases = phases;
    }

    void print(LoadRun run) {
        row(run.name(), "warm-up", "measured");
        counts("requests", run, CallFigures::due);
        row(
                "requests/s",
                decimal("%.1f", aSecond(run.warmUp().made(), phases.warm())),
                decimal("%.1f", aSecond(run.measured().made(), phases.end() - phases.warm())));
        var answers = new TreeSet<>(LoadTable::byText);
        answers.addAll(run.warmUp().answers().keySet());
        answers.addAll(run.measured().answers().keySet());
        for (CallResult answer : answers) {
            counts(answer.toString(), run, figures -> figures.answers().getOrDefault(answer, 0L));
        }
        counts("never made", run, CallFigures::neverMade);
        times("mean", run, CallFigures::meanLatency);
        for (double percentile : PERCENTILES) {
            times(percentileName(percentile), run, figures -> figures.latency(percentile));
        }
        times("max", run, figures -> figures.latency(100));
        for (double percentile : PERCENTILES_OF_THE_CLIENT) {
            times("client late, " + percentileName(percentile), run, figures -> figures.clientLateness(percentile));
        }
        out.println();
        out.flush();
    }

    private static int byText(CallResult one, CallResult other) {
        return one.toString().compareTo(other.toString());
    }

    private static String percentileName(double percentile) {
        return "p" + (percentile == Math.rint(percentile) ? String.valueOf((int) percentile) : percentile);
    }

    private void counts(String name, LoadRun run, ToLongFunction<CallFigures> count) {
        row(name, String.valueOf(count.applyAsLong(run.warmUp())), String.valueOf(count.applyAsLong(run.measured())));
    }

    private void times(String name, LoadRun run, ToDoubleFunction<CallFigures> millis) {
        row(
                name + ", ms",
                decimal("%.3f", millis.applyAsDouble(run.warmUp())),
                decimal("%.3f", millis.applyAsDouble(run.measured())));
    }

    private static double aSecond(long calls, long nanos) {
        return nanos == 0 ? 0 : calls * 1e9 / nanos;
    }

    private void row(String name, String warmUp, String measured) {
        out.printf("%-30s %12s %12s%n", name, warmUp, measured);
    }

    private static String decimal(String format, double value) {
        return String.format(Locale.ROOT, format, value);
    }
}
