package berth.security;

import java.net.URI;
import java.util.Optional;

/**
 * How people sign in who have no token of Berth's.
 *
 * @param at where; empty: they do not
 */
public record SignIn(Optional<At> at) {

    /**
     * An OIDC issuer, whose code flow with PKCE the page uses.
     *
     * @param issuer its address, below which it tells what it offers
     * @param clientId as what the page is known there
     */
    public record At(URI issuer, String clientId) {

        /** The scheme, host and port of the issuer, as a browser tells who speaks with whom. */
        String origin() {
            return issuer.getScheme() + "://" + issuer.getAuthority();
        }
    }
}
