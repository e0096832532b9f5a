package berth.store;

import berth.pricing.LoadStep;
import jakarta.persistence.AttributeConverter;
import jakarta.persistence.Converter;
import java.math.BigDecimal;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Converts a load profile to {@code share:factor} pairs in order, separated by commas. */
@Converter
final class LoadProfileConverter implements AttributeConverter<List<LoadStep>, String> {

    @Override
    public @Nullable String convertToDatabaseColumn(@Nullable List<LoadStep> profile) {
        return profile == null
                ? null
                : profile.stream()
                        .map(step -> step.above().toPlainString() + ":"
                                + step.factor().toPlainString())
                        .collect(Collectors.joining(","));
    }

    @Override
    public @Nullable List<LoadStep> convertToEntityAttribute(@Nullable String text) {
        if (text == null) {
            return null;
        }
        return text.isEmpty()
                ? List.of()
                : Arrays.stream(text.split(","))
                        .map(step -> step.split(":", 2))
                        .map(step -> new LoadStep(new BigDecimal(step[0]), new BigDecimal(step[1])))
                        .toList();
    }
}
