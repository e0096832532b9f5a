package berth.store;

import berth.sla.Moldability;
import berth.sla.Moldability.AllowedPes;
import berth.sla.Moldability.Speedup;
import jakarta.persistence.AttributeConverter;
import jakarta.persistence.Converter;
import java.math.BigDecimal;
import java.util.Arrays;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Converts moldability to text: {@code RUNTIMES/32:14400,64:7200} lists seconds on a standard PE for numbers of PEs; {@code
 * AMDAHL/8/64/ANY/0.05} names a speed-up function, the fewest and the most PEs, the allowed numbers, and the serial fraction if there is
 * one.
 */
@Converter
final class MoldabilityConverter implements AttributeConverter<Moldability, String> {

    private static final String TABLE = "RUNTIMES";

    @Override
    public @Nullable String convertToDatabaseColumn(@Nullable Moldability moldability) {
        return switch (moldability) {
            case null -> null;
            case Moldability.Runtimes(var runTimes) ->
                runTimes.entrySet().stream()
                        .map(shape -> shape.getKey() + ":" + shape.getValue())
                        .collect(Collectors.joining(",", TABLE + "/", ""));
            case Moldability.Function(int least, int most, var speedup, var serial, var allowed) ->
                "%s/%d/%d/%s/%s"
                        .formatted(
                                speedup,
                                least,
                                most,
                                allowed,
                                serial.map(BigDecimal::toPlainString).orElse(""));
        };
    }

    @Override
    public @Nullable Moldability convertToEntityAttribute(@Nullable String text) {
        if (text == null) {
            return null;
        }
        var fields = text.split("/", 5);
        return fields[0].equals(TABLE) ? table(fields[1]) : function(fields);
    }

    private static Moldability table(String shapes) {
        var runTimes = new TreeMap<Integer, Long>();
        Arrays.stream(shapes.split(","))
                .map(shape -> shape.split(":", 2))
                .forEach(shape -> runTimes.put(Integer.parseInt(shape[0]), Long.parseLong(shape[1])));
        return new Moldability.Runtimes(runTimes);
    }

    private static Moldability function(String[] fields) {
        return new Moldability.Function(
                Integer.parseInt(fields[1]),
                Integer.parseInt(fields[2]),
                Speedup.valueOf(fields[0]),
                Optional.of(fields[4]).filter(share -> !share.isEmpty()).map(BigDecimal::new),
                AllowedPes.valueOf(fields[3]));
    }
}
