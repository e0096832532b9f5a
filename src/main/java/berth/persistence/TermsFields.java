package berth.persistence;

import static berth.persistence.Seconds.instant;
import static berth.persistence.Seconds.optional;

import berth.sla.Fixing;
import berth.sla.Moldability;
import berth.sla.Money;
import berth.sla.Preemption;
import berth.sla.QosScenario;
import berth.sla.Shape;
import berth.sla.Terms;
import berth.time.Window;
import jakarta.persistence.Convert;
import jakarta.persistence.Embeddable;
import jakarta.persistence.EnumType;
import jakarta.persistence.Enumerated;
import java.math.BigDecimal;
import java.time.Instant;
import java.util.Currency;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.NullUnmarked;

/** Terms: those that are agreed, or those of a proposal. */
@Embeddable
@NullUnmarked
class TermsFields {

    @Enumerated(EnumType.STRING)
    QosScenario scenario;

    Instant readyTime;
    Instant deadline;
    Long duration;

    @Convert(converter = ShapesConverter.class)
    List<Shape> shapes;

    @Convert(converter = MoldabilityConverter.class)
    Moldability moldability;

    @Convert(converter = PreemptionConverter.class)
    Preemption preemption;

    BigDecimal budget;

    @Convert(converter = LabelsConverter.class)
    Map<String, String> requires;

    BigDecimal fixAfter;
    Long fixBefore;

    static TermsFields of(Terms terms) {
        var fields = new TermsFields();
        fields.scenario = terms.scenario();
        fields.readyTime = instant(terms.window().readyTime());
        fields.deadline = instant(terms.window().deadline());
        fields.duration = terms.duration();
        fields.shapes = terms.shapes();
        fields.moldability = terms.moldability().orElse(null);
        fields.preemption = terms.preemption().orElse(null);
        fields.budget = terms.budget().map(Money::amount).orElse(null);
        fields.requires = terms.requires();
        fields.fixAfter = terms.fixing().after().orElse(null);
        fields.fixBefore = Seconds.orNull(terms.fixing().before());
        return fields;
    }

    /** @param currency of the budget */
    Terms toTerms(Currency currency) {
        return new Terms(
                new Window(readyTime.getEpochSecond(), deadline.getEpochSecond()),
                duration,
                shapes,
                Optional.ofNullable(moldability),
                Optional.ofNullable(preemption),
                Optional.ofNullable(budget).map(amount -> new Money(amount, currency)),
                requires,
                new Fixing(Optional.ofNullable(fixAfter), optional(fixBefore)),
                scenario);
    }
}
