package berth.booking.terms;

import berth.cluster.Policy;
import berth.http.Fields;
import berth.http.MoneyBody;
import berth.http.NumberOrText;
import berth.http.Texts;
import berth.sla.AutoExtension;
import berth.sla.Fixing;
import berth.sla.Moldability;
import berth.sla.Preemption;
import berth.sla.RequestedTerms;
import berth.sla.Terms;
import com.fasterxml.jackson.annotation.JsonUnwrapped;
import java.math.BigDecimal;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.annotation.JsonDeserialize;

/**
 * Requested or agreed terms. Agreed terms always have a ready time and a deadline.
 *
 * @param duration the run time on a standard PE, on every cluster. The run time on a cluster is this divided by its {@code rating}: a
 *     placement and an offer have it as {@code runTime}. For a run in several shapes, the run time on the largest number of PEs; left out if
 *     runtimes are given
 * @param preemption how the run may be split; if left out, it is not split
 * @param budget the highest price that the client pays, in the cluster's currency; any price, if left out
 * @param requires the labels that the cluster must have; a whole number means that number or more. In a request, values may be numbers
 * @param mobility how often and how far Berth may move the run for others; needs slack or a deadline. As often and as far as the policy
 *     of the cluster allows, if left out
 * @param autoExtend how Berth extends the run before it ends; if left out, Berth does not extend it
 */
