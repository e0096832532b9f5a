package berth.accounts;

import java.time.Duration;
import org.springframework.security.core.AuthenticationException;

/** The error for a valid token of the issuer with which nobody can be let in at this moment. The message is for the caller. */
public final class SignInUnavailable extends AuthenticationException {

    private final Duration retryAfter;

    public SignInUnavailable(String message, Duration retryAfter) {
        super(message);
        this.retryAfter = retryAfter;
    }

    /** Returns how long the caller should wait before it tries again. */
    public Duration retryAfter() {
        return retryAfter;
    }
}
