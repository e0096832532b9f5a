package berth.service;

import berth.database.Seal;
import berth.http.Problem;
import berth.http.ProblemCode;
import jakarta.servlet.http.HttpServletRequest;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Base64;
import java.util.Optional;
import java.util.stream.Stream;
import java.util.zip.DeflaterOutputStream;
import java.util.zip.InflaterInputStream;
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

    /** The first character of a packed token; no other token has it. */
    private static final String PACKED = ":";

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
                .map(parts -> parts[1].startsWith(PACKED) ? unpacked(parts[1].substring(1)) : parts[1]);
    }

    /**
     * Returns the cookie of a new session.
     *
     * @throws Problem if the token is too long for a cookie
     */
    ResponseCookie begin(String token, HttpServletRequest request) {
        long end = clock.instant().plus(LIFETIME).getEpochSecond();
        return Stream.of(Optional.of(token), packed(token).map(packed -> PACKED + packed))
                .flatMap(Optional::stream)
                .map(content -> seal.seal(end + " " + content))
                .filter(value -> COOKIE.length() + value.length() <= MAX_COOKIE)
                .findFirst()
                .map(value -> cookie(value, LIFETIME, request))
                .orElseThrow(() -> new Problem(
                        ProblemCode.TOO_LARGE,
                        "The token has %d characters, which is too long for a cookie. Ask the administrator of its issuer to put fewer groups and other claims into it."
                                .formatted(token.length())));
    }

    /** Returns a shorter form of a JWT: compressed, and without the Base64 in which its parts hide what they have in common; empty if it is none. */
    private static Optional<String> packed(String token) {
        var packed = new ByteArrayOutputStream();
        try (var out = new DataOutputStream(new DeflaterOutputStream(packed))) {
            for (var part : token.split("\\.", -1)) {
                var bytes = Base64.getUrlDecoder().decode(part);
                out.writeInt(bytes.length);
                out.write(bytes);
            }
        } catch (IllegalArgumentException e) {
            return Optional.empty();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return Optional.of(Base64.getEncoder().encodeToString(packed.toByteArray()))
                .filter(text -> unpacked(text).equals(token));
    }

    private static String unpacked(String packed) {
        var bytes = new ByteArrayInputStream(Base64.getDecoder().decode(packed));
        var parts = new ArrayList<String>();
        try (var in = new DataInputStream(new InflaterInputStream(bytes))) {
            while (true) {
                parts.add(Base64.getUrlEncoder().withoutPadding().encodeToString(in.readNBytes(in.readInt())));
            }
        } catch (EOFException e) {
            return String.join(".", parts);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
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
