package berth.store;

import jakarta.persistence.AttributeConverter;
import jakarta.persistence.Converter;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Converts names of users to a list separated by commas, which names do not contain; null if there are none. */
@Converter
final class UsersConverter implements AttributeConverter<List<String>, String> {

    @Override
    public @Nullable String convertToDatabaseColumn(@Nullable List<String> names) {
        return names == null || names.isEmpty() ? null : String.join(",", names);
    }

    @Override
    public List<String> convertToEntityAttribute(@Nullable String text) {
        return text == null ? List.of() : List.of(text.split(","));
    }
}
