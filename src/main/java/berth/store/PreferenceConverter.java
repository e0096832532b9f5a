package berth.store;

import berth.scheduling.Preference;
import berth.scheduling.Preference.Measure;
import jakarta.persistence.AttributeConverter;
import jakarta.persistence.Converter;
import java.util.Arrays;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Converts a preference to {@code measure=weight} pairs in the order of the measures, separated by commas. */
@Converter
final class PreferenceConverter implements AttributeConverter<Preference, String> {

    @Override
    public @Nullable String convertToDatabaseColumn(@Nullable Preference preference) {
        return preference == null
                ? null
                : preference.weights().entrySet().stream()
                        .map(weight -> weight.getKey() + "=" + weight.getValue())
                        .collect(Collectors.joining(","));
    }

    @Override
    public @Nullable Preference convertToEntityAttribute(@Nullable String text) {
        return text == null
                ? null
                : new Preference(Arrays.stream(text.split(","))
                        .map(weight -> weight.split("=", 2))
                        .collect(Collectors.toMap(
                                weight -> Measure.valueOf(weight[0]), weight -> Double.parseDouble(weight[1]))));
    }
}
