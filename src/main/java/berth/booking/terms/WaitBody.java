package berth.booking.terms;

import berth.http.Fields;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * Makes a request wait if there is no room.
 *
 * @param until the latest time until which the request waits; if left out, it waits as long as the run can still start in its window
 */
public record WaitBody(@Nullable String until) {

    public static final String FIELD = "wait";

    /** Returns the end of the wait, in seconds since the epoch; empty if the request does not wait. Mistakes go to {@code fields}. */
    public static OptionalLong read(@Nullable WaitBody given, Fields fields) {
        return given == null
                ? OptionalLong.empty()
                : OptionalLong.of(
                        fields.instantDown(FIELD + ".until", given.until).orElse(Long.MAX_VALUE));
    }
}
