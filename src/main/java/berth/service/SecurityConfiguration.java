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
import berth.accounts.AccountStore;
import berth.accounts.Accounts;
import berth.accounts.AdminToken;
import berth.accounts.Issuer;
import berth.accounts.Role;
import berth.accounts.SecretFiles;
import berth.projects.ProjectStore;
import berth.projects.Projects;
import berth.reservation.ClusterId;
import jakarta.servlet.DispatcherType;
import java.time.InstantSource;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.security.oauth2.server.resource.autoconfigure.JwkSetUriJwtDecoderBuilderCustomizer;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.annotation.Order;
import org.springframework.http.client.SimpleClientHttpRequestFactory;
import org.springframework.scheduling.annotation.Scheduled;
import org.springframework.security.authorization.AuthorizationDecision;
import org.springframework.security.authorization.AuthorizationManager;
import org.springframework.security.config.annotation.web.builders.HttpSecurity;
import org.springframework.security.config.annotation.web.configurers.AbstractHttpConfigurer;
import org.springframework.security.config.annotation.web.configurers.AuthorizeHttpRequestsConfigurer;
import org.springframework.security.config.http.SessionCreationPolicy;
import org.springframework.security.config.observation.SecurityObservationSettings;
import org.springframework.security.oauth2.jwt.JwtDecoder;
import org.springframework.security.oauth2.jwt.JwtTimestampValidator;
import org.springframework.security.oauth2.jwt.JwtTypeValidator;
import org.springframework.security.oauth2.server.resource.introspection.BadOpaqueTokenException;
import org.springframework.security.oauth2.server.resource.introspection.OpaqueTokenIntrospector;
import org.springframework.security.web.AuthenticationEntryPoint;
import org.springframework.security.web.SecurityFilterChain;
import org.springframework.security.web.access.AccessDeniedHandler;
import org.springframework.security.web.access.intercept.RequestAuthorizationContext;
import org.springframework.security.web.context.RequestAttributeSecurityContextRepository;
import org.springframework.security.web.servlet.util.matcher.PathPatternRequestMatcher;
import org.springframework.security.web.util.matcher.OrRequestMatcher;
import org.springframework.security.web.util.matcher.RequestMatcher;
import org.springframework.web.client.RestTemplate;

/** Authentication, and the roles that may make each call. */
@Configuration(proxyBeanMethods = false)
class SecurityConfiguration {

    /** The page to try the calls styles itself with inline styles, runs only scripts of this service, and connects only to it. */
    private static final String POLICY =
            "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:;"
                    + " connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

    /** Admits an agent if {@code {cluster}} is its own cluster. */
    private static final AuthorizationManager<RequestAuthorizationContext> AGENT_OF_THE_CLUSTER = (caller, call) -> {
        var cluster = new ClusterId(call.getVariables().getOrDefault("cluster", ""));
        var who = caller.get();
        return new AuthorizationDecision(
                who != null && who.getPrincipal() instanceof Account account && account.isAgentOf(cluster));
    };

    /** Calls without authentication: cheap health checks and the description of the API. Tokens sent along are ignored. */
    @Bean
    @Order(1)
    SecurityFilterChain open(HttpSecurity http) {
        return opened(http.headers(headers -> headers.contentSecurityPolicy(policy -> policy.policyDirectives(POLICY)))
                .securityMatcher(
                        "/actuator/health",
                        "/actuator/health/liveness",
                        "/actuator/health/readiness",
                        "/api/v1",
                        "/openapi/**",
                        "/openapi.yaml",
                        "/docs/**",
                        "/swagger-ui/**",
                        "/webjars/**"));
    }

    /**
     * Calendar programs send no token. A feed is open to everybody who knows its secret; the outages of a cluster are open to everybody if
     * the operator allows it.
     */
    @Bean
    @Order(1)
    SecurityFilterChain calendars(
            HttpSecurity http, @Value("${berth.outages.public:}") Set<ClusterId> withPublicOutages) {
        var feeds = PathPatternRequestMatcher.pathPattern("/api/v1/feeds/*");
        RequestMatcher outages = request -> {
            var found = OUTAGES.matcher(request);
            return found.isMatch()
                    && withPublicOutages.contains(
                            new ClusterId(found.getVariables().getOrDefault("cluster", "")));
        };
        return opened(http.securityMatcher(new OrRequestMatcher(feeds, outages)));
    }

