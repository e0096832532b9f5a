package berth.service;

import berth.database.Seal;
import berth.http.Problem;
import berth.http.ProblemCode;
import jakarta.servlet.http.HttpServletRequest;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpHeaders;
import org.springframework.http.ResponseCookie;
import org.springframework.security.oauth2.core.OAuth2AuthenticationException;
import org.springframework.security.oauth2.server.resource.BearerTokenErrors;
import org.springframework.security.oauth2.server.resource.web.BearerTokenResolver;
import org.springframework.security.oauth2.server.resource.web.DefaultBearerTokenResolver;
import org.springframework.web.util.WebUtils;

/**
 * Sessions of the page. A session is a cookie with a token in it, sealed together with the session's end. Each call opens the cookie and
 * then checks the token like one that was sent, so whatever ends the token ends its sessions, at every instance.
 */
final class Sessions implements BearerTokenResolver {

    static final String COOKIE = "berth-session";

    /** The header of calls with the cookie. Browsers send it only for pages of this service. */
    static final String HEADER = "Berth-Page";

    static final Duration LIFETIME = Duration.ofDays(7);

    /** The problem of a call with the cookie that may come from the page of another site. */
    static final Problem ELSEWHERE = new Problem(
            ProblemCode.FORBIDDEN,
            "A call with the cookie %s needs the header %s: true. Send this header, or a token in the header Authorization."
                    .formatted(COOKIE, HEADER));

    /** The most characters of a cookie's name and value that browsers keep. */
    private static final int MAX_COOKIE = 4096;

    private static final String PATH = "/api/v1";

    private final BearerTokenResolver authorization = new DefaultBearerTokenResolver();
    private final Seal seal;
    private final InstantSource clock;

    /** @param seal the service's seal; sessions have a key that is derived from its key */
    Sessions(Seal seal, InstantSource clock) {
        this.seal = seal.derived("session");
        this.clock = clock;
    }

    /** A call with the cookie and without the header that proves that a page of this service makes it. */
    @SuppressWarnings("serial")
    static final class FromElsewhere extends OAuth2AuthenticationException {
        private FromElsewhere() {
            super(BearerTokenErrors.invalidRequest("The header %s is missing.".formatted(HEADER)));
        }
    }

    static boolean has(HttpServletRequest request) {
        return WebUtils.getCookie(request, COOKIE) != null;
    }

    /**
     * Returns the token in the header, or else the one in the cookie; null if there is neither.
     *
     * @throws FromElsewhere if a page of another site may have sent the cookie
     */
    @Override
    public @Nullable String resolve(HttpServletRequest request) {
        var cookie = WebUtils.getCookie(request, COOKIE);
        if (cookie == null || request.getHeader(HttpHeaders.AUTHORIZATION) != null) {
            return authorization.resolve(request);
        }
        if (request.getHeader(HEADER) == null) {
            throw new FromElsewhere();
        }
        return token(cookie.getValue())
                .orElseThrow(() ->
                        new OAuth2AuthenticationException(BearerTokenErrors.invalidToken("The session has ended.")));
    }

    private Optional<String> token(String sealed) {
        return seal.open(sealed)
                .map(content -> content.split(" ", 2))
                .filter(parts -> clock.instant().isBefore(Instant.ofEpochSecond(Long.parseLong(parts[0]))))
                .map(parts -> parts[1]);
    }

    /**
     * Returns the cookie of a new session.
     *
     * @throws Problem if the token is too long for a cookie
     */
    ResponseCookie begin(String token, HttpServletRequest request) {
        long end = clock.instant().plus(LIFETIME).getEpochSecond();
        var sealed = seal.seal(end + " " + token);
        if (COOKIE.length() + sealed.length() > MAX_COOKIE) {
            throw new Problem(
                    ProblemCode.TOO_LARGE,
                    "The token has %d characters, which is too long for a cookie. Let its issuer put fewer claims into it."
                            .formatted(token.length()));
        }
        return cookie(sealed, LIFETIME, request);
    }

    /** Returns the cookie that makes the browser forget the session. */
    static ResponseCookie end(HttpServletRequest request) {
        return cookie("", Duration.ZERO, request);
    }

    private static ResponseCookie cookie(String value, Duration lifetime, HttpServletRequest request) {
        // behind a proxy, only the browser knows how it reaches the service
        var origin = request.getHeader(HttpHeaders.ORIGIN);
        return ResponseCookie.from(COOKIE, value)
                .path(PATH)
                .maxAge(lifetime)
                .httpOnly(true)
                .sameSite("Strict")
                .secure(request.isSecure() || origin != null && origin.startsWith("https:"))
                .build();
    }
}
