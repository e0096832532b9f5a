package berth.booking.terms;

import berth.http.Fields;
import berth.http.Texts;
import berth.scheduling.places.Preference;
import berth.scheduling.places.Preference.Measure;
import berth.sla.RequestedTerms;
import io.swagger.v3.oas.annotations.media.Schema;
import java.math.BigDecimal;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The order in which a client prefers slots: one measure by name, or several measures with weights. */
public final class OrderBy {

    public static final String FIELD = "orderBy";

    private static final String WRONG_FORM = "must be one of %s, or weights such as {\"price\":0.5,\"start\":0.5}"
            .formatted(Arrays.toString(Word.values()));

    private OrderBy() {}

    /** The slots' order by a single measure. */
    @Schema(name = "OrderBy")
    public enum Word {
        /** The earliest start first. */
        EARLIEST_START(Preference.EARLIEST_START),
        /** The earliest end first. */
        EARLIEST_COMPLETION(Preference.EARLIEST_COMPLETION),
        /** The lowest price first. */
        LOWEST_PRICE(Preference.LOWEST_PRICE),
        /** The highest availability first: the slots that delay batch jobs least. */
        BEST_AVAILABILITY(Preference.BEST_AVAILABILITY);

        private final Preference preference;

        Word(Preference preference) {
            this.preference = preference;
        }
    }

    /**
     * Several measures with weights that add up to 1.
     *
     * @param start the weight of an early start
     * @param completion the weight of an early end
     * @param price the weight of a low price
     * @param availability the weight of a high availability
     */
    @Schema(name = "OrderByWeights")
    public record WeightsBody(
            @Nullable BigDecimal start,
            @Nullable BigDecimal completion,
            @Nullable BigDecimal price,
            @Nullable BigDecimal availability) {}

    /**
     * Reads the order that a client sent. Without one, a run with freedom should delay batch jobs least, and a run that stays gets the first
     * slot. Mistakes go to {@code fields}.
     */
    public static Preference read(@Nullable SentOrder given, RequestedTerms terms, Fields fields) {
        return switch (given) {
            case null -> terms.deadline().isPresent() ? Preference.BEST_AVAILABILITY : Preference.EARLIEST_START;
            case SentOrder.OneWord(var word) -> word(word, fields);
            case SentOrder.Weights(var weights) -> weights(weights, fields);
            case SentOrder.Neither(var shown) -> wrong(shown, fields);
        };
    }

    private static Preference word(String given, Fields fields) {
        return Arrays.stream(Word.values())
                .filter(word -> word.name().equals(given))
                .findAny()
                .map(word -> word.preference)
                .orElseGet(() -> wrong(given, fields));
    }

    private static Preference wrong(String shown, Fields fields) {
        fields.malformed(FIELD, shown, WRONG_FORM);
        return Preference.EARLIEST_START;
    }

    private static Preference weights(Map<String, BigDecimal> given, Fields fields) {
        var weights = new EnumMap<Measure, Double>(Measure.class);
        given.forEach((name, weight) -> measure(name)
                .ifPresentOrElse(
                        measure -> weights.put(measure, weight.doubleValue()),
                        () -> fields.malformed(
                                FIELD + "." + Texts.shown(name), null, "is not a measure; use " + words())));
        return fields.hasErrors()
                ? Preference.EARLIEST_START
                : fields.figures("", () -> new Preference(weights), Preference.EARLIEST_START);
    }

    static boolean isMeasure(String word) {
        return measure(word).isPresent();
    }

    private static Optional<Measure> measure(String word) {
        return Arrays.stream(Measure.values())
                .filter(measure -> measure.word().equals(word))
                .findAny();
    }

    private static List<String> words() {
        return Arrays.stream(Measure.values()).map(Measure::word).toList();
    }
}
