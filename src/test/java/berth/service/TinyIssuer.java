package berth.service;

import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.JOSEObjectType;
import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.JWSHeader;
import com.nimbusds.jose.JWSSigner;
import com.nimbusds.jose.crypto.MACSigner;
import com.nimbusds.jose.crypto.RSASSASigner;
import com.nimbusds.jose.jwk.JWKSet;
import com.nimbusds.jose.jwk.RSAKey;
import com.nimbusds.jose.jwk.gen.RSAKeyGenerator;
import com.nimbusds.jwt.JWTClaimsSet;
import com.nimbusds.jwt.PlainJWT;
import com.nimbusds.jwt.SignedJWT;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.Date;
import java.util.UUID;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import org.springframework.web.util.UriComponentsBuilder;

/** An OIDC issuer that can be asked for its keys, and by a browser for tokens of one account, if it is in the mood. */
public final class TinyIssuer {

    public enum Mood {
        FINE,
        BROKEN,
        TALKS_NONSENSE,
        SILENT
    }

    private final HttpServer server;
    private final AtomicInteger questions = new AtomicInteger();
    private volatile RSAKey key = newKey("first");
    public volatile Mood mood = Mood.FINE;

    /** The scopes for which a browser asked last. */
    volatile String scope = "";

    /** The error with which it sends browsers back; empty to sign people in. */
    volatile String refusal = "";

    /** Who signs in by a browser, without being asked. */
    volatile String subject = "nobody";

    /** How long the page may use a token, as it is told. */
    volatile Duration validity = Duration.ofHours(1);

    public TinyIssuer() {
        try {
            server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
        server.createContext("/.well-known/openid-configuration", exchange -> answer(exchange, """
                {"issuer":"%1$s","jwks_uri":"%1$s/keys","authorization_endpoint":"%1$s/authorize","token_endpoint":"%1$s/token"}""".formatted(uri())));
        server.createContext("/authorize", this::sendBack);
        server.createContext("/token", exchange -> answer(exchange, tokens()));
        server.createContext("/keys", exchange -> answer(exchange, new JWKSet(key.toPublicJWK()).toString()));
        server.start();
    }

    private void sendBack(HttpExchange exchange) throws IOException {
        try (exchange) {
            var asked = UriComponentsBuilder.fromUri(exchange.getRequestURI())
                    .build()
                    .getQueryParams();
            scope = URLDecoder.decode(asked.getFirst("scope"), StandardCharsets.UTF_8);
            var answer = refusal.isEmpty() ? "code=" + UUID.randomUUID() : "error=" + refusal;
            var page = URLDecoder.decode(asked.getFirst("redirect_uri"), StandardCharsets.UTF_8);
            exchange.getResponseHeaders()
                    .add("Location", "%s?%s&state=%s".formatted(page, answer, asked.getFirst("state")));
            exchange.sendResponseHeaders(302, -1);
        }
    }

    private String tokens() {
        var claims = new JWTClaimsSet.Builder()
                .issuer(uri())
                .subject(subject)
                .audience("page")
                .jwtID(UUID.randomUUID().toString())
                .issueTime(new Date())
                .expirationTime(Date.from(Instant.now().plus(Duration.ofHours(1))));
        var token = token(claims);
        return """
                {"access_token":"%1$s","id_token":"%1$s","refresh_token":"%2$s","token_type":"Bearer","expires_in":%3$d}""".formatted(token, UUID.randomUUID(), validity.toSeconds());
    }

    private void answer(HttpExchange exchange, String json) throws IOException {
        questions.incrementAndGet();
        try (exchange) {
            switch (mood) {
                case FINE -> send(exchange, 200, json);
                case BROKEN -> send(exchange, 500, "{}");
                case TALKS_NONSENSE -> send(exchange, 200, "<html>");
                case SILENT -> pause();
            }
        }
    }

    private static void send(HttpExchange exchange, int status, String text) throws IOException {
        var bytes = text.getBytes(StandardCharsets.UTF_8);
        exchange.getResponseHeaders().add("Content-Type", "application/json");
        exchange.getResponseHeaders().add("Access-Control-Allow-Origin", "*");
        exchange.sendResponseHeaders(status, bytes.length);
        exchange.getResponseBody().write(bytes);
    }

    private static void pause() {
        try {
            Thread.sleep(10_000);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    public String uri() {
        return "http://localhost:" + server.getAddress().getPort();
    }

    /** How often it was asked for anything. */
    public int questions() {
        return questions.get();
    }

    /** Signs with another key from now on. */
    public void changeKey(String id) {
        key = newKey(id);
    }

    static RSAKey newKey(String id) {
        try {
            return new RSAKeyGenerator(2048).keyID(id).generate();
        } catch (JOSEException e) {
            throw new IllegalStateException(e);
        }
    }

    public String token(JWTClaimsSet.Builder claims) {
        return token(claims, JOSEObjectType.JWT);
    }

    public String token(JWTClaimsSet.Builder claims, JOSEObjectType type) {
        var header =
                new JWSHeader.Builder(JWSAlgorithm.RS256).keyID(key.getKeyID()).type(type);
        return signed(header.build(), claims, key);
    }

    /** Signed with a key of which the issuer knows nothing, under that name. */
    public String forged(JWTClaimsSet.Builder claims, String keyId) {
        var header = new JWSHeader.Builder(JWSAlgorithm.RS256).keyID(keyId);
        return signed(header.build(), claims, newKey(keyId));
    }

    /** As if the public key were a shared secret. */
    public String signedWithThePublicKey(JWTClaimsSet.Builder claims) {
        try {
            var header = new JWSHeader.Builder(JWSAlgorithm.HS256).keyID(key.getKeyID());
            return signed(
                    header.build(), claims, new MACSigner(key.toRSAPublicKey().getEncoded()));
        } catch (JOSEException e) {
            throw new IllegalStateException(e);
        }
    }

    public static String unsigned(JWTClaimsSet.Builder claims) {
        return new PlainJWT(claims.build()).serialize();
    }

    private static String signed(JWSHeader header, JWTClaimsSet.Builder claims, RSAKey key) {
        try {
            return signed(header, claims, new RSASSASigner(key));
        } catch (JOSEException e) {
            throw new IllegalStateException(e);
        }
    }

    private static String signed(JWSHeader header, JWTClaimsSet.Builder claims, JWSSigner signer) {
        try {
            var token = new SignedJWT(header, claims.build());
            token.sign(signer);
            return token.serialize();
        } catch (JOSEException e) {
            throw new IllegalStateException(e);
        }
    }
}
