package berth.persistence;

import berth.reservation.Status.Flag;
import jakarta.persistence.AttributeConverter;
import jakarta.persistence.Converter;
import java.util.Arrays;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Flags, by their names in order with commas between. */
@Converter
final class FlagsConverter implements AttributeConverter<Set<Flag>, String> {

    @Override
    public @Nullable String convertToDatabaseColumn(@Nullable Set<Flag> flags) {
        return flags == null ? null : flags.stream().sorted().map(Flag::name).collect(Collectors.joining(","));
    }

    @Override
    public @Nullable Set<Flag> convertToEntityAttribute(@Nullable String text) {
        if (text == null) {
            return null;
        }
        return text.isEmpty()
                ? Set.of()
                : Arrays.stream(text.split(",")).map(Flag::valueOf).collect(Collectors.toUnmodifiableSet());
    }
}
