package berth.http;

import berth.sla.Excerpt;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Formats times and durations as the contract has them, and shortens texts from clients for messages. */
public final class Texts {

    /** What is said of a text that is not a time zone. */
    public static final String NO_ZONE = "is not a time zone; use a name of the IANA database, such as Europe/Berlin";

    private static final int SHOWN = 100;
    private static final long DAY = 24 * 3600;

    private Texts() {}

    /** Returns the time zone with a name of the IANA database; empty if there is none. */
    public static Optional<ZoneId> zone(String name) {
        return ZoneId.getAvailableZoneIds().contains(name) ? Optional.of(ZoneId.of(name)) : Optional.empty();
    }

    public static Instant instant(long second) {
        return Instant.ofEpochSecond(second);
    }

    public static @Nullable Instant instant(OptionalLong second) {
        return second.isPresent() ? Instant.ofEpochSecond(second.getAsLong()) : null;
    }

    /** Returns a duration in ISO 8601; whole days are written as days. */
    public static String duration(long seconds) {
        return seconds != 0 && seconds % DAY == 0
                ? "P%dD".formatted(seconds / DAY)
                : Duration.ofSeconds(seconds).toString();
    }

    public static @Nullable String duration(OptionalLong seconds) {
        return seconds.isPresent() ? duration(seconds.getAsLong()) : null;
    }

    /** Returns durations in ISO 8601, the shortest first. */
    public static List<@Nullable String> durations(Collection<Long> seconds) {
        return seconds.stream().sorted().<@Nullable String>map(Texts::duration).toList();
    }

    /** Returns the beginning of a client's text, without control characters. */
    public static String shown(String text) {
        var start = Excerpt.of(text, SHOWN).replaceAll("\\p{Cc}", "?");
        return start.length() < text.length() ? start + "…" : start;
    }

    /** Returns the UUID in a text; empty if the text is not a complete UUID in upper or lower case. */
    public static Optional<UUID> uuid(String text) {
        try {
            var uuid = UUID.fromString(text);
            return uuid.toString().equalsIgnoreCase(text) ? Optional.of(uuid) : Optional.empty();
        } catch (IllegalArgumentException e) {
            return Optional.empty();
        }
    }

    public static <T> @Nullable T orNull(Optional<T> value) {
        return value.orElse(null);
    }
}
