package berth.rest;

import com.fasterxml.jackson.annotation.JsonValue;
import org.springframework.http.HttpStatus;

/** The kinds of problem a call can meet. The code is for programs, the title for people. */
public enum ProblemCode {
    MALFORMED(HttpStatus.BAD_REQUEST, "The request cannot be read"),
    UNAUTHORIZED(HttpStatus.UNAUTHORIZED, "A valid token is needed"),
    FORBIDDEN(HttpStatus.FORBIDDEN, "Not open to this account"),
    LIMIT_EXCEEDED(HttpStatus.FORBIDDEN, "The account's limits do not allow this"),
    BUDGET_EXCEEDED(HttpStatus.FORBIDDEN, "The project's budget does not allow this"),
    NOT_FOUND(HttpStatus.NOT_FOUND, "There is no such thing"),
    METHOD_NOT_ALLOWED(HttpStatus.METHOD_NOT_ALLOWED, "This path does not know the method"),
    NOT_ACCEPTABLE(HttpStatus.NOT_ACCEPTABLE, "Answers are JSON"),
    UNSUPPORTED_MEDIA_TYPE(HttpStatus.UNSUPPORTED_MEDIA_TYPE, "Requests are JSON"),
    NO_SLOT(HttpStatus.CONFLICT, "No slot is free in the window"),
    OVER_BUDGET(HttpStatus.CONFLICT, "Every free slot costs more than the budget"),
    WRONG_STATE(HttpStatus.CONFLICT, "The present state does not allow this"),
    EXISTS(HttpStatus.CONFLICT, "There is one of that name"),
    ELSEWHERE(HttpStatus.CONFLICT, "Only the Berth where it lies can do this"),
    STALE_VERSION(HttpStatus.PRECONDITION_FAILED, "It has changed meanwhile"),
    TOO_LARGE(HttpStatus.CONTENT_TOO_LARGE, "The request is too large"),
    INVALID_TERMS(HttpStatus.UNPROCESSABLE_CONTENT, "What is asked for is not valid"),
    NEVER_FITS(HttpStatus.UNPROCESSABLE_CONTENT, "The cluster can never hold this"),
    KEY_REUSED(HttpStatus.UNPROCESSABLE_CONTENT, "The idempotency key was used for another request"),
    TOO_MANY_REQUESTS(HttpStatus.TOO_MANY_REQUESTS, "Too many requests wait"),
    UNAVAILABLE(HttpStatus.SERVICE_UNAVAILABLE, "The service cannot decide at the moment"),
    INTERNAL(HttpStatus.INTERNAL_SERVER_ERROR, "Something went wrong here");

    private final HttpStatus status;
    private final String title;

    ProblemCode(HttpStatus status, String title) {
        this.status = status;
        this.title = title;
    }

    public HttpStatus status() {
        return status;
    }

    public String title() {
        return title;
    }

    /** As the contract writes it, such as {@code no-slot}. */
    @JsonValue
    public String word() {
        return name().toLowerCase(java.util.Locale.ROOT).replace('_', '-');
    }
}
