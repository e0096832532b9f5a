package berth.store;

import berth.sla.Preemption;
import jakarta.persistence.AttributeConverter;
import jakarta.persistence.Converter;
import java.math.BigDecimal;
import java.util.Optional;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;

/**
 * Converts preemption to {@code parts/step/moldable}, without a number of parts if there is no limit. If the number of steps was given
 * instead of the step, the text is {@code parts//moldable/steps}.
 */
@Converter
final class PreemptionConverter implements AttributeConverter<Preemption, String> {

    @Override
    public @Nullable String convertToDatabaseColumn(@Nullable Preemption preemption) {
        return preemption == null
                ? null
                : "%s/%s/%s%s"
                        .formatted(
                                text(preemption.maxParts()),
                                preemption.step().map(BigDecimal::toPlainString).orElse(""),
                                preemption.moldableParts(),
                                preemption.steps().isPresent() ? "/" + text(preemption.steps()) : "");
    }

    @Override
    public @Nullable Preemption convertToEntityAttribute(@Nullable String text) {
        if (text == null) {
            return null;
        }
        var fields = text.split("/", 4);
        return new Preemption(
                number(fields[0]),
                fields[1].isEmpty() ? Optional.empty() : Optional.of(new BigDecimal(fields[1])),
                fields.length < 4 ? OptionalInt.empty() : number(fields[3]),
                Boolean.parseBoolean(fields[2]));
    }

    private static String text(OptionalInt number) {
        return number.isPresent() ? Integer.toString(number.getAsInt()) : "";
    }

    private static OptionalInt number(String text) {
        return text.isEmpty() ? OptionalInt.empty() : OptionalInt.of(Integer.parseInt(text));
    }
}
