package berth.booking.terms;

import berth.http.Fields;
import berth.http.Texts;
import berth.sla.Moldability;
import berth.sla.Moldability.AllowedPes;
import berth.sla.Moldability.Speedup;
import java.math.BigDecimal;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The dependence of the run time on the number of PEs: either a table of run times, or a speed-up between the smallest and the largest
 * number of PEs.
 *
 * @param runtimes run time on standard PEs for each number of PEs; no other number is allowed
 * @param speedup how the run gains from more PEs
 * @param serialFraction the share of the work that cannot run in parallel; only with AMDAHL
 * @param allowedPes the numbers of PEs that are allowed between the smallest and the largest; ANY if left out
 */
record MoldabilityBody(
        @Nullable Map<String, @Nullable String> runtimes,
        @Nullable Speedup speedup,
        @Nullable BigDecimal serialFraction,
        @Nullable AllowedPes allowedPes) {

    private static final String NOT_WITH_RUNTIMES = "cannot be combined with runtimes. Send one or the other.";

    /** Reads a table. The fields of a speed-up are not allowed with it. */
    Optional<Moldability> table(Fields fields) {
        none(fields, "terms.moldability.speedup", speedup);
        none(fields, "terms.moldability.serialFraction", serialFraction);
        none(fields, "terms.moldability.allowedPes", allowedPes);
        var runTimes = new TreeMap<Integer, Long>();
        if (runtimes != null) {
            runtimes.forEach((pes, runTime) -> {
                var field = "terms.moldability.runtimes." + Texts.shown(pes);
                var number = fields.whole(field, pes);
                var seconds = fields.durationUp(field, fields.required(field, runTime, "PT1S"));
                if (number.isPresent() && seconds.isPresent()) {
                    runTimes.put(number.getAsInt(), seconds.getAsLong());
                }
            });
        }
        return fields.hasErrors()
                ? Optional.empty()
                : fields.figures("terms.", () -> Optional.of(new Moldability.Runtimes(runTimes)), Optional.empty());
    }

    private static void none(Fields fields, String field, @Nullable Object value) {
        if (value != null) {
            fields.invalid(field, value, NOT_WITH_RUNTIMES);
        }
    }

    /** Reads a speed-up. */
    Optional<Moldability> function(Fields fields, @Nullable Integer minPes, @Nullable Integer maxPes) {
        fields.required("terms.minPes", minPes, 1);
        fields.required("terms.maxPes", maxPes, 1);
        fields.required("terms.moldability.speedup", speedup, Speedup.LINEAR);
        if (minPes == null || maxPes == null || speedup == null) {
            return Optional.empty();
        }
        return fields.figures(
                "terms.",
                () -> Optional.of(new Moldability.Function(
                        minPes,
                        maxPes,
                        speedup,
                        Optional.ofNullable(serialFraction),
                        allowedPes == null ? AllowedPes.ANY : allowedPes)),
                Optional.empty());
    }

    static MoldabilityBody of(Moldability moldability) {
        return switch (moldability) {
            case Moldability.Runtimes(var runTimes) -> {
                var runtimes = new TreeMap<String, @Nullable String>();
                runTimes.forEach((pes, runTime) -> runtimes.put(Integer.toString(pes), Texts.duration(runTime)));
                yield new MoldabilityBody(runtimes, null, null, null);
            }
            case Moldability.Function(int _, int _, var speedup, var serialFraction, var allowedPes) ->
                new MoldabilityBody(null, speedup, Texts.orNull(serialFraction), allowedPes);
        };
    }
}
