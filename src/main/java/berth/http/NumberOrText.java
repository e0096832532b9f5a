package berth.http;

import java.math.BigDecimal;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.databind.DeserializationContext;
import tools.jackson.databind.deser.std.StdScalarDeserializer;

/**
 * Reads an amount or a label also if it is a number instead of a text. JSON numbers are decimal, so the text is exactly what was written.
 * Responses have texts, because many readers of JSON round numbers.
 */
public final class NumberOrText extends StdScalarDeserializer<String> {

    /** A number with more digits than this on either side of its point could be very long to write out. */
    private static final int MAX_DIGITS = 100;

    NumberOrText() {
        super(String.class);
    }

    @Override
    public String deserialize(JsonParser parser, DeserializationContext context) {
        if (parser.hasToken(JsonToken.VALUE_STRING)) {
            return parser.getString();
        }
        if (parser.hasToken(JsonToken.VALUE_NUMBER_INT) || parser.hasToken(JsonToken.VALUE_NUMBER_FLOAT)) {
            return text(parser.getDecimalValue());
        }
        return (String) context.handleUnexpectedToken(getValueType(context), parser);
    }

    static String text(BigDecimal number) {
        return Math.abs((long) number.scale()) > MAX_DIGITS ? number.toString() : number.toPlainString();
    }
}
