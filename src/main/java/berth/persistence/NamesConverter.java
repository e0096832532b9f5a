package berth.persistence;

import jakarta.persistence.AttributeConverter;
import jakarta.persistence.Converter;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** Names of clusters as one text, in order with commas between, which do not occur in them; none at all as null. */
@Converter
final class NamesConverter implements AttributeConverter<Set<String>, String> {

    @Override
    public @Nullable String convertToDatabaseColumn(@Nullable Set<String> names) {
        return names == null || names.isEmpty() ? null : String.join(",", new TreeSet<>(names));
    }

    @Override
    public Set<String> convertToEntityAttribute(@Nullable String text) {
        return text == null ? Set.of() : Set.of(text.split(","));
    }
}
