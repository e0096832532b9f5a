package berth.booking.terms;

import berth.http.Texts;
import com.fasterxml.jackson.annotation.JsonValue;
import java.math.BigDecimal;
import java.util.LinkedHashMap;
import java.util.Map;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.databind.DeserializationContext;
import tools.jackson.databind.annotation.JsonDeserialize;
import tools.jackson.databind.deser.std.StdDeserializer;
import tools.jackson.databind.exc.MismatchedInputException;

/** A client's order of slots as it was sent, without parts that cannot have a meaning. */
@JsonDeserialize(using = SentOrder.Reader.class)
public sealed interface SentOrder {

    /** A single word. */
    record OneWord(@JsonValue String word) implements SentOrder {}

    /** A number for each name. Names after the first unknown one are left out. */
    record Weights(@JsonValue Map<String, BigDecimal> weights) implements SentOrder {}

    /** Neither a word nor weights. */
    record Neither(@JsonValue String shown) implements SentOrder {}

    /** A reader that keeps at most one unknown name, so that a large body takes little memory. */
    final class Reader extends StdDeserializer<SentOrder> {

        Reader() {
            super(SentOrder.class);
        }

        @Override
        public SentOrder deserialize(JsonParser parser, DeserializationContext context) {
            return switch (parser.currentToken()) {
                case VALUE_STRING -> new OneWord(parser.getString());
                case START_OBJECT -> weights(parser);
                default -> {
                    var shown = parser.currentToken().isScalarValue()
                            ? parser.getString()
                            : parser.currentToken().asString();
                    parser.skipChildren();
                    yield new Neither(Texts.shown(String.valueOf(shown)));
                }
            };
        }

        private static JacksonException wrong(String name, JsonParser parser) {
            return MismatchedInputException.from(parser, BigDecimal.class, "is not a number")
                    .prependPath(Weights.class, name);
        }

        private static Weights weights(JsonParser parser) {
            var weights = new LinkedHashMap<String, BigDecimal>();
            boolean areKnown = true;
            for (var name = parser.nextName(); name != null; name = parser.nextName()) {
                var token = parser.nextToken();
                if (areKnown && !token.isNumeric() && OrderBy.isMeasure(name)) {
                    throw wrong(name, parser);
                }
                if (areKnown) {
                    weights.put(name, token.isNumeric() ? parser.getDecimalValue() : BigDecimal.ZERO);
                }
                areKnown &= OrderBy.isMeasure(name);
                parser.skipChildren();
            }
            return new Weights(weights);
        }
    }
}
