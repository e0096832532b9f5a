package berth.rest;

import berth.sla.RequestedTerms;
import berth.sla.Terms;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Terms as the contract writes them: asked for, or agreed. */
record TermsBody(
        @Nullable String readyTime,
        @Nullable String deadline,
        @Nullable String duration,
        @Nullable Integer pes,
        @Nullable MoneyBody budget) {

    private static final TermsBody NONE = new TermsBody(null, null, null, null, null);

    /** Reads {@code terms}; {@code fields} collects what is wrong. */
    static RequestedTerms read(@Nullable TermsBody terms, Fields fields) {
        var given = fields.required("terms", terms, NONE);
        if (terms != null) {
            fields.required("terms.duration", given.duration, "");
            fields.required("terms.pes", given.pes, 1);
        }
        return new RequestedTerms(
                fields.instantUp("terms.readyTime", given.readyTime),
                fields.instantDown("terms.deadline", given.deadline),
                fields.durationUp("terms.duration", given.duration).orElse(1),
                given.pes == null ? 1 : given.pes,
                fields.money("terms.budget", given.budget));
    }

    static TermsBody of(Terms terms) {
        return new TermsBody(
                Texts.instant(terms.window().readyTime()).toString(),
                Texts.instant(terms.window().deadline()).toString(),
                Texts.duration(terms.duration()),
                terms.pes(),
                Texts.orNull(terms.budget().map(MoneyBody::of)));
    }

    /** What was sent in the field of that name. */
    Optional<Object> value(String field) {
        return Optional.ofNullable(
                switch (field) {
                    case "readyTime" -> readyTime;
                    case "deadline" -> deadline;
                    case "duration" -> duration;
                    case "pes" -> pes;
                    case "budget" -> budget;
                    default -> null;
                });
    }
}
