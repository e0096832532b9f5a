package berth.webhooks;

import java.util.OptionalInt;

/**
 * The result of one attempt to send a message.
 *
 * @param message the id of the message
 * @param at the time, in milliseconds since the epoch
 * @param status the status of the answer; empty if there was none
 * @param error why there was no answer or the answer means a failure; an empty string if the message arrived
 * @param millis how long the attempt took, in milliseconds
 */
public record Attempt(String message, long at, OptionalInt status, String error, long millis) {

    public boolean hasArrived() {
        return error.isEmpty();
    }
}
