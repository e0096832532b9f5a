package berth.http;

import java.math.BigDecimal;
import java.util.function.Function;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.databind.DeserializationContext;
import tools.jackson.databind.deser.std.StdScalarDeserializer;
import tools.jackson.databind.module.SimpleModule;

/**
 * Reads whole numbers also if they are written with zeros behind the point, such as {@code 32.0}: JSON Schema, and so the OpenAPI document,
 * counts these as integers. Numbers with a fraction, and numbers in strings, stay errors.
 */
public final class WholeNumbers<N extends Number> extends StdScalarDeserializer<N> {

    public static final SimpleModule MODULE = new SimpleModule("whole numbers")
            .addDeserializer(
                    Integer.class,
                    new WholeNumbers<>(Integer.class, JsonParser::getIntValue, BigDecimal::intValueExact))
            .addDeserializer(
                    Long.class, new WholeNumbers<>(Long.class, JsonParser::getLongValue, BigDecimal::longValueExact));

    private final Function<JsonParser, N> whole;
    private final Function<BigDecimal, N> exact;

    private WholeNumbers(Class<N> type, Function<JsonParser, N> whole, Function<BigDecimal, N> exact) {
        super(type);
        this.whole = whole;
        this.exact = exact;
    }

    /** Whether a number has no fraction and is in the range of an integer. */
    static boolean isWhole(BigDecimal number) {
        try {
            return number.intValueExact() == number.intValue();
        } catch (ArithmeticException e) {
            return false;
        }
    }

    @Override
    @SuppressWarnings("unchecked")
    public N deserialize(JsonParser parser, DeserializationContext context) {
        if (parser.hasToken(JsonToken.VALUE_NUMBER_INT)) {
            return whole.apply(parser);
        }
        if (parser.hasToken(JsonToken.VALUE_NUMBER_FLOAT)) {
            try {
                return exact.apply(parser.getDecimalValue());
            } catch (ArithmeticException e) {
                return (N) context.handleWeirdNumberValue(
                        handledType(), parser.getDecimalValue(), "It has a fraction or is out of range.");
            }
        }
        return (N) context.handleUnexpectedToken(getValueType(context), parser);
    }
}
