package berth.http;

import berth.outcome.Outcome;
import berth.outcome.Refusal;
import berth.reservation.ClusterId;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** An exception that ends a call with a problem document. */
public class Problem extends RuntimeException {

    private final ProblemCode code;
    private final List<FieldError> errors;

    /**
     * A mistake in a request.
     *
     * @param field the path of the field, such as {@code terms.duration}
     * @param value the value that was sent; null if none was
     * @param message what is wrong with the value
     */
    public record FieldError(String field, @Nullable Object value, String message) {

        /** Returns the same mistake, marked as found by one of several clusters. */
        public FieldError at(ClusterId cluster) {
            return new FieldError(field, value, "on %s: %s".formatted(cluster, message));
        }
    }

    /**
     * What went wrong, and what to do about it (RFC 9457).
     *
     * @param title the meaning of the code
     * @param status the HTTP status of the response
     * @param code the kind of problem, for programs
     * @param detail what to do
     * @param errors all mistakes that were found in the request
     */
    public record Document(String title, int status, ProblemCode code, String detail, List<FieldError> errors) {}

    /**
     * Creates a problem.
     *
     * @param detail what the client can do about it
     */
    public Problem(ProblemCode code, String detail, List<FieldError> errors) {
        super(detail, null, false, false);
        this.code = code;
        this.errors = List.copyOf(errors);
    }

    public Problem(ProblemCode code, String detail) {
        this(code, detail, List.of());
    }

    public static Problem field(ProblemCode code, String field, @Nullable Object value, String message) {
        return new Problem(
                code,
                "Correct the field %s and send the request again.".formatted(field),
                List.of(new FieldError(field, value, message)));
    }

    /**
     * Returns the problem of an id that is not a UUID.
     *
     * @param thing the kind of resource, such as {@code reservation}
     */
    public static Problem noId(String thing, String field, String given) {
        return new Problem(
                ProblemCode.MALFORMED,
                "Send the id of the %s, which is a UUID.".formatted(thing),
                List.of(new FieldError(field, Texts.shown(given), "is not a UUID")));
    }

    /**
     * Returns the problem of a header that a call does not support.
     *
     * @param why the reason, as a clause: {@code this call does not check versions}
     */
    public static Problem notTaken(String header, String value, String why) {
        return new Problem(
                ProblemCode.MALFORMED,
                "Leave the header %s out: %s.".formatted(header, why),
                List.of(new FieldError(header, Texts.shown(value), "is not supported by this call: " + why)));
    }

    public static Problem notFound(String what, String id) {
        return new Problem(
                ProblemCode.NOT_FOUND, "There is no %s %s, or it is not yours.".formatted(what, Texts.shown(id)));
    }

    /** Returns the problem of a change that repeatedly collided with changes by other requests. */
    public static Problem busy() {
        return new Problem(
                ProblemCode.UNAVAILABLE,
                "Nothing has changed, because other requests changed the same resource at the same time. Try again in a moment.");
    }

    /**
     * Returns the result of a change.
     *
     * @throws Problem if the change was refused
     */
    public static <T> T done(Outcome<T, Refusal> outcome) {
        return switch (outcome) {
            case Outcome.Done(var value) -> value;
            case Outcome.NotDone(var why) -> throw of(why);
        };
    }

    /** Returns the problem of a change that was refused. */
    public static Problem of(Refusal why) {
        return switch (why) {
            case Refusal.NotFound(var kind, var id) -> notFound(kind, id);
            case Refusal.NotYours(var kind) ->
                new Problem(ProblemCode.NOT_FOUND, "There is no such %s, or it is not your %s.".formatted(kind, kind));
            case Refusal.Stale(int present) -> EntityTag.stale(present);
            case Refusal.NotAllowed(var detail) -> new Problem(ProblemCode.FORBIDDEN, detail);
            case Refusal.WrongState(var detail) -> new Problem(ProblemCode.WRONG_STATE, detail);
            case Refusal.Exists(var field, var value, var detail) ->
                new Problem(ProblemCode.EXISTS, detail, List.of(new FieldError(field, value, "is taken")));
            case Refusal.Enough(var detail) -> new Problem(ProblemCode.LIMIT_EXCEEDED, detail);
            case Refusal.TooLong(var field, var detail) ->
                new Problem(
                        ProblemCode.LIMIT_EXCEEDED, detail, List.of(new FieldError(field, null, "would be too many")));
            case Refusal.Invalid(var field, var value, var message) ->
                field(ProblemCode.INVALID_TERMS, field, Texts.shown(value), message);
            case Refusal.Unavailable(var detail) -> new Problem(ProblemCode.UNAVAILABLE, detail);
            case Refusal.Busy() -> busy();
        };
    }

    public List<FieldError> errors() {
        return errors;
    }

    boolean hasErrors() {
        return !errors.isEmpty();
    }

    /**
     * Checks whether a field may hold the token of a peer. Fields next to the token count too: it may have been sent in the wrong place.
     */
    private static boolean isSecret(String field) {
        return field.equals("peer")
                || field.startsWith("peer.") && !field.equals("peer.url") && !field.equals("peer.cluster");
    }

    /** Returns the same problem, and adds the values from the request body to errors that have none. */
    Problem showing(JsonNode body) {
        var shown = errors.stream()
                .map(error -> error.value() == null && !isSecret(error.field())
                        ? new FieldError(error.field(), RequestFields.value(body, error.field()), error.message())
                        : error)
                .toList();
        return new Problem(code, detail(), shown);
    }

    public ProblemCode code() {
        return code;
    }

    public String detail() {
        return Objects.requireNonNull(getMessage());
    }

    /** Returns the body of the response: a {@link Document}, or a record that has more fields. */
    public Object document() {
        return new Document(code.title(), code.status().value(), code, detail(), errors);
    }
}
