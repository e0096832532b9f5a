package berth.persistence;

import berth.sla.Preemption;
import jakarta.persistence.AttributeConverter;
import jakarta.persistence.Converter;
import java.math.BigDecimal;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;

/** Converts preemption to {@code parts/step/moldable}, without a number of parts if there is no limit. */
@Converter
final class PreemptionConverter implements AttributeConverter<Preemption, String> {

    @Override
    public @Nullable String convertToDatabaseColumn(@Nullable Preemption preemption) {
        return preemption == null
                ? null
                : "%s/%s/%s"
                        .formatted(
                                preemption.maxParts().isPresent()
                                        ? preemption.maxParts().getAsInt()
                                        : "",
                                preemption.step().toPlainString(),
                                preemption.moldableParts());
    }

    @Override
    public @Nullable Preemption convertToEntityAttribute(@Nullable String text) {
        if (text == null) {
            return null;
        }
        var fields = text.split("/", 3);
        return new Preemption(
                fields[0].isEmpty() ? OptionalInt.empty() : OptionalInt.of(Integer.parseInt(fields[0])),
                new BigDecimal(fields[1]),
                Boolean.parseBoolean(fields[2]));
    }
}
