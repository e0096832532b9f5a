package berth.rest;

import berth.scheduling.Preference;
import berth.scheduling.Preference.Measure;
import io.swagger.v3.oas.annotations.media.Schema;
import java.math.BigDecimal;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** How a client says which slots it likes better: by one word, or by weights. */
final class OrderBy {

    static final String FIELD = "orderBy";

    private static final String WRONG_FORM = "must be one of %s, or weights such as {\"price\":0.5,\"start\":0.5}"
            .formatted(Arrays.toString(Word.values()));

    private OrderBy() {}

    /** One measure alone. */
    @Schema(name = "OrderBy")
    enum Word {
        /** The earliest start first. */
        EARLIEST_START(Preference.EARLIEST_START),
        /** The earliest end first. */
        EARLIEST_COMPLETION(Preference.EARLIEST_COMPLETION),
        /** The lowest price first. */
        LOWEST_PRICE(Preference.LOWEST_PRICE),
        /** Those first that batch jobs can best do without. */
        BEST_AVAILABILITY(Preference.BEST_AVAILABILITY);

        private final Preference preference;

        Word(Preference preference) {
            this.preference = preference;
        }
    }

    /**
     * Several measures by their weights, which must add up to 1.
     *
     * @param start of an early start
     * @param completion of an early end
     * @param price of a low price
     * @param availability of a high availability
     */
    @Schema(name = "OrderByWeights")
    record WeightsBody(
            @Nullable BigDecimal start,
            @Nullable BigDecimal completion,
            @Nullable BigDecimal price,
            @Nullable BigDecimal availability) {}

    /** Whether anything was sent. */
    static boolean isGiven(@Nullable JsonNode given) {
        return given != null && !given.isNull();
    }

    /** Reads what was sent; nothing means the earliest start. {@code fields} collects what is wrong. */
    static Preference read(@Nullable JsonNode given, Fields fields) {
        if (given == null || given.isNull()) {
            return Preference.EARLIEST_START;
        }
        if (given instanceof ObjectNode weights) {
            return weights(weights, fields);
        }
        var word = Arrays.stream(Word.values())
                .filter(each -> given.isString() && each.name().equals(given.asString()))
                .findAny();
        if (word.isEmpty()) {
            fields.malformed(FIELD, given, WRONG_FORM);
        }
        return word.map(known -> known.preference).orElse(Preference.EARLIEST_START);
    }

    private static Preference weights(ObjectNode given, Fields fields) {
        var weights = new EnumMap<Measure, Double>(Measure.class);
        for (var field : given.properties()) {
            var measure = measure(field.getKey());
            if (measure.isEmpty() || !field.getValue().isNumber()) {
                fields.malformed(
                        FIELD + "." + Texts.shown(field.getKey()),
                        field.getValue(),
                        measure.isEmpty() ? "is no measure; known are " + words() : "must be a number");
            } else {
                weights.put(measure.get(), field.getValue().decimalValue().doubleValue());
            }
        }
        return fields.hasErrors()
                ? Preference.EARLIEST_START
                : fields.figures("", () -> new Preference(weights), Preference.EARLIEST_START);
    }

    private static Optional<Measure> measure(String word) {
        return Arrays.stream(Measure.values())
                .filter(measure -> word(measure).equals(word))
                .findAny();
    }

    private static List<String> words() {
        return Arrays.stream(Measure.values()).map(OrderBy::word).toList();
    }

    private static String word(Measure measure) {
        return measure.name().toLowerCase(Locale.ROOT);
    }
}
