package berth.security;

import berth.sla.AccountName;
import com.nimbusds.jose.KeySourceException;
import com.nimbusds.jwt.SignedJWT;
import java.text.ParseException;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.ReentrantLock;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.core.NestedExceptionUtils;
import org.springframework.security.oauth2.jwt.BadJwtException;
import org.springframework.security.oauth2.jwt.Jwt;
import org.springframework.security.oauth2.jwt.JwtDecoder;
import org.springframework.security.oauth2.jwt.JwtDecoderInitializationException;
import org.springframework.security.oauth2.jwt.JwtException;
import org.springframework.security.oauth2.jwt.JwtValidationException;

/** Somebody else whose tokens (JWTs) name accounts. Safe to use from any thread. */
final class Issuer {

    /** How long the issuer may take to let itself be reached, and again to answer. */
    static final Duration PATIENCE = Duration.ofSeconds(2);

    /** So many questions for keys that there are not are asked in that time. */
    private static final int MAX_IN_VAIN = 10;

    private static final Duration WHILE = Duration.ofSeconds(5);

    private static final Duration SILENCE = Duration.ofMinutes(1);

    private static final Logger log = LoggerFactory.getLogger(Issuer.class);

    private final JwtDecoder decoder;
    private final String accountClaim;
    private final ReentrantLock introduction = new ReentrantLock();

    /** The keys that have signed a token: a few, as the issuer has no more. */
    private final Set<String> known = ConcurrentHashMap.newKeySet();

    // guarded by introduction
    private Instant inVainSince = Instant.EPOCH;
    private int inVain;
    private final AtomicReference<Instant> silentUntil = new AtomicReference<>(Instant.MIN);

    /**
     * @param decoder asks the issuer where its keys are when it is first used
     * @param accountClaim the claim that names the account
     */
    Issuer(JwtDecoder decoder, String accountClaim) {
        this.decoder = decoder;
        this.accountClaim = accountClaim;
    }

    /**
     * The name of the account that a token stands for; empty if it is no valid token of this issuer.
     *
     * @throws IssuerUnavailable if that cannot be told at the moment
     */
    Optional<AccountName> accountOf(String token) {
        if (!isSigned(token)) {
            return Optional.empty();
        }
        try {
            var key = keyOf(token);
            var jwt = known.contains(key) ? decoder.decode(token) : decodeFirst(token, key);
            return Optional.ofNullable(jwt.getClaimAsString(accountClaim)).map(AccountName::new);
        } catch (JwtDecoderInitializationException e) {
            throw unavailable(e);
        } catch (JwtException e) {
            if (e.getCause() instanceof KeySourceException) {
                throw unavailable(e);
            }
            return Optional.empty();
        }
    }

    /** By what the decoder chooses the key of a token. */
    private static String keyOf(String token) {
        try {
            var header = SignedJWT.parse(token).getHeader();
            return header.getAlgorithm() + " " + header.getKeyID();
        } catch (ParseException e) {
            throw new BadJwtException("It is no signed token.", e);
        }
    }

    /** For others nobody needs to be asked. */
    private static boolean isSigned(String token) {
        try {
            SignedJWT.parse(token);
            return true;
        } catch (ParseException e) {
            return false;
        }
    }

    /**
     * The decoder lets those who use it first wait for each other; here they do so for a limited time. A key that is not known makes it
     * ask the issuer, and a token may name any key: after some that there were not nobody asks for a while.
     */
    private Jwt decodeFirst(String token, String key) {
        try {
            if (!introduction.tryLock(PATIENCE.toMillis(), TimeUnit.MILLISECONDS)) {
                throw unavailable(new TimeoutException("Others wait for it already."));
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw unavailable(e);
        }
        try {
            if (inVainSince.plus(WHILE).isBefore(Instant.now())) {
                inVain = 0;
            }
            if (!known.contains(key) && inVain >= MAX_IN_VAIN) {
                throw new IssuerUnavailable(new TimeoutException("Keys that there are not were asked for just now."));
            }
            var jwt = decoder.decode(token);
            known.add(key);
            return jwt;
        } catch (JwtValidationException e) {
            // signed well, and refused for what it says
            known.add(key);
            throw e;
        } catch (BadJwtException e) {
            inVainSince = inVain == 0 ? Instant.now() : inVainSince;
            inVain++;
            throw e;
        } finally {
            introduction.unlock();
        }
    }

    /** Told once a minute at most, since anybody may ask. */
    private IssuerUnavailable unavailable(Exception cause) {
        var now = Instant.now();
        var until = silentUntil.get();
        if (now.isAfter(until) && silentUntil.compareAndSet(until, now.plus(SILENCE))) {
            log.warn(
                    "The issuer of tokens does not answer, so that its tokens cannot be checked: {}",
                    NestedExceptionUtils.getMostSpecificCause(cause).getMessage());
        }
        return new IssuerUnavailable(cause);
    }
}
