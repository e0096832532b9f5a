package berth.security;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import berth.sla.AccountName;
import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.JWSHeader;
import com.nimbusds.jose.RemoteKeySourceException;
import com.nimbusds.jose.crypto.MACSigner;
import com.nimbusds.jwt.JWTClaimsSet;
import com.nimbusds.jwt.SignedJWT;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.springframework.security.oauth2.jwt.BadJwtException;
import org.springframework.security.oauth2.jwt.Jwt;
import org.springframework.security.oauth2.jwt.JwtDecoder;
import org.springframework.security.oauth2.jwt.JwtDecoderInitializationException;
import org.springframework.security.oauth2.jwt.JwtException;

class IssuerTest {

    private final AtomicInteger questions = new AtomicInteger();

    @Test
    void theOperatorSaysWhichClaimNamesTheAccount() throws Exception {
        JwtDecoder decoder = token -> Jwt.withTokenValue(token)
                .header("alg", "HS256")
                .subject("7f3c")
                .claim("preferred_username", "alice")
                .build();

        assertThat(new Issuer(decoder, "preferred_username").accountOf(signed()))
                .contains(new AccountName("alice"));
        assertThat(new Issuer(decoder, "sub").accountOf(signed())).contains(new AccountName("7f3c"));
        assertThat(new Issuer(decoder, "email").accountOf(signed())).isEmpty();
    }

    @Test
    void forWhatIsNoSignedTokenNobodyIsAsked() {
        var issuer = new Issuer(failing(new JwtException("unreachable")), "sub");

        for (var token : List.of("berth_guessed", "", "..", "a.b.c", "eyJhbGciOiJub25lIn0.e30.")) {
            assertThat(issuer.accountOf(token)).isEmpty();
        }
        assertThat(questions).hasValue(0);
    }

    @Test
    void aBadTokenAndAnIssuerThatIsAwayAreDifferentThings() throws Exception {
        var bad = new BadJwtException("expired");
        var odd = new JwtException("odd", new IllegalStateException());
        var keys = new JwtException("keys", new RemoteKeySourceException("keys", null));
        var discovery = new JwtDecoderInitializationException("discovery", new IllegalStateException());

        assertThat(new Issuer(failing(bad), "sub").accountOf(signed())).isEmpty();
        assertThat(new Issuer(failing(odd), "sub").accountOf(signed())).isEmpty();
        for (var away : List.of(keys, discovery)) {
            var issuer = new Issuer(failing(away), "sub");
            assertThatThrownBy(() -> issuer.accountOf(signed())).isInstanceOf(IssuerUnavailable.class);
            assertThatThrownBy(() -> issuer.accountOf(signed())).isInstanceOf(IssuerUnavailable.class);
        }
        assertThat(questions).hasValue(6);
    }

    /** Checks that tokens with unknown keys, which make the decoder fetch keys, do not make it do so without limit. */
    @Test
    void keysThatThereAreNotAreAskedForNowAndThen() throws Exception {
        var issuer = new Issuer(failing(new BadJwtException("no matching key")), "sub");

        for (int i = 0; i < 500; i++) {
            var token = signed();
            try {
                assertThat(issuer.accountOf(token)).isEmpty();
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
