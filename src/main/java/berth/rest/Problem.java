package berth.rest;

import berth.reservation.ClusterId;
import berth.rest.Remedies.Remedy;
import berth.rest.Remedies.WouldFitBody;
import com.fasterxml.jackson.annotation.JsonInclude;
import io.swagger.v3.oas.annotations.media.Schema;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** Ends a call with a problem document. */
public final class Problem extends RuntimeException {

    private final ProblemCode code;
    private final List<FieldError> errors;
    private final Optional<Remedy> remedy;
    private final Optional<List<TriedBody>> tried;

    /**
     * A mistake in a request.
     *
     * @param field the field, with those that it lies in before it
     * @param value as it was sent; null if it was not
     * @param message what is wrong with it
     */
    record FieldError(String field, @Nullable Object value, String message) {

        /** The same mistake, as one cluster of many sees it. */
        FieldError at(ClusterId cluster) {
            return new FieldError(field, value, "on %s: %s".formatted(cluster, message));
        }
    }

    /**
     * What went wrong, and what to do about it (RFC 9457).
     *
     * @param title what the code means
     * @param status of the answer
     * @param code the kind of problem, for programs
     * @param detail what to do
     * @param errors the mistakes in the request, all that were found
     * @param alternatives slots outside of the window, the nearest first; only where there was no room in it. Of a co-allocation
     *     a slot for each part, in their order, start after start
     * @param truncated whether there may be more of them; only where there was no room
     * @param wouldFit by how much the request must give way; only where there was no room
     * @param tried what was tried, in order; only where a slot was chosen among those of clusters, and there was no room
     */
    @Schema(name = "Problem")
    @JsonInclude(JsonInclude.Include.NON_NULL)
    public record Document(
            String title,
            int status,
            ProblemCode code,
            String detail,
            List<FieldError> errors,
            @Nullable List<SlotBody> alternatives,
            @Nullable Boolean truncated,
            @Nullable WouldFitBody wouldFit,
            @Nullable List<TriedBody> tried) {}

    /** @param detail what to do about it */
    Problem(ProblemCode code, String detail, List<FieldError> errors) {
        this(code, detail, errors, Optional.empty(), Optional.empty());
    }

    private Problem(
            ProblemCode code,
            String detail,
            List<FieldError> errors,
            Optional<Remedy> remedy,
            Optional<List<TriedBody>> tried) {
        super(detail, null, false, false);
        this.code = code;
        this.errors = List.copyOf(errors);
        this.remedy = remedy;
        this.tried = tried;
    }

    /** The same problem, with what would fit instead. */
    Problem offering(Remedy instead) {
        return new Problem(code, Objects.requireNonNull(getMessage()), errors, Optional.of(instead), tried);
    }

    /** The same problem, after all that was tried. */
    Problem after(List<TriedBody> inVain) {
        return new Problem(code, Objects.requireNonNull(getMessage()), errors, remedy, Optional.of(inVain));
    }

    Problem(ProblemCode code, String detail) {
        this(code, detail, List.of());
    }

    static Problem field(ProblemCode code, String field, @Nullable Object value, String message) {
        return new Problem(
                code,
                "Correct the field %s and send the request again.".formatted(field),
                List.of(new FieldError(field, value, message)));
    }

    /**
     * What names a thing is no id of any.
     *
     * @param thing what it is called, such as {@code reservation}
     */
    static Problem noId(String thing, String field, String given) {
        return new Problem(
                ProblemCode.MALFORMED,
                "Send the id that the %s was answered with.".formatted(thing),
                List.of(new FieldError(field, Texts.shown(given), "is no UUID")));
    }

    /**
     * A header that a call does not take.
     *
     * @param why it does not
     */
    static Problem notTaken(String header, String value, String why) {
        return new Problem(
                ProblemCode.MALFORMED,
                "Leave the header %s out: %s.".formatted(header, why),
                List.of(new FieldError(header, Texts.shown(value), "is not taken by this call: " + why)));
    }

    static Problem notFound(String what, String id) {
        return new Problem(
                ProblemCode.NOT_FOUND, "There is no %s %s, or it is not yours.".formatted(what, Texts.shown(id)));
    }

    /** Others change the same thing all the time. */
    static Problem busy() {
        return new Problem(
                ProblemCode.UNAVAILABLE, "Nothing has changed: others were faster every time. Try again in a moment.");
    }

    List<FieldError> errors() {
        return errors;
    }

    boolean hasErrors() {
        return !errors.isEmpty();
    }

    /** What lies in or beside the token of a peer may be that token, misspelt or in the wrong place. */
    private static boolean isSecret(String field) {
        return field.equals("peer")
                || field.startsWith("peer.") && !field.equals("peer.url") && !field.equals("peer.cluster");
    }

    /** The same problem, with the values that a body holds in the fields that are named without one. */
    Problem showing(JsonNode body) {
        var shown = errors.stream()
                .map(error -> error.value() == null && !isSecret(error.field())
                        ? new FieldError(error.field(), RequestFields.value(body, error.field()), error.message())
                        : error)
                .toList();
        return new Problem(code, Objects.requireNonNull(getMessage()), shown);
    }

    ProblemCode code() {
        return code;
    }

    public Document document() {
        return new Document(
                code.title(),
                code.status().value(),
                code,
                Objects.requireNonNull(getMessage()),
                errors,
                Texts.orNull(remedy.map(Remedy::alternatives)),
                Texts.orNull(remedy.map(Remedy::truncated)),
                Texts.orNull(remedy.map(Remedy::wouldFit)),
                Texts.orNull(tried));
    }
}
