package berth.outcome;

/** Why a change that no schedule decides was refused. Nothing has changed. A {@code detail} says what to do. */
public sealed interface Refusal {

    /** There is none with that id, or the caller may not see it. */
    record NotFound(String kind, String id) implements Refusal {}

    /** There is none, or it is not the caller's; the caller must not learn which others exist. */
    record NotYours(String kind) implements Refusal {}

    /** It has another version than the caller expected. */
    record Stale(int present) implements Refusal {}

    /** The caller may not do this. */
    record NotAllowed(String detail) implements Refusal {}

    /** Its present state does not allow this. */
    record WrongState(String detail) implements Refusal {}

    /** There is one with the value that the caller chose for a field. */
    record Exists(String field, String value, String detail) implements Refusal {}

    /** There are as many as are allowed. */
    record Enough(String detail) implements Refusal {}

    /** A list would have more values than are allowed. */
    record TooLong(String field, String detail) implements Refusal {}

    /** A field has a value that does not fit the present state. */
    record Invalid(String field, String value, String message) implements Refusal {}

    /** It cannot be changed at this moment. */
    record Unavailable(String detail) implements Refusal {}

    /** Another process changed it at the same time. */
    record Busy() implements Refusal {}
}
