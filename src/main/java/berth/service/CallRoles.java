package berth.service;

import static org.springframework.http.HttpMethod.DELETE;
import static org.springframework.http.HttpMethod.GET;
import static org.springframework.http.HttpMethod.HEAD;
import static org.springframework.http.HttpMethod.PATCH;
import static org.springframework.http.HttpMethod.POST;
import static org.springframework.http.HttpMethod.PUT;
import static org.springframework.security.authorization.AuthorityAuthorizationManager.hasAnyRole;
import static org.springframework.security.authorization.AuthorityAuthorizationManager.hasRole;
import static org.springframework.security.authorization.AuthorizationManagers.anyOf;

import berth.accounts.Account;
import berth.accounts.Role;
import berth.reservation.ClusterId;
import jakarta.servlet.DispatcherType;
import java.util.stream.Stream;
import org.springframework.security.authorization.AuthorizationDecision;
import org.springframework.security.authorization.AuthorizationManager;
import org.springframework.security.config.annotation.web.builders.HttpSecurity;
import org.springframework.security.config.annotation.web.configurers.AuthorizeHttpRequestsConfigurer;
import org.springframework.security.web.access.intercept.RequestAuthorizationContext;
import org.springframework.security.web.servlet.util.matcher.PathPatternRequestMatcher;
import org.springframework.security.web.util.matcher.RequestMatcher;

/** The table of the roles that may make each call. */
final class CallRoles {

    /** Admits an agent if {@code {cluster}} is its own cluster. */
    private static final AuthorizationManager<RequestAuthorizationContext> AGENT_OF_THE_CLUSTER = (caller, call) -> {
        var cluster = new ClusterId(call.getVariables().getOrDefault("cluster", ""));
        var who = caller.get();
        return new AuthorizationDecision(
                who != null && who.getPrincipal() instanceof Account account && account.isAgentOf(cluster));
    };

    private CallRoles() {}

