package berth.rest;

import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * That a request waits for room where there is none.
 *
 * @param until how long, at the most; as long as the run may still start in its window, if left out
 */
record WaitBody(@Nullable String until) {

    static final String FIELD = "wait";

    /** Until when, in seconds since the epoch; empty: not at all. {@code fields} collects what is wrong. */
    static OptionalLong read(@Nullable WaitBody given, Fields fields) {
        return given == null
                ? OptionalLong.empty()
                : OptionalLong.of(
                        fields.instantDown(FIELD + ".until", given.until).orElse(Long.MAX_VALUE));
    }
}
