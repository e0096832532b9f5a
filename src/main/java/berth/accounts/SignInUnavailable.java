package berth.accounts;

import org.jspecify.annotations.Nullable;
import org.springframework.security.core.AuthenticationException;

/** The error for a valid token of the issuer with which nobody can be let in at this moment. The message is for the caller. */
public final class SignInUnavailable extends AuthenticationException {
    public SignInUnavailable(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
