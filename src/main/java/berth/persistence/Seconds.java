package berth.persistence;

import java.time.Instant;
import java.util.OptionalInt;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/** Converts between the core's seconds and optional values and those of the columns. */
final class Seconds {

    private Seconds() {}

    static Instant instant(long second) {
        return Instant.ofEpochSecond(second);
    }

    static @Nullable Instant instant(OptionalLong second) {
        return second.isPresent() ? Instant.ofEpochSecond(second.getAsLong()) : null;
    }

    static OptionalLong optional(@Nullable Instant instant) {
        return instant == null ? OptionalLong.empty() : OptionalLong.of(instant.getEpochSecond());
    }

    static OptionalLong optional(@Nullable Long number) {
        return number == null ? OptionalLong.empty() : OptionalLong.of(number);
    }

    static OptionalInt optional(@Nullable Integer number) {
        return number == null ? OptionalInt.empty() : OptionalInt.of(number);
    }

    static @Nullable Integer orNull(OptionalInt number) {
        return number.isPresent() ? number.getAsInt() : null;
    }

    static @Nullable Long orNull(OptionalLong number) {
        return number.isPresent() ? number.getAsLong() : null;
    }
}