    private static final RequestMatcher OUTAGES =
            PathPatternRequestMatcher.pathPattern(GET, "/api/v1/clusters/{cluster}/outages.ics");

    private static SecurityFilterChain opened(HttpSecurity http) {
        return http.authorizeHttpRequests(calls -> calls.anyRequest().permitAll())
                .sessionManagement(sessions -> sessions.sessionCreationPolicy(SessionCreationPolicy.STATELESS))
                .csrf(AbstractHttpConfigurer::disable)
                .logout(AbstractHttpConfigurer::disable)
                .requestCache(AbstractHttpConfigurer::disable)
                .build();
    }

    /**
     * Switches off observations of the security filters, which would cost each call more than the filters and show nothing more than the
     * call itself.
     */
    @Bean
    static SecurityObservationSettings noObservations() {
        return SecurityObservationSettings.noObservations();
    }

    /** All other calls need a token. */
    @Bean
    @Order(2)
    SecurityFilterChain calls(HttpSecurity http, AuthenticationEntryPoint unauthorized, AccessDeniedHandler forbidden) {
        return http.authorizeHttpRequests(SecurityConfiguration::roles)
                .oauth2ResourceServer(server -> server.opaqueToken(token -> {})
                        .authenticationEntryPoint(unauthorized)
                        .accessDeniedHandler(forbidden))
                .exceptionHandling(handling ->
                        handling.authenticationEntryPoint(unauthorized).accessDeniedHandler(forbidden))
                // each call carries its token, so there is no session to look up
                .securityContext(
                        context -> context.securityContextRepository(new RequestAttributeSecurityContextRepository()))
                .sessionManagement(AbstractHttpConfigurer::disable)
                .anonymous(AbstractHttpConfigurer::disable)
                // clients send tokens deliberately; a browser never sends one by itself
                .csrf(AbstractHttpConfigurer::disable)
                .logout(AbstractHttpConfigurer::disable)
                .requestCache(AbstractHttpConfigurer::disable)
                .build();
    }

    /** Assigns roles to every call of the API. The first matching row counts. */
    private static void roles(
            AuthorizeHttpRequestsConfigurer<HttpSecurity>.AuthorizationManagerRequestMatcherRegistry calls) {
        var admin = Role.ADMIN.name();
        var client = Role.CLIENT.name();
        var viewer = Role.VIEWER.name();
        var agent = Role.AGENT.name();
        calls.dispatcherTypeMatchers(DispatcherType.ERROR)
                .permitAll()
                .requestMatchers(reads("/api/v1/me", "/api/v1/events", "/api/v1/events/stream"))
                .hasAnyRole(admin, client, viewer, agent)
                .requestMatchers(reads("/api/v1/clusters/{cluster}", "/api/v1/clusters/{cluster}/schedule"))
                .access(anyOf(hasAnyRole(admin, client, viewer), AGENT_OF_THE_CLUSTER))
                .requestMatchers(
                        reads("/api/v1/clusters", "/api/v1/clusters/*/prices", "/api/v1/clusters/*/utilisation"))
                .hasAnyRole(admin, client, viewer)
                .requestMatchers(reads(
                        "/api/v1/clusters/*/statistics",
                        "/api/v1/utilisation",
                        "/api/v1/schedule",
                        "/actuator/prometheus",
                        "/health"))
                .hasAnyRole(admin, viewer)
                .requestMatchers(POST, "/api/v1/probes/map")
                .hasAnyRole(admin, client, viewer)
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
                        "/api/v1/clusters/{cluster}/enforcement")
                .access(anyOf(hasRole(admin), AGENT_OF_THE_CLUSTER))
                .requestMatchers(reads("/api/v1/clusters/{cluster}/enforcement"))
                .access(anyOf(hasAnyRole(admin, viewer), AGENT_OF_THE_CLUSTER))
                .requestMatchers(reads(
                        "/api/v1/clusters/{cluster}/outages",
                        "/api/v1/clusters/{cluster}/outages/*",
                        "/api/v1/clusters/{cluster}/outages.ics"))
                .access(anyOf(hasRole(admin), AGENT_OF_THE_CLUSTER))
                .requestMatchers("/api/v1/accounts/*/feeds", "/api/v1/accounts/*/feeds/*")
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

