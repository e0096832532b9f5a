package berth.security;

import jakarta.servlet.DispatcherType;
import java.util.concurrent.atomic.AtomicBoolean;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.annotation.Order;
import org.springframework.http.HttpMethod;
import org.springframework.scheduling.annotation.Scheduled;
import org.springframework.security.config.annotation.web.builders.HttpSecurity;
import org.springframework.security.config.annotation.web.configurers.AbstractHttpConfigurer;
import org.springframework.security.config.http.SessionCreationPolicy;
import org.springframework.security.oauth2.server.resource.introspection.BadOpaqueTokenException;
import org.springframework.security.oauth2.server.resource.introspection.OpaqueTokenIntrospector;
import org.springframework.security.web.AuthenticationEntryPoint;
import org.springframework.security.web.SecurityFilterChain;
import org.springframework.security.web.access.AccessDeniedHandler;

/** Every call needs a token, but for the service's health; this table says which role opens which call. */
@Configuration(proxyBeanMethods = false)
class SecurityConfiguration {

    /** Asked by load balancers and health checks, with whatever they send along. */
    @Bean
    @Order(1)
    SecurityFilterChain health(HttpSecurity http) {
        return http.securityMatcher("/actuator/health/**")
                .authorizeHttpRequests(calls -> calls.anyRequest().permitAll())
                .sessionManagement(sessions -> sessions.sessionCreationPolicy(SessionCreationPolicy.STATELESS))
                .csrf(AbstractHttpConfigurer::disable)
                .build();
    }

    @Bean
    @Order(2)
    SecurityFilterChain calls(HttpSecurity http, AuthenticationEntryPoint unauthorized, AccessDeniedHandler forbidden) {
        var admin = Role.ADMIN.name();
        var client = Role.CLIENT.name();
        var viewer = Role.VIEWER.name();
        return http.authorizeHttpRequests(calls -> calls.dispatcherTypeMatchers(DispatcherType.ERROR)
                        .permitAll()
                        .requestMatchers("/actuator/**")
                        .hasRole(admin)
                        .requestMatchers("/api/v1/accounts/**")
                        .hasRole(admin)
                        .requestMatchers(HttpMethod.POST, "/api/v1/clusters/**")
                        .hasRole(admin)
                        .requestMatchers("/api/v1/clusters/*/schedule", "/api/v1/events")
                        .hasAnyRole(admin, viewer)
                        .requestMatchers("/api/v1/probes", "/api/v1/reservations/**")
                        .hasAnyRole(admin, client)
                        .anyRequest()
                        .authenticated())
                .oauth2ResourceServer(server -> server.opaqueToken(token -> {})
                        .authenticationEntryPoint(unauthorized)
                        .accessDeniedHandler(forbidden))
                .exceptionHandling(handling ->
                        handling.authenticationEntryPoint(unauthorized).accessDeniedHandler(forbidden))
                .sessionManagement(sessions -> sessions.sessionCreationPolicy(SessionCreationPolicy.STATELESS))
                // tokens are sent on purpose, never by a browser on its own
                .csrf(AbstractHttpConfigurer::disable)
                .build();
    }

    @Bean
    OpaqueTokenIntrospector introspector(Accounts accounts) {
        return token ->
                accounts.byToken(token).orElseThrow(() -> new BadOpaqueTokenException("The token is not known."));
    }

    @Bean
    Accounts accounts(AccountStore store) {
        return new Accounts(store);
    }

    @Bean
    Doubts doubts(Accounts accounts) {
        return new Doubts(accounts);
    }

    /** Sees to it that a change to an account whose outcome was not heard counts soon after the store answers again. */
    static final class Doubts {
        private static final Logger log = LoggerFactory.getLogger(Doubts.class);

        private final Accounts accounts;
        private final AtomicBoolean asking = new AtomicBoolean();

        Doubts(Accounts accounts) {
            this.accounts = accounts;
        }

        /** At a fixed rate it has a thread of its own: a store that does not answer holds up nothing else. */
        @Scheduled(fixedRateString = "PT2S")
        void settle() {
            if (!asking.compareAndSet(false, true)) {
                return;
            }
            try {
                accounts.settle();
            } catch (RuntimeException e) {
                log.debug("What became of a change to an account is not known yet.", e);
            } finally {
                asking.set(false);
            }
        }
    }

    @Bean
    AdminToken adminToken(Accounts accounts, SecretFiles files, @Value("${berth.admin-token:}") String given) {
        return new AdminToken(accounts, files, given);
    }
}
