package berth.accounts;

import java.net.URI;
import java.util.Optional;

/**
 * How people without a Berth token sign in.
 *
 * @param at the issuer; empty if they cannot
 */
public record SignIn(Optional<At> at) {

    /**
     * An OIDC issuer with which the page uses the code flow with PKCE.
     *
     * @param issuer the address of the issuer, below which its metadata is found
     * @param clientId the page's client id at the issuer
     * @param scope what the page asks the issuer for, with blanks between, such as {@code openid profile}
     */
    public record At(URI issuer, String clientId, String scope) {

        /** Returns the scheme, host and port of the issuer, in the form of a browser's origin. */
        public String origin() {
            return issuer.getScheme() + "://" + issuer.getAuthority();
        }
    }
}
