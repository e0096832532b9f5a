package berth.security;

import java.net.URI;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.annotation.Order;
import org.springframework.security.config.annotation.web.builders.HttpSecurity;
import org.springframework.security.config.annotation.web.configurers.AbstractHttpConfigurer;
import org.springframework.security.config.annotation.web.configurers.HeadersConfigurer;
import org.springframework.security.config.http.SessionCreationPolicy;
import org.springframework.security.web.SecurityFilterChain;
import org.springframework.security.web.header.writers.ReferrerPolicyHeaderWriter.ReferrerPolicy;

/**
 * Who may have the page, and what it may do. It is open to everybody: all that it shows comes from calls that need a token. It
 * loads nothing but what this service serves, speaks with nobody but this service and the issuer of tokens, and is shown in no
 * other page. So is the client for the command line open.
 */
@Configuration(proxyBeanMethods = false)
class PageConfiguration {

    private static final String POLICY =
            "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:;"
                    + " connect-src %s; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

    /** How people sign in at the issuer of tokens; empty unless it is set who issues tokens, and as what the page is known there. */
    @Bean
    SignIn signIn(
            @Value("${spring.security.oauth2.resourceserver.jwt.issuer-uri:}") String issuer,
            @Value("${berth.oidc.client-id:}") String clientId) {
        return new SignIn(
                issuer.isBlank() || clientId.isBlank()
                        ? Optional.empty()
                        : Optional.of(new SignIn.At(URI.create(issuer), clientId)));
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
                        // what has not changed is not sent again: the resources tell when they changed
                        .cacheControl(HeadersConfigurer.CacheControlConfig::disable)
                        .contentSecurityPolicy(
                                policy -> policy.policyDirectives(POLICY.formatted(String.join(" ", speaksWith))))
                        .referrerPolicy(policy -> policy.policy(ReferrerPolicy.NO_REFERRER)))
                .sessionManagement(sessions -> sessions.sessionCreationPolicy(SessionCreationPolicy.STATELESS))
                .csrf(AbstractHttpConfigurer::disable)
                .logout(AbstractHttpConfigurer::disable)
                .requestCache(AbstractHttpConfigurer::disable)
                .build();
    }
}
