package berth.http;

import com.fasterxml.jackson.annotation.JsonValue;
import org.springframework.http.HttpStatus;

/** The kinds of problems that a call can end with. The code is for programs, the title for people. */
public enum ProblemCode {
    MALFORMED(HttpStatus.BAD_REQUEST, "The request cannot be read"),
    UNAUTHORIZED(HttpStatus.UNAUTHORIZED, "A valid token is required"),
    FORBIDDEN(HttpStatus.FORBIDDEN, "This account may not do this"),
    LIMIT_EXCEEDED(HttpStatus.FORBIDDEN, "The account's limits do not allow this"),
    BUDGET_EXCEEDED(HttpStatus.FORBIDDEN, "The project's budget does not allow this"),
    NOT_FOUND(HttpStatus.NOT_FOUND, "Not found"),
    METHOD_NOT_ALLOWED(HttpStatus.METHOD_NOT_ALLOWED, "This path does not support the method"),
    NOT_ACCEPTABLE(HttpStatus.NOT_ACCEPTABLE, "No type that this call returns is accepted"),
    UNSUPPORTED_MEDIA_TYPE(HttpStatus.UNSUPPORTED_MEDIA_TYPE, "The request body must be JSON"),
    NO_SLOT(HttpStatus.CONFLICT, "No slot is free in the window"),
    OVER_BUDGET(HttpStatus.CONFLICT, "Every free slot costs more than the budget"),
    WRONG_STATE(HttpStatus.CONFLICT, "The current state does not allow this"),
    EXISTS(HttpStatus.CONFLICT, "The name is already taken"),
    ELSEWHERE(HttpStatus.CONFLICT, "Only the cluster's own Berth can do this"),
    STALE_VERSION(HttpStatus.PRECONDITION_FAILED, "The resource has changed in the meantime"),
    TOO_LARGE(HttpStatus.CONTENT_TOO_LARGE, "The request is too large"),
    INVALID_TERMS(HttpStatus.UNPROCESSABLE_CONTENT, "The request is not valid"),
    NEVER_FITS(HttpStatus.UNPROCESSABLE_CONTENT, "The request can never fit"),
    KEY_REUSED(HttpStatus.UNPROCESSABLE_CONTENT, "The idempotency key was used for another request"),
    TOO_MANY_REQUESTS(HttpStatus.TOO_MANY_REQUESTS, "Too many requests are waiting"),
    UNAVAILABLE(HttpStatus.SERVICE_UNAVAILABLE, "The service is temporarily unavailable"),
    INTERNAL(HttpStatus.INTERNAL_SERVER_ERROR, "Internal error");

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

    /** Returns the code as the contract writes it, such as {@code no-slot}. */
    @JsonValue
    public String word() {
        return name().toLowerCase(java.util.Locale.ROOT).replace('_', '-');
    }
}
