package berth.accounts;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import berth.outcome.Outcome;
import berth.sla.AccountName;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.JWSHeader;
import com.nimbusds.jose.RemoteKeySourceException;
import com.nimbusds.jose.crypto.MACSigner;
import com.nimbusds.jwt.JWTClaimsSet;
import com.nimbusds.jwt.SignedJWT;
import java.util.ArrayDeque;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;
import org.springframework.security.oauth2.core.OAuth2Error;
import org.springframework.security.oauth2.jwt.BadJwtException;
import org.springframework.security.oauth2.jwt.Jwt;
import org.springframework.security.oauth2.jwt.JwtDecoder;
import org.springframework.security.oauth2.jwt.JwtDecoderInitializationException;
import org.springframework.security.oauth2.jwt.JwtException;
import org.springframework.security.oauth2.jwt.JwtValidationException;

class IssuerTest {

    private static final IssuerSettings SUB = namedBy("sub");

    private final AtomicInteger questions = new AtomicInteger();

    @Test
    void theOperatorSaysWhichClaimNamesTheAccount() throws Exception {
        JwtDecoder decoder = token -> Jwt.withTokenValue(token)
                .header("alg", "HS256")
                .subject("7f3c")
                .claim("preferred_username", "alice")
                .build();

        assertThat(named(decoder, "preferred_username")).isEqualTo(new Outcome.Done<>(new AccountName("alice")));
        assertThat(named(decoder, "sub")).isEqualTo(new Outcome.Done<>(new AccountName("7f3c")));
        assertThat(named(decoder, "email"))
                .isEqualTo(new Outcome.NotDone<>("The token has no claim email, which names the account."));
    }

    private static IssuerSettings namedBy(String claim) {
        return new IssuerSettings(
                claim,
                "groups",
                "name",
                List.of(),
                List.of(),
                new IssuerSettings.FirstSignIn("", List.of(), 60, 10_000));
    }

    private static Outcome<AccountName, String> named(JwtDecoder decoder, String claim) throws Exception {
        return new Issuer(decoder, namedBy(claim)).check(signed()).map(Person::account);
    }

    @Test
    void anUnsignedTokenIsRejectedWithoutAskingTheIssuer() {
        var issuer = new Issuer(failing(new JwtException("unreachable")), SUB);

        for (var token : List.of("berth_guessed", "", "..", "a.b.c", "eyJhbGciOiJub25lIn0.e30.")) {
            assertThat(issuer.check(token)).isInstanceOf(Outcome.NotDone.class);
        }
        assertThat(questions).hasValue(0);
    }

    @Test
    void aBadTokenAndAnUnavailableIssuerHaveDifferentResults() throws Exception {
        var bad = new BadJwtException("expired");
        var odd = new JwtException("odd", new IllegalStateException());
        var keys = new JwtException("keys", new RemoteKeySourceException("keys", null));
        var discovery = new JwtDecoderInitializationException("discovery", new IllegalStateException());

        assertThat(new Issuer(failing(bad), SUB).check(signed())).isInstanceOf(Outcome.NotDone.class);
        assertThat(new Issuer(failing(odd), SUB).check(signed())).isInstanceOf(Outcome.NotDone.class);
        for (var away : List.of(keys, discovery)) {
            var issuer = new Issuer(failing(away), SUB);
            assertThatThrownBy(() -> issuer.check(signed())).isInstanceOf(IssuerUnavailable.class);
            assertThatThrownBy(() -> issuer.check(signed())).isInstanceOf(IssuerUnavailable.class);
        }
        assertThat(questions).hasValue(6);
    }

    @Test
    void theReasonOfARefusalIsLoggedOnceAMinuteWithoutTheToken() throws Exception {
        var expired = new JwtValidationException(
                "no", List.of(new OAuth2Error("invalid_token", "Jwt expired at 2026-11-27T09:00:00Z", null)));
        var audience = new JwtValidationException(
                "no", List.of(new OAuth2Error("invalid_token", "The aud claim is not valid", null)));
        var lines = new ListAppender<ILoggingEvent>();
        var logger = (Logger) LoggerFactory.getLogger(Issuer.class);
        lines.start();
        logger.addAppender(lines);
        try {
            var failures = new ArrayDeque<>(List.of(expired, audience, expired, audience));
            var issuer = new Issuer(
                    _ -> {
                        throw failures.remove();
                    },
                    SUB);
            var token = signed();

            assertThat(issuer.check(token))
                    .isEqualTo(new Outcome.NotDone<>("The token is not valid: Jwt expired at 2026-11-27T09:00:00Z."));
            assertThat(issuer.check(token))
                    .isEqualTo(new Outcome.NotDone<>("The token is not valid: The aud claim is not valid."));
            issuer.check(token);
            issuer.check(token);

            assertThat(lines.list)
                    .extracting(ILoggingEvent::getFormattedMessage)
                    .hasSize(2)
                    .allSatisfy(line -> assertThat(line).doesNotContain(token))
                    .first()
                    .asString()
                    .contains("expired at");
        } finally {
            logger.detachAppender(lines);
        }
    }

    /** Checks that tokens with unknown keys, which make the decoder fetch keys, do not make it do so without limit. */
    @Test
    void fetchesOfUnknownKeysAreLimited() throws Exception {
        var issuer = new Issuer(failing(new BadJwtException("no matching key")), SUB);

        for (int i = 0; i < 500; i++) {
            var token = signed();
            try {
                assertThat(issuer.check(token)).isInstanceOf(Outcome.NotDone.class);
            } catch (IssuerUnavailable e) {
                // the limit of fetches is reached
            }
        }

        assertThat(questions).hasValueLessThan(100);
    }

    private JwtDecoder failing(RuntimeException failure) {
        return token -> {
            questions.incrementAndGet();
            throw failure;
        };
    }

    private static String signed() throws Exception {
        var token = new SignedJWT(new JWSHeader(JWSAlgorithm.HS256), new JWTClaimsSet.Builder().build());
        token.sign(new MACSigner(new byte[32]));
        return token.serialize();
    }
}
