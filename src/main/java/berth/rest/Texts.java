package berth.rest;

import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** How the contract writes times, and how it shows what a client sent. */
final class Texts {

    private static final int SHOWN = 100;
    private static final long DAY = 24 * 3600;

    private Texts() {}

    static Instant instant(long second) {
        return Instant.ofEpochSecond(second);
    }

    static @Nullable Instant instant(OptionalLong second) {
        return second.isPresent() ? Instant.ofEpochSecond(second.getAsLong()) : null;
    }

    /** ISO 8601; whole days as such. */
    static String duration(long seconds) {
        return seconds != 0 && seconds % DAY == 0
                ? "P%dD".formatted(seconds / DAY)
                : Duration.ofSeconds(seconds).toString();
    }

    static @Nullable String duration(OptionalLong seconds) {
        return seconds.isPresent() ? duration(seconds.getAsLong()) : null;
    }

    /** The shortest first. */
    static List<@Nullable String> durations(Collection<Long> seconds) {
        return seconds.stream().sorted().<@Nullable String>map(Texts::duration).toList();
    }

    /** The beginning of a text that may be long, or hold anything. */
    static String shown(String text) {
        var start = text.codePoints()
                .limit(SHOWN)
                .map(character ->
                        Character.isISOControl(character) || Character.getType(character) == Character.SURROGATE
                                ? '?'
                                : character)
                .collect(StringBuilder::new, StringBuilder::appendCodePoint, StringBuilder::append)
                .toString();
        return start.length() < text.length() ? start + "…" : start;
    }

    /** The UUID that a text writes in full, in upper or lower case. */
    static Optional<UUID> uuid(String text) {
        try {
            var uuid = UUID.fromString(text);
            return uuid.toString().equalsIgnoreCase(text) ? Optional.of(uuid) : Optional.empty();
        } catch (IllegalArgumentException e) {
            return Optional.empty();
        }
    }

    static <T> @Nullable T orNull(Optional<T> value) {
        return value.orElse(null);
    }
}