    /** Assigns roles to every call of the API. The first matching row counts. */
    static void assign(AuthorizeHttpRequestsConfigurer<HttpSecurity>.AuthorizationManagerRequestMatcherRegistry calls) {
        var admin = Role.ADMIN.name();
        var client = Role.CLIENT.name();
        var viewer = Role.VIEWER.name();
        var agent = Role.AGENT.name();
        var screen = Role.SCREEN.name();
        calls.dispatcherTypeMatchers(DispatcherType.ERROR)
                .permitAll()
                .requestMatchers(reads("/api/v1/me", "/api/v1/events/stream"))
                .hasAnyRole(admin, client, viewer, agent, screen)
                .requestMatchers(reads("/api/v1/events"))
                .hasAnyRole(admin, client, viewer, agent)
                .requestMatchers(reads("/api/v1/clusters/{cluster}", "/api/v1/clusters/{cluster}/signal"))
                .access(anyOf(hasAnyRole(admin, client, viewer), AGENT_OF_THE_CLUSTER))
                .requestMatchers(reads("/api/v1/clusters/{cluster}/schedule"))
                .access(anyOf(hasAnyRole(admin, client, viewer, screen), AGENT_OF_THE_CLUSTER))
                .requestMatchers(reads("/api/v1/clusters", "/api/v1/clusters/*/utilisation"))
                .hasAnyRole(admin, client, viewer, screen)
                .requestMatchers(reads("/api/v1/clusters/*/prices", "/api/v1/refusals", "/api/v1/reports/*"))
                .hasAnyRole(admin, client, viewer)
                .requestMatchers(reads(
                        "/api/v1/clusters/*/statistics",
                        "/api/v1/refusals/summary",
                        "/api/v1/utilisation",
                        "/api/v1/schedule",
                        "/actuator/prometheus",
                        "/health"))
                .hasAnyRole(admin, viewer)
                .requestMatchers("/api/v1/session")
                .hasAnyRole(admin, client, viewer)
                .requestMatchers(POST, "/api/v1/probes/map")
                .hasAnyRole(admin, client, viewer, screen)
                .requestMatchers(POST, "/api/v1/reservations/*/claim")
                .hasAnyRole(admin, client, agent)
                .requestMatchers(reads("/api/v1/reservations/*"))
                .hasAnyRole(admin, client, agent)
                .requestMatchers(
                        "/api/v1/probes",
                        "/api/v1/reservations/**",
                        "/api/v1/coallocations/**",
                        "/api/v1/webhooks/**",
                        "/api/v1/series/**")
                .hasAnyRole(admin, client)
                .requestMatchers(reads("/api/v1/clusters/*/jobs", "/api/v1/clusters/*/jobs/*"))
                .hasAnyRole(admin, client)
                .requestMatchers(
                        POST,
                        "/api/v1/clusters/*/jobs",
                        "/api/v1/clusters/*/jobs/*/complete",
                        "/api/v1/clusters/*/jobs/*/cancel")
                .hasAnyRole(admin, client)
                .requestMatchers(POST, "/api/v1/clusters", "/api/v1/clusters/*/room")
                .hasRole(admin)
                .requestMatchers(PATCH, "/api/v1/clusters/*")
                .hasRole(admin)
                .requestMatchers(DELETE, "/api/v1/clusters/*")
                .hasRole(admin)
                .requestMatchers(
                        PUT,
                        "/api/v1/clusters/{cluster}/jobs",
                        "/api/v1/clusters/{cluster}/outages/*",
                        "/api/v1/clusters/{cluster}/enforcement",
                        "/api/v1/clusters/{cluster}/signal")
                .access(anyOf(hasRole(admin), AGENT_OF_THE_CLUSTER))
                .requestMatchers(DELETE, "/api/v1/clusters/{cluster}/signal")
                .access(anyOf(hasRole(admin), AGENT_OF_THE_CLUSTER))
                .requestMatchers(reads("/api/v1/clusters/{cluster}/enforcement"))
                .access(anyOf(hasAnyRole(admin, viewer), AGENT_OF_THE_CLUSTER))
                .requestMatchers(reads(
                        "/api/v1/clusters/{cluster}/outages",
                        "/api/v1/clusters/{cluster}/outages/*",
                        "/api/v1/clusters/{cluster}/outages.ics"))
                .access(anyOf(hasRole(admin), AGENT_OF_THE_CLUSTER))
                .requestMatchers(
                        "/api/v1/accounts/*/feeds",
                        "/api/v1/accounts/*/feeds/*",
                        "/api/v1/accounts/*/mail",
                        "/api/v1/accounts/*/mail/*")
                .hasAnyRole(admin, client)
                .requestMatchers(POST, "/api/v1/projects")
                .hasRole(admin)
                .requestMatchers(POST, "/api/v1/projects/*/grants")
                .hasRole(admin)
                .requestMatchers(DELETE, "/api/v1/projects/*/grants/*")
                .hasRole(admin)
                .requestMatchers("/api/v1/projects/**")
                .hasAnyRole(admin, client)
                .requestMatchers(PATCH, "/api/v1/accounts/*")
                .hasAnyRole(admin, client)
                .requestMatchers(reads("/api/v1/clusters/*/maintenances"))
                .hasAnyRole(admin, client, viewer)
                .requestMatchers(
                        "/api/v1/clusters/*/outages/**",
                        "/api/v1/clusters/*/maintenances/**",
                        "/api/v1/accounts/**",
                        "/api/v1/backups",
                        "/api/v1/instances",
                        "/actuator/**")
                .hasRole(admin)
                .anyRequest()
                .access(new UnlistedCalls());
    }

    private static RequestMatcher[] reads(String... paths) {
        return Stream.of(paths)
                .flatMap(
                        path -> Stream.of(GET, HEAD).map(method -> PathPatternRequestMatcher.pathPattern(method, path)))
                .toArray(RequestMatcher[]::new);
    }
}
