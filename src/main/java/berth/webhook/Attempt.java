package berth.webhook;

import java.util.OptionalInt;

/**
 * What came of sending a message once.
 *
 * @param message its id
 * @param at when, milliseconds since the epoch
 * @param status of the answer; empty if there was none
 * @param error why there was none, or why it will not do; empty text: it arrived
 * @param millis how long it took
 */
public record Attempt(String message, long at, OptionalInt status, String error, long millis) {

    public boolean hasArrived() {
        return error.isEmpty();
    }
}