public record TermsBody(
        @JsonUnwrapped WindowBody window,
        @Nullable String duration,
        @JsonUnwrapped ShapesBody shapes,
        @Nullable PreemptionBody preemption,
        @Nullable MoneyBody budget,

        @JsonDeserialize(contentUsing = NumberOrText.class) @Nullable
        Map<String, @Nullable String> requires,

        @JsonUnwrapped FixingBody fixing,
        @Nullable MobilityBody mobility,
        @Nullable AutoExtensionBody autoExtend) {

    private static final TermsBody NONE = new TermsBody(
            new WindowBody(null, null, null),
            null,
            new ShapesBody(null, null, null, null),
            null,
            null,
            null,
            new FixingBody(null, null),
            null,
            null);
    private static final RequestedTerms ANY = RequestedTerms.of(OptionalLong.empty(), OptionalLong.empty(), 1, 1);

    /**
     * Reads the field {@code terms}. Mistakes go to {@code fields}.
     *
     * @param now seconds since the epoch
     */
    public static RequestedTerms read(@Nullable TermsBody terms, Fields fields, long now) {
        var given = fields.required("terms", terms, NONE);
        return terms == null ? ANY : given.read(fields, now);
    }

    private RequestedTerms read(Fields fields, long now) {
        if (duration == null && !shapes.areInTable()) {
            fields.required("terms.duration", duration, "");
        }
        var given = mobility == null ? MobilityBody.NONE : mobility;
        var fixed = fixing.read(fields, given.notice());
        var bounds = given.read(fields);
        var moldability = shapes.read(fields);
        var split = preemption == null ? Optional.<Preemption>empty() : preemption.read(fields);
        var ready = fields.instantUp("terms.readyTime", window.readyTime);
        long seconds = duration(fields, moldability);
        var slack = window.slack(fields);
        boolean isDeclined = slack.isPresent() && slack.getAsLong() == 0;
        var latest = slack.isEmpty() || isDeclined
                ? fields.instantUp("terms.deadline", window.deadline)
                : OptionalLong.of(
                        Math.max(now, ready.orElse(now)) + Math.min(seconds, Policy.MAX_HORIZON) + slack.getAsLong());
        var most = fields.money("terms.budget", budget);
        var labels = fields.labels("terms.requires", requires);
        var goesOn = autoExtend == null ? Optional.<AutoExtension>empty() : autoExtend.read(fields);
        int size = moldability.map(Moldability::maxPes).orElse(shapes.pes == null ? 1 : shapes.pes);
        return fields.figures(
                "terms.",
                () -> new RequestedTerms(
                        ready,
                        latest,
                        seconds,
                        size,
                        moldability,
                        split,
                        most,
                        labels,
                        isDeclined ? fixed.atOnce() : fixed,
                        goesOn,
                        bounds),
                ANY);
    }

    private long duration(Fields fields, Optional<Moldability> moldability) {
        if (duration == null && moldability.orElse(null) instanceof Moldability.Runtimes table) {
            return table.duration();
        }
        return fields.durationUp("terms.duration", duration).orElse(1);
    }

    public static TermsBody of(Terms terms) {
        return of(RequestedTerms.of(terms));
    }

    /** Returns the terms as a client would request them. */
    public static TermsBody of(RequestedTerms terms) {
        var function = terms.moldability()
                .filter(Moldability.Function.class::isInstance)
                .map(Moldability.Function.class::cast);
        boolean isTable = terms.moldability().isPresent() && function.isEmpty();
        return new TermsBody(
                new WindowBody(text(terms.readyTime()), text(terms.deadline()), null),
                isTable ? null : Texts.duration(terms.duration()),
                new ShapesBody(
                        terms.moldability().isPresent() ? null : terms.pes(),
                        Texts.orNull(function.map(Moldability.Function::minPes)),
                        Texts.orNull(function.map(Moldability.Function::maxPes)),
                        Texts.orNull(terms.moldability().map(MoldabilityBody::of))),
                Texts.orNull(terms.preemption().map(PreemptionBody::of)),
                Texts.orNull(terms.budget().map(MoneyBody::of)),
                new TreeMap<>(terms.requires()),
                new FixingBody(
                        Texts.orNull(terms.fixing().after()),
                        Texts.duration(terms.fixing().before())),
                MobilityBody.of(terms.mobility()),
                Texts.orNull(terms.autoExtension().map(AutoExtensionBody::of)));
    }

    private static @Nullable String text(OptionalLong second) {
        return second.isPresent() ? Texts.instant(second.getAsLong()).toString() : null;
    }

    /**
     * The window of a run.
     *
     * @param readyTime the earliest start; now, if left out
     * @param deadline the latest finish, which lets the run begin, and be moved, at any time until then. Without a deadline and slack the run
     *     gets the first place from its ready time on, and stays there
     * @param slack how much later than at its ready time the run may begin: the deadline is the ready time, or now, plus duration and slack.
     *     {@code PT0S} declines the default slack of a cluster. Cannot be combined with a deadline; Berth returns the deadline instead
     */
    public record WindowBody(
            @Nullable String readyTime,
            @Nullable String deadline,
            @Nullable String slack) {

        private OptionalLong slack(Fields fields) {
            var seconds = fields.durationUp("terms.slack", slack);
            if (slack != null && deadline != null) {
                fields.invalid("terms.slack", slack, "cannot be combined with a deadline; send one of them");
            }
            if (seconds.isPresent() && seconds.getAsLong() < 0) {
                fields.invalid("terms.slack", slack, "must not be negative");
            }
            return seconds;
        }
    }

    /**
     * The possible shapes of a run.
     *
     * @param pes the number of PEs; left out if the run has several shapes
     * @param minPes the smallest number of PEs of a run in several shapes; left out if runtimes are given
     * @param maxPes the largest number of PEs of a run in several shapes; left out if runtimes are given
     * @param moldability how the run time depends on the PEs; if left out, the run has one shape
     */
    record ShapesBody(
            @Nullable Integer pes,
            @Nullable Integer minPes,
            @Nullable Integer maxPes,
            @Nullable MoldabilityBody moldability) {

        private boolean areInTable() {
            return moldability != null && moldability.runtimes() != null;
        }

        private Optional<Moldability> read(Fields fields) {
            if (moldability == null) {
                if (minPes == null && maxPes == null) {
                    fields.required("terms.pes", pes, 1);
                } else {
                    ordered(fields);
                    fields.required("terms.moldability", moldability, new MoldabilityBody(null, null, null, null));
                }
                return Optional.empty();
            }
            if (pes != null) {
                fields.invalid(
                        "terms.pes",
                        pes,
                        "cannot be combined with moldability, which sets the number of PEs; send null or leave it out");
            }
            if (moldability.runtimes() == null) {
                return moldability.function(fields, minPes, maxPes);
            }
            var table = moldability.table(fields);
            if (table.orElse(null) instanceof Moldability.Runtimes(var runTimes)) {
                agrees(fields, "terms.minPes", minPes, runTimes.firstKey(), "fewest");
                agrees(fields, "terms.maxPes", maxPes, runTimes.lastKey(), "most");
            }
            return table;
        }

        private void ordered(Fields fields) {
            if (pes != null) {
                fields.invalid(
                        "terms.pes",
                        pes,
                        "cannot be combined with minPes and maxPes; send either pes or the other two");
            }
            if (minPes != null && maxPes != null && minPes > maxPes) {
                fields.invalid("terms.minPes", minPes, "must not exceed maxPes");
            }
        }

        private static void agrees(Fields fields, String field, @Nullable Integer given, int number, String which) {
            if (given != null && given != number) {
                fields.invalid(
                        field, given, "must be %d, the %s PEs of the runtimes; leave it out".formatted(number, which));
            }
        }
    }

    /**
     * When the place of a run becomes final.
     *
     * @param fixAfter the share of the waiting time after which the place is final
     * @param fixBefore how long before its start the place is final
     */
    record FixingBody(
            @Nullable BigDecimal fixAfter, @Nullable String fixBefore) {

        private Fixing read(Fields fields, @Nullable String notice) {
            if (notice != null && fixBefore != null) {
                fields.invalid(
                        "terms.mobility.notice",
                        notice,
                        "cannot be combined with fixBefore, which means the same; send one of them");
            }
            return fields.figures(
                    "terms.",
                    () -> new Fixing(
                            Optional.ofNullable(fixAfter),
                            notice == null
                                    ? fields.durationUp("terms.fixBefore", fixBefore)
                                    : fields.durationUp("terms.mobility.notice", notice)),
                    Fixing.BY_NOTICE);
        }
    }
}