    /** Looks a token up among Berth's own tokens first, because that never waits for an issuer. */
    @Bean
    OpaqueTokenIntrospector introspector(
            Accounts accounts,
            ObjectProvider<JwtDecoder> decoder,
            @Value("${berth.jwt.account-claim:sub}") String accountClaim) {
        var issuer = Optional.ofNullable(decoder.getIfAvailable()).map(known -> new Issuer(known, accountClaim));
        return token -> accounts.byToken(token)
                .orElseGet(() -> issuer.map(other -> named(token, other, accounts))
                        .orElseThrow(() -> new BadOpaqueTokenException("Berth does not know this token.")));
    }

    /** Returns the account that a token of an issuer names. */
    private static Account named(String token, Issuer issuer, Accounts accounts) {
        return switch (issuer.check(token)) {
            case Issuer.Checked.Names(var name) ->
                accounts.find(name)
                        .orElseThrow(() ->
                                new BadOpaqueTokenException(issuer.unknown(name).why()));
            case Issuer.Checked.Refused(var why) -> throw new BadOpaqueTokenException(why);
        };
    }

    @Bean
    JwkSetUriJwtDecoderBuilderCustomizer patienceWithTheIssuer() {
        var requests = new SimpleClientHttpRequestFactory();
        requests.setConnectTimeout(Issuer.PATIENCE);
        requests.setReadTimeout(Issuer.PATIENCE);
        return builder -> builder.restOperations(new RestTemplate(requests));
    }

    /** Rejects tokens without an expiry, which could never be revoked. */
    @Bean
    JwtTimestampValidator tokensEnd(InstantSource clock) {
        var validator = new JwtTimestampValidator();
        validator.setAllowEmptyExpiryClaim(false);
        validator.setClock(clock.withZone(ZoneOffset.UTC));
        return validator;
    }

    /** Accepts tokens without a type, of the general type, or of the access token type of RFC 9068. */
    @Bean
    JwtTypeValidator tokensType() {
        var validator = new JwtTypeValidator(List.of("JWT", "at+jwt", "application/at+jwt"));
        validator.setAllowEmpty(true);
        return validator;
    }

    @Bean
    Accounts accounts(AccountStore store) {
        return new Accounts(store);
    }

    @Bean
    Projects projects(ProjectStore store, Accounts accounts) {
        return new Projects(store, accounts);
    }

    @Bean
    Doubts doubts(Accounts accounts, Projects projects) {
        return new Doubts(accounts, projects);
    }

    /**
     * Periodically resolves changes to accounts and projects whose result is unknown, so that they take effect soon after the store answers
     * again.
     */
    static final class Doubts {
        private static final Logger log = LoggerFactory.getLogger(Doubts.class);

        private final Accounts accounts;
        private final Projects projects;
        private final AtomicBoolean asking = new AtomicBoolean();

        Doubts(Accounts accounts, Projects projects) {
            this.accounts = accounts;
            this.projects = projects;
        }

        /** A fixed-rate task has its own thread, so a store that does not answer delays nothing else. */
        @Scheduled(fixedRateString = "PT2S")
        void resolve() {
            if (!asking.compareAndSet(false, true)) {
                return;
            }
            try {
                accounts.resolve();
                projects.resolve();
            } catch (RuntimeException e) {
                log.debug("The outcome of a change to an account or a project is not known yet; Berth asks again.", e);
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
