package berth.store;

import berth.reservation.ClusterId;
import berth.reservation.TriedCluster;
import jakarta.persistence.AttributeConverter;
import jakarta.persistence.Converter;
import java.util.Arrays;
import java.util.List;
import java.util.OptionalLong;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Converts tried clusters to {@code cluster/start/outcome} in order, separated by blanks, with times in seconds since the epoch and without
 * unknown ones; null if there are none, as for nearly all reservations.
 */
@Converter
public final class TriedConverter implements AttributeConverter<List<TriedCluster>, String> {

    @Override
    public @Nullable String convertToDatabaseColumn(@Nullable List<TriedCluster> tried) {
        return tried == null || tried.isEmpty()
                ? null
                : tried.stream().map(TriedConverter::text).collect(Collectors.joining(" "));
    }

    private static String text(TriedCluster tried) {
        var start = tried.start().isPresent() ? Long.toString(tried.start().getAsLong()) : "";
        return "%s/%s/%s".formatted(tried.cluster(), start, tried.outcome());
    }

    @Override
    public @Nullable List<TriedCluster> convertToEntityAttribute(@Nullable String text) {
        return text == null
                ? null
                : Arrays.stream(text.split(" ")).map(TriedConverter::tried).toList();
    }

    private static TriedCluster tried(String text) {
        var fields = text.split("/");
        return new TriedCluster(
                new ClusterId(fields[0]),
                fields[1].isEmpty() ? OptionalLong.empty() : OptionalLong.of(Long.parseLong(fields[1])),
                TriedCluster.Obstacle.valueOf(fields[2]));
    }
}
