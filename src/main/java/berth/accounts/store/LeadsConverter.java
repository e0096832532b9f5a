package berth.accounts.store;

import jakarta.persistence.AttributeConverter;
import jakarta.persistence.Converter;
import java.util.Arrays;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Converts leads to their seconds, shortest first, separated by commas; null if there are none. */
@Converter
final class LeadsConverter implements AttributeConverter<Set<Long>, String> {

    @Override
    public @Nullable String convertToDatabaseColumn(@Nullable Set<Long> leads) {
        return leads == null || leads.isEmpty()
                ? null
                : leads.stream().sorted().map(Object::toString).collect(Collectors.joining(","));
    }

    @Override
    public Set<Long> convertToEntityAttribute(@Nullable String text) {
        return text == null
                ? Set.of()
                : Arrays.stream(text.split(",")).map(Long::valueOf).collect(Collectors.toUnmodifiableSet());
    }
}
