package berth.accounts;

import org.springframework.security.core.AuthenticationException;

/** The error for a token that cannot be verified because its issuer does not answer. */
public final class IssuerUnavailable extends AuthenticationException {
    IssuerUnavailable(Throwable cause) {
        super("The issuer of the token does not answer.", cause);
    }
}
