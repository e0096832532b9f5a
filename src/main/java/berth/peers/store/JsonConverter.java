package berth.peers.store;

import jakarta.persistence.AttributeConverter;
import jakarta.persistence.Converter;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Converts another Berth's answer to its JSON text. */
@Converter
final class JsonConverter implements AttributeConverter<JsonNode, String> {

    private static final JsonMapper JSON = JsonMapper.builder()
            .enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS)
            .build();

    @Override
    public @Nullable String convertToDatabaseColumn(@Nullable JsonNode node) {
        return node == null ? null : node.toString();
    }

    @Override
    public @Nullable JsonNode convertToEntityAttribute(@Nullable String text) {
        return text == null ? null : JSON.readTree(text);
    }
}
