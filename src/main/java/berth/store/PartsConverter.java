package berth.store;

import berth.availability.PeSet;
import berth.sla.Part;
import berth.time.Slot;
import jakarta.persistence.AttributeConverter;
import jakarta.persistence.Converter;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Converts parts to {@code start-end/pes/steps/peIds} in order, separated by blanks, with times in seconds since the epoch and without PE
 * numbers that are not chosen yet.
 */
@Converter
final class PartsConverter implements AttributeConverter<List<Part>, String> {

    @Override
    public @Nullable String convertToDatabaseColumn(@Nullable List<Part> parts) {
        return parts == null ? null : text(parts);
    }

    static String text(List<Part> parts) {
        return parts.stream().map(PartsConverter::text).collect(Collectors.joining(" "));
    }

    private static String text(Part part) {
        return "%d-%d/%d/%d/%s"
                .formatted(
                        part.slot().start(),
                        part.slot().end(),
                        part.pes(),
                        part.steps(),
                        part.peIds().map(PeSet::toString).orElse(""));
    }

    @Override
    public @Nullable List<Part> convertToEntityAttribute(@Nullable String text) {
        return text == null
                ? null
                : Arrays.stream(text.split(" ")).map(PartsConverter::part).toList();
    }

    private static Part part(String text) {
        var fields = text.split("[-/]", 5);
        return new Part(
                new Slot(Long.parseLong(fields[0]), Long.parseLong(fields[1])),
                Integer.parseInt(fields[2]),
                Optional.of(fields[4]).filter(ids -> !ids.isEmpty()).map(PeSet::parse),
                Integer.parseInt(fields[3]));
    }
}
