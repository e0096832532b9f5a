package berth.http;

import java.time.Duration;
import java.util.Arrays;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** The header {@code Prefer} (RFC 7240), which says how long a client is willing to wait for a result. Berth ignores other preferences. */
public final class Prefer {

    public static final String HEADER = "Prefer";
    public static final String APPLIED = "Preference-Applied";

    /** The longest time that a call waits for a result. */
    static final Duration MAX = Duration.ofSeconds(30);

    private static final Pattern WAIT =
            Pattern.compile("\\s*wait\\s*=\\s*\"?([0-9]{1,9})\"?\\s*(;.*)?", Pattern.CASE_INSENSITIVE);

    private Prefer() {}

    /** Returns how long the client is willing to wait, at most {@link #MAX}; empty if the header does not say so in a known form. */
    public static Optional<Duration> waiting(@Nullable String header) {
        return header == null
                ? Optional.empty()
                : Arrays.stream(header.split(","))
                        .map(WAIT::matcher)
                        .filter(Matcher::matches)
                        .findFirst()
                        .map(wait -> Duration.ofSeconds(Long.parseLong(wait.group(1))))
                        .map(wait -> wait.compareTo(MAX) > 0 ? MAX : wait);
    }
}
