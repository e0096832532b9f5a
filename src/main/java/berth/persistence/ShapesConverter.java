package berth.persistence;

import berth.sla.Shape;
import jakarta.persistence.AttributeConverter;
import jakarta.persistence.Converter;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Shapes, {@code pes:seconds} of each in order with commas between, as in {@code 64:7200,32:14400}. */
@Converter
final class ShapesConverter implements AttributeConverter<List<Shape>, String> {

    @Override
    public @Nullable String convertToDatabaseColumn(@Nullable List<Shape> shapes) {
        return shapes == null
                ? null
                : shapes.stream()
                        .map(shape -> shape.pes() + ":" + shape.runTime())
                        .collect(Collectors.joining(","));
    }

    @Override
    public @Nullable List<Shape> convertToEntityAttribute(@Nullable String text) {
        return text == null
                ? null
                : Arrays.stream(text.split(","))
                        .map(shape -> shape.split(":", 2))
                        .map(shape -> new Shape(Integer.parseInt(shape[0]), Long.parseLong(shape[1])))
                        .toList();
    }
}
