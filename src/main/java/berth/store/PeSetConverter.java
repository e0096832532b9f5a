package berth.store;

import berth.availability.PeSet;
import jakarta.persistence.AttributeConverter;
import jakarta.persistence.Converter;
import org.jspecify.annotations.Nullable;

/** Converts PEs to numbers and ranges, as in {@code 0-31,40}. */
@Converter
final class PeSetConverter implements AttributeConverter<PeSet, String> {

    @Override
    public @Nullable String convertToDatabaseColumn(@Nullable PeSet pes) {
        return pes == null ? null : pes.toString();
    }

    @Override
    public @Nullable PeSet convertToEntityAttribute(@Nullable String text) {
        return text == null ? null : PeSet.parse(text);
    }
}
