package berth.http;

import com.fasterxml.jackson.annotation.JsonValue;
import org.springframework.http.HttpStatus;

/** The kinds of problems that a call can end with. The code is for programs, the title for people. */
public enum ProblemCode {
    /** Berth cannot read the request: its JSON, a parameter, or a header that the call does not accept. If the request is not valid HTTP, the status is 400, 501 or 505. */
    MALFORMED(HttpStatus.BAD_REQUEST, "The request cannot be read"),
    /** The token is missing or not valid; {@code error_description} in the header {@code WWW-Authenticate} says why a token was refused. */
    UNAUTHORIZED(HttpStatus.UNAUTHORIZED, "A valid token is required"),
    /** The account may not do this, or the policy of the site does not allow it. */
    FORBIDDEN(HttpStatus.FORBIDDEN, "This account may not do this"),
    /** The limits of the account do not allow it. */
    LIMIT_EXCEEDED(HttpStatus.FORBIDDEN, "The account's limits do not allow this"),
    /** The project's budget does not allow it. */
    BUDGET_EXCEEDED(HttpStatus.FORBIDDEN, "The project's budget does not allow this"),
    /** It does not exist, or the account may not know of it. */
    NOT_FOUND(HttpStatus.NOT_FOUND, "Not found"),
    /** The path does not have this method. */
    METHOD_NOT_ALLOWED(HttpStatus.METHOD_NOT_ALLOWED, "This path does not support the method"),
    /** The client does not accept JSON. */
    NOT_ACCEPTABLE(HttpStatus.NOT_ACCEPTABLE, "No type that this call returns is accepted"),
    /** The request is not JSON. */
    UNSUPPORTED_MEDIA_TYPE(HttpStatus.UNSUPPORTED_MEDIA_TYPE, "The request body must be JSON"),
    /** No slot is free in the window, or the cluster takes no new reservations. */
    NO_SLOT(HttpStatus.CONFLICT, "No slot is free in the window"),
    /** Every free slot costs more than the request's budget. */
    OVER_BUDGET(HttpStatus.CONFLICT, "Every free slot costs more than the budget"),
    /** A person must approve it, for which it cannot wait. */
    NEEDS_APPROVAL(HttpStatus.CONFLICT, "This needs an approval first"),
    /** The present state does not allow it. */
    WRONG_STATE(HttpStatus.CONFLICT, "The current state does not allow this"),
    /** The name is taken. */
    EXISTS(HttpStatus.CONFLICT, "The name is already taken"),
    /** The cluster or reservation belongs to another Berth, and this call is not passed on. */
    ELSEWHERE(HttpStatus.CONFLICT, "Only the cluster's own Berth can do this"),
    /** The resource has changed since the client read it. */
    STALE_VERSION(HttpStatus.PRECONDITION_FAILED, "The resource has changed in the meantime"),
    /** The request exceeds a bound. */
    TOO_LARGE(HttpStatus.CONTENT_TOO_LARGE, "The request is too large"),
    /** A field has a value that is not valid; {@code errors} names it. */
    INVALID_TERMS(HttpStatus.UNPROCESSABLE_CONTENT, "The request is not valid"),
    /** No cluster could ever hold the run. For a request without a cluster, {@code errors} has the bounds of the three nearest clusters, those that it exceeds least. */
    NEVER_FITS(HttpStatus.UNPROCESSABLE_CONTENT, "The request can never fit"),
    /** The idempotency key belongs to another request. */
    KEY_REUSED(HttpStatus.UNPROCESSABLE_CONTENT, "The idempotency key was used for another request"),
    /** Too many calls, searches or readings are under way. Wait as {@code Retry-After} says: the longer, the more time the account has used lately. */
    TOO_MANY_REQUESTS(HttpStatus.TOO_MANY_REQUESTS, "Too many requests are waiting"),
    /** Berth cannot decide now. Repeat the request with its idempotency key. */
    UNAVAILABLE(HttpStatus.SERVICE_UNAVAILABLE, "The service is temporarily unavailable"),
    /** An error in Berth. */
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
