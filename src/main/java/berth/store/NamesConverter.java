package berth.store;

import berth.reservation.ClusterId;
import jakarta.persistence.AttributeConverter;
import jakarta.persistence.Converter;
import java.util.Arrays;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Converts names of clusters to an ordered list, separated by commas, which names do not contain; null if there are none. */
@Converter
final class NamesConverter implements AttributeConverter<Set<ClusterId>, String> {

    @Override
    public @Nullable String convertToDatabaseColumn(@Nullable Set<ClusterId> names) {
        return names == null || names.isEmpty()
                ? null
                : names.stream().map(ClusterId::value).sorted().collect(Collectors.joining(","));
    }

    @Override
    public Set<ClusterId> convertToEntityAttribute(@Nullable String text) {
        return text == null
                ? Set.of()
                : Arrays.stream(text.split(",")).map(ClusterId::new).collect(Collectors.toUnmodifiableSet());
    }
}
