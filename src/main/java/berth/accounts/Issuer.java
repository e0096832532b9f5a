package berth.accounts;

import berth.outcome.Outcome;
import berth.sla.AccountName;
import com.nimbusds.jose.KeySourceException;
import com.nimbusds.jose.proc.BadJOSEException;
import com.nimbusds.jwt.SignedJWT;
import java.text.ParseException;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.ReentrantLock;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.core.NestedExceptionUtils;
import org.springframework.security.oauth2.core.OAuth2Error;
import org.springframework.security.oauth2.jwt.BadJwtException;
import org.springframework.security.oauth2.jwt.Jwt;
import org.springframework.security.oauth2.jwt.JwtDecoder;
import org.springframework.security.oauth2.jwt.JwtDecoderInitializationException;
import org.springframework.security.oauth2.jwt.JwtException;
import org.springframework.security.oauth2.jwt.JwtValidationException;

/** An external issuer whose tokens (JWTs) name accounts. Thread-safe. */
public final class Issuer {

    /** The timeout for connecting to the issuer, and again for its answer. */
    public static final Duration PATIENCE = Duration.ofSeconds(2);

    /** The most failed searches for unknown keys within {@code WHILE}. */
    private static final int MAX_IN_VAIN = 10;

    private static final Duration WHILE = Duration.ofSeconds(5);

    private static final Duration SILENCE = Duration.ofMinutes(1);

    private static final Logger log = LoggerFactory.getLogger(Issuer.class);

    private final JwtDecoder decoder;
    private final IssuerSettings settings;
    private final ReentrantLock introduction = new ReentrantLock();

    /** The keys that have signed a token. They are few, because the issuer has few keys. */
    private final Set<String> known = ConcurrentHashMap.newKeySet();

    // guarded by introduction
    private Instant inVainSince = Instant.EPOCH;
    private int inVain;
    /** When each kind of refusal was logged last. */
    private final Map<String, Instant> refusedAt = new ConcurrentHashMap<>();

    private final AtomicReference<Instant> silentUntil = new AtomicReference<>(Instant.MIN);

    /**
     * Creates an issuer.
     *
     * @param decoder decodes tokens; it asks the issuer for its keys on first use
     * @param settings the claims that describe a person
     */
    public Issuer(JwtDecoder decoder, IssuerSettings settings) {
        this.decoder = decoder;
        this.settings = settings;
    }

    /**
     * Checks a token. The reason why a signed token is refused is logged at most once a minute.
     *
     * @return the person that the token describes, or why it is not a valid token of this issuer, without any part of the token
     * @throws IssuerUnavailable if that cannot be determined now: the issuer does not answer, or has been asked for too many unknown keys
     */
    public Outcome<Person, String> check(String token) {
        if (!isSigned(token)) {
            return new Outcome.NotDone<>("The token is neither one of Berth nor a signed JWT.");
        }
        try {
            var key = keyOf(token);
            var jwt = known.contains(key) ? decoder.decode(token) : decodeFirst(token, key);
            var account = jwt.getClaimAsString(settings.accountClaim());
            return account == null
                    ? refused("The token has no claim %s, which names the account.".formatted(settings.accountClaim()))
                    : new Outcome.Done<>(person(new AccountName(account), jwt));
        } catch (JwtDecoderInitializationException e) {
            throw unavailable(e);
        } catch (JwtException e) {
            if (e.getCause() instanceof KeySourceException) {
                throw unavailable(e);
            }
            if (e instanceof JwtValidationException invalid) {
                return refused("The token is not valid: %s.".formatted(flaws(invalid)));
            }
            return refused(
                    e.getCause() instanceof BadJOSEException
                            ? "The signature of the token is not valid, or the issuer does not have its key."
                            : "The claims of the token are malformed or contradict each other.");
        }
    }

    /** Returns the person; the decoder gives each token without a time of issue one that depends on its expiry. */
    private Person person(AccountName account, Jwt jwt) {
        return new Person(
                account,
                Person.name(jwt.getClaims().get(settings.nameClaim())),
                Person.email(jwt.getClaims()),
                Person.groups(jwt.getClaims(), settings.groupsClaim()),
                Objects.requireNonNullElse(jwt.getIssuedAt(), Instant.EPOCH));
    }

    /** Returns the descriptions of what is wrong with the claims of a token, such as "The aud claim is not valid". */
    private static String flaws(JwtValidationException e) {
        return e.getErrors().stream()
                .map(OAuth2Error::getDescription)
                .distinct()
                .collect(Collectors.joining("; "));
    }

    private Outcome<Person, String> refused(String why) {
        // times differ from token to token
        logRefusal(why.replaceAll("\\d", ""), why);
        return new Outcome.NotDone<>(why);
    }

    /** Logs each kind of refusal at most once a minute, because any caller can cause it. */
    private void logRefusal(String kind, String why) {
        var now = Instant.now();
        var logged = refusedAt.compute(
                kind, (_, before) -> before == null || before.plus(SILENCE).isBefore(now) ? now : before);
        if (logged.equals(now)) {
            log.warn("Berth refused a JWT. {}", why);
        }
    }

    /** Logs that a valid token is refused, because its person gets no account. */
    public void logWithoutAccount(Person person, String why) {
        logRefusal(
                why,
                "%s The name is %s; its claim is %s.".formatted(why, shown(person.account()), settings.accountClaim()));
    }

    /** Returns a name as it may be in a line of the log. */
    private static String shown(AccountName account) {
        return account.isWellFormed() ? account.value() : "not well-formed";
    }

    /** Returns the id by which the decoder chooses the key of a token. */
    private static String keyOf(String token) {
        try {
            var header = SignedJWT.parse(token).getHeader();
            return header.getAlgorithm() + " " + header.getKeyID();
        } catch (ParseException e) {
            throw new BadJwtException("The token is not a signed token.", e);
        }
    }

    /** Whether the token is signed; an unsigned token is rejected without asking the issuer. */
    private static boolean isSigned(String token) {
        try {
            SignedJWT.parse(token);
            return true;
        } catch (ParseException e) {
            return false;
        }
    }

    /**
     * Decodes a token with a key that has not been seen before. The decoder makes the first users of a key wait for each other, so this
     * method limits the wait. An unknown key makes the decoder ask the issuer, and any caller can invent keys; after some failures this
     * method stops asking for a while.
     */
    private Jwt decodeFirst(String token, String key) {
        try {
            if (!introduction.tryLock(PATIENCE.toMillis(), TimeUnit.MILLISECONDS)) {
                throw unavailable(new TimeoutException("Other requests wait for the issuer already."));
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
                throw new IssuerUnavailable(
                        new TimeoutException("Too many unknown keys were requested from the issuer a moment ago."));
            }
            var jwt = decoder.decode(token);
            known.add(key);
            return jwt;
        } catch (JwtValidationException e) {
            // the signature is valid; the content was rejected
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

    /** Logs at most once a minute, because any caller can cause this. */
    private IssuerUnavailable unavailable(Exception cause) {
        var now = Instant.now();
        var until = silentUntil.get();
        if (now.isAfter(until) && silentUntil.compareAndSet(until, now.plus(SILENCE))) {
            log.warn(
                    "The issuer of tokens does not answer, so Berth cannot check its tokens: {}",
                    NestedExceptionUtils.getMostSpecificCause(cause).getMessage());
        }
        return new IssuerUnavailable(cause);
    }
}
