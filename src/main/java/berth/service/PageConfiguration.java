package berth.service;

import berth.accounts.SignIn;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.autoconfigure.web.WebProperties;
import org.springframework.boot.context.properties.source.InvalidConfigurationPropertyValueException;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.annotation.Order;
import org.springframework.core.io.ClassPathResource;
import org.springframework.http.CacheControl;
import org.springframework.security.config.annotation.web.builders.HttpSecurity;
import org.springframework.security.config.annotation.web.configurers.AbstractHttpConfigurer;
import org.springframework.security.config.annotation.web.configurers.HeadersConfigurer;
import org.springframework.security.config.http.SessionCreationPolicy;
import org.springframework.security.web.SecurityFilterChain;
import org.springframework.security.web.header.writers.ReferrerPolicyHeaderWriter.ReferrerPolicy;
import org.springframework.web.servlet.config.annotation.ResourceHandlerRegistry;
import org.springframework.web.servlet.config.annotation.WebMvcConfigurer;

/**
 * Who may load the page, and what the page may do. Everybody may load it, because its data comes from calls that need a token. The page
 * loads only what this service serves, connects only to this service and to the token issuer, and cannot be framed by other pages. The
 * command-line client is open to everybody too.
 */
@Configuration(proxyBeanMethods = false)
class PageConfiguration {

    private static final String POLICY =
            "default-src 'none'; script-src 'self' 'sha256-%s'; style-src 'self'; img-src 'self' data: blob:;"
                    + " connect-src %s; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

    /** What stands between the tags of the page's only script without an address. */
    private static final Pattern SCRIPT = Pattern.compile("<script>(.*?)</script>", Pattern.DOTALL);

    /** Returns how people sign in through the token issuer; empty unless the issuer and the page's client id are set. */
    @Bean
    SignIn signIn(
            @Value("${spring.security.oauth2.resourceserver.jwt.issuer-uri:}") String issuer,
            @Value("${berth.oidc.client-id:}") String clientId,
            @Value("${berth.oidc.scope}") String scope) {
        if (!Arrays.asList(scope.split(" ")).contains("openid")) {
            throw new InvalidConfigurationPropertyValueException(
                    "berth.oidc.scope", scope, "It must contain openid, such as openid profile email.");
        }
        return new SignIn(
                issuer.isBlank() || clientId.isBlank()
                        ? Optional.empty()
                        : Optional.of(new SignIn.At(URI.create(issuer), clientId, scope)));
    }

    @Bean
    @Order(0)
    SecurityFilterChain page(
            HttpSecurity http, SignIn signIn, @Value("${berth.oidc.origins:}") List<String> otherOrigins) {
        var issuer = signIn.at().stream().flatMap(at -> Stream.concat(Stream.of(at.origin()), otherOrigins.stream()));
        var speaksWith = Stream.concat(Stream.of("'self'"), issuer).toList();
        return http.securityMatcher("/", "/index.html", "/page/**", "/client/berth.py")
                .authorizeHttpRequests(calls -> calls.anyRequest().permitAll())
                .headers(headers -> headers
                        // unchanged resources are not sent again, because each states when it changed
                        .cacheControl(HeadersConfigurer.CacheControlConfig::disable)
                        .contentSecurityPolicy(policy ->
                                policy.policyDirectives(POLICY.formatted(script(), String.join(" ", speaksWith))))
                        .referrerPolicy(policy -> policy.policy(ReferrerPolicy.NO_REFERRER)))
                .sessionManagement(sessions -> sessions.sessionCreationPolicy(SessionCreationPolicy.STATELESS))
                .csrf(AbstractHttpConfigurer::disable)
                .logout(AbstractHttpConfigurer::disable)
                .requestCache(AbstractHttpConfigurer::disable)
                .build();
    }

    @Bean
    WebMvcConfigurer modules(WebProperties properties) {
        var files = properties.getResources();
        return new WebMvcConfigurer() {
            @Override
            public void addResourceHandlers(ResourceHandlerRegistry registry) {
                registry.addResourceHandler("/page/*.js")
                        .addResourceLocations(Stream.of(files.getStaticLocations())
                                .map(each -> each + "page/")
                                .toArray(String[]::new))
                        .setCacheControl(CacheControl.noCache())
                        .resourceChain(false)
                        .addTransformer(new ModuleBundles());
            }
        };
    }

    /** Returns the hash by which the page may run its script. */
    private static String script() {
        try (var index = new ClassPathResource("static/index.html").getInputStream()) {
            var script = SCRIPT.matcher(new String(index.readAllBytes(), StandardCharsets.UTF_8));
            script.find();
            var hash =
                    MessageDigest.getInstance("SHA-256").digest(script.group(1).getBytes(StandardCharsets.UTF_8));
            return Base64.getEncoder().encodeToString(hash);
        } catch (IOException | NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }
}
