package berth.store;

import jakarta.persistence.AttributeConverter;
import jakarta.persistence.Converter;
import java.util.Arrays;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Converts labels to {@code name=value} pairs in order, separated by commas; neither names nor values contain these characters. */
@Converter
final class LabelsConverter implements AttributeConverter<Map<String, String>, String> {

    @Override
    public @Nullable String convertToDatabaseColumn(@Nullable Map<String, String> labels) {
        return labels == null
                ? null
                : new TreeMap<>(labels)
                        .entrySet().stream()
                                .map(label -> label.getKey() + "=" + label.getValue())
                                .collect(Collectors.joining(","));
    }

    @Override
    public @Nullable Map<String, String> convertToEntityAttribute(@Nullable String text) {
        if (text == null) {
            return null;
        }
        return text.isEmpty()
                ? Map.of()
                : Arrays.stream(text.split(","))
                        .map(label -> label.split("=", 2))
                        .collect(Collectors.toUnmodifiableMap(label -> label[0], label -> label[1]));
    }
}
