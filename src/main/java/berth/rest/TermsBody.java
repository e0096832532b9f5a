package berth.rest;

import berth.sla.Fixing;
import berth.sla.RequestedTerms;
import berth.sla.Terms;
import java.math.BigDecimal;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Terms: what is asked for, or agreed. Agreed ones have a ready time and a deadline.
 *
 * @param readyTime earliest start; now, if left out
 * @param deadline latest finish; the end of the cluster's horizon, if left out
 * @param duration the run time on a standard PE
 * @param pes processing elements
 * @param budget the most the client pays, in the cluster's currency; any price, if left out
 * @param requires labels the cluster must carry
 * @param fixAfter the share of the waiting time after which the place is final
 * @param fixBefore how long before its start the place is final
 */
record TermsBody(
        @Nullable String readyTime,
        @Nullable String deadline,
        @Required @Nullable String duration,
        @Required @Nullable Integer pes,
        @Nullable MoneyBody budget,
        @Nullable Map<String, @Nullable String> requires,
        @Nullable BigDecimal fixAfter,
        @Nullable String fixBefore) {

    private static final TermsBody NONE = new TermsBody(null, null, null, null, null, null, null, null);
    private static final RequestedTerms ANY = RequestedTerms.of(OptionalLong.empty(), OptionalLong.empty(), 1, 1);

    /** Reads {@code terms}; {@code fields} collects what is wrong. */
    static RequestedTerms read(@Nullable TermsBody terms, Fields fields) {
        var given = fields.required("terms", terms, NONE);
        if (terms != null) {
            fields.required("terms.duration", given.duration, "");
            fields.required("terms.pes", given.pes, 1);
        }
        var fixing = fields.figures(
                "terms.",
                () -> new Fixing(
                        Optional.ofNullable(given.fixAfter), fields.durationUp("terms.fixBefore", given.fixBefore)),
                Fixing.BY_NOTICE);
        return fields.figures(
                "terms.",
                () -> new RequestedTerms(
                        fields.instantUp("terms.readyTime", given.readyTime),
                        fields.instantDown("terms.deadline", given.deadline),
                        fields.durationUp("terms.duration", given.duration).orElse(1),
                        given.pes == null ? 1 : given.pes,
                        Optional.empty(),
                        Optional.empty(),
                        fields.money("terms.budget", given.budget),
                        fields.labels("terms.requires", given.requires),
                        fixing),
                ANY);
    }

    static TermsBody of(Terms terms) {
        return new TermsBody(
                Texts.instant(terms.window().readyTime()).toString(),
                Texts.instant(terms.window().deadline()).toString(),
                Texts.duration(terms.duration()),
                terms.pes(),
                Texts.orNull(terms.budget().map(MoneyBody::of)),
                new TreeMap<>(terms.requires()),
                Texts.orNull(terms.fixing().after()),
                Texts.duration(terms.fixing().before()));
    }
}
