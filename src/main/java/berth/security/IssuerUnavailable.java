package berth.security;

import org.springframework.security.core.AuthenticationException;

/** Whether a token is valid cannot be told: the issuer whose keys would show it does not answer. */
public final class IssuerUnavailable extends AuthenticationException {
    IssuerUnavailable(Throwable cause) {
        super("The issuer of the token does not answer.", cause);
    }
}
