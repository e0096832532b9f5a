package berth.lab.replay;

import berth.lab.workload.SkipReason;
import java.io.PrintWriter;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;

/**
 * The table at the end of a run.
 *
 * <p>Utilisation is the booked share of the machine: accepted PE-seconds inside the window / (PEs · length of the window), with the
 * placements in the answers. The window is that of the log, {@code --days} long from {@code --from} after the first submit, moved to the
 * clock of the service. Runs after its end do not count; at its beginning the machine is empty. The offered load has the same divisor and
 * counts all requested PE-seconds, inside the window or not.
 *
 * @param machinePes PEs of the cluster
 * @param took time from sending the first request to recording the last answer
 */
record Summary(ReplayPlan plan, int machinePes, AnswerTally.Figures figures, Duration took) {

    void print(PrintWriter out, RunEnd ending, Map<String, String> heading) {
        if (!(ending instanceof RunEnd.Completed)) {
            out.printf(
                    "PARTIAL: the run ended early, after sending %d of %d requests.%n",
                    figures.sent(), plan.requests());
        }
        Map<String, String> rows = new LinkedHashMap<>(heading);
        rows.put(
                "window",
                instant(plan.window().start()) + " to " + instant(plan.window().end()));
        for (SkipReason reason : SkipReason.values()) {
            int jobs = plan.leftOut().getOrDefault(reason, 0);
            if (jobs > 0) {
                rows.put("left out, " + words(reason), String.valueOf(jobs));
            }
        }
        addCounts(rows);
        addMeasures(rows);
        rows.forEach((name, value) -> out.printf("%-26s %s%n", name, value));
        out.flush();
    }

    private void addCounts(Map<String, String> rows) {
        rows.put("requests", String.valueOf(figures.sent()));
        rows.put("accepted", String.valueOf(figures.accepted()));
        if (figures.pending() > 0) {
            rows.put("pending", String.valueOf(figures.pending()));
        }
        rows.put("refused", String.valueOf(figures.refusals()));
        figures.refused().forEach((code, count) -> rows.put("  " + code, String.valueOf(count)));
        rows.put("unknown", String.valueOf(figures.unknown()));
        rows.put("retried", String.valueOf(figures.retried()));
    }

    private void addMeasures(Map<String, String> rows) {
        double seconds = took.toNanos() / 1e9;
        rows.put("utilisation", decimal("%.2f %%", 100 * utilisation()));
        rows.put("offered load", decimal("%.2f %%", 100 * plan.offeredLoad()));
        rows.put("duration", decimal("%.3f s", seconds));
        rows.put("requests/s", decimal("%.1f", seconds > 0 ? figures.answered() / seconds : 0));
        for (String percentile : new String[] {"50", "95", "99"}) {
            rows.put(
                    "latency p" + percentile,
                    millis(figures.latencies().getValueAtPercentile(Double.parseDouble(percentile))));
        }
        rows.put("latency max", millis(figures.latencies().getMaxValue()));
    }

    double utilisation() {
        return figures.acceptedArea() / ((double) machinePes * plan.window().duration());
    }

    private static String words(SkipReason reason) {
        return switch (reason) {
            case SHORT -> "below 60 s";
            case NO_PES -> "no PEs";
            case TOO_LARGE -> "too large";
        };
    }

    private static String millis(long micros) {
        return decimal("%.3f ms", micros / 1000.0);
    }

    private static String instant(long second) {
        return Instant.ofEpochSecond(second).toString();
    }

    private static String decimal(String format, double value) {
        return String.format(Locale.ROOT, format, value);
    }
}
