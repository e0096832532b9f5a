package berth.security;

import static org.springframework.http.HttpMethod.DELETE;
import static org.springframework.http.HttpMethod.GET;
import static org.springframework.http.HttpMethod.HEAD;
import static org.springframework.http.HttpMethod.PATCH;
import static org.springframework.http.HttpMethod.POST;
import static org.springframework.http.HttpMethod.PUT;
import static org.springframework.security.authorization.AuthorityAuthorizationManager.hasAnyRole;
import static org.springframework.security.authorization.AuthorityAuthorizationManager.hasRole;
import static org.springframework.security.authorization.AuthorizationManagers.anyOf;

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

/** Who calls, and which role opens which call. */
@Configuration(proxyBeanMethods = false)
class SecurityConfiguration {

    /** An agent, where {@code {cluster}} is its own. */
    private static final AuthorizationManager<RequestAuthorizationContext> AGENT_OF_THE_CLUSTER = (caller, call) -> {
        var cluster = new ClusterId(call.getVariables().getOrDefault("cluster", ""));
        var who = caller.get();
        return new AuthorizationDecision(
                who != null && who.getPrincipal() instanceof Account account && account.isAgentOf(cluster));
    };

    /**
     * Open to everybody, with whatever they send along: health checks that cost next to nothing, and the description of the calls.
     */
    @Bean
    @Order(1)
    SecurityFilterChain open(HttpSecurity http) {
        return opened(http.securityMatcher(
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
     * Calendar programs send no token: a feed is open to whoever knows its secret, the outages of a cluster to everybody where the operator
     * says so.
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

    /** Observations of its filters would cost each call more than the filters themselves, and tell nothing that the call does not. */
    @Bean
    static SecurityObservationSettings noObservations() {
        return SecurityObservationSettings.noObservations();
    }

    /** Everything else needs a token. */
    @Bean
    @Order(2)
    SecurityFilterChain calls(HttpSecurity http, AuthenticationEntryPoint unauthorized, AccessDeniedHandler forbidden) {
        return http.authorizeHttpRequests(SecurityConfiguration::roles)
                .oauth2ResourceServer(server -> server.opaqueToken(token -> {})
                        .authenticationEntryPoint(unauthorized)
                        .accessDeniedHandler(forbidden))
                .exceptionHandling(handling ->
                        handling.authenticationEntryPoint(unauthorized).accessDeniedHandler(forbidden))
                // each call brings its token: nothing is kept from one to the next, and nobody looks for a session
                .securityContext(
                        context -> context.securityContextRepository(new RequestAttributeSecurityContextRepository()))
                .sessionManagement(AbstractHttpConfigurer::disable)
                .anonymous(AbstractHttpConfigurer::disable)
                // tokens are sent on purpose, never by a browser on its own
                .csrf(AbstractHttpConfigurer::disable)
                .logout(AbstractHttpConfigurer::disable)
                .requestCache(AbstractHttpConfigurer::disable)
                .build();
    }

    /** The table of roles, for every call of the contract; the first row that fits counts. */
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
                .requestMatchers(reads("/api/v1/clusters", "/api/v1/clusters/*/utilisation"))
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
                .requestMatchers(reads("/api/v1/clusters/{cluster}/outages", "/api/v1/clusters/{cluster}/outages.ics"))
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

    /** A token is looked up among Berth's own first: those never wait for anybody. */
    @Bean
    OpaqueTokenIntrospector introspector(
            Accounts accounts,
            ObjectProvider<JwtDecoder> decoder,
            @Value("${berth.jwt.account-claim:sub}") String accountClaim) {
        var issuer = Optional.ofNullable(decoder.getIfAvailable()).map(known -> new Issuer(known, accountClaim));
        return token -> accounts.byToken(token)
                .or(() -> issuer.flatMap(other -> other.accountOf(token)).flatMap(accounts::find))
                .orElseThrow(() -> new BadOpaqueTokenException("The token is not known."));
    }

    @Bean
    JwkSetUriJwtDecoderBuilderCustomizer patienceWithTheIssuer() {
        var requests = new SimpleClientHttpRequestFactory();
        requests.setConnectTimeout(Issuer.PATIENCE);
        requests.setReadTimeout(Issuer.PATIENCE);
        return builder -> builder.restOperations(new RestTemplate(requests));
    }

    /** A token without an end could never be taken back. */
    @Bean
    JwtTimestampValidator tokensEnd(InstantSource clock) {
        var validator = new JwtTimestampValidator();
        validator.setAllowEmptyExpiryClaim(false);
        validator.setClock(clock.withZone(ZoneOffset.UTC));
        return validator;
    }

    /** Tokens without a type or of the general one, and access tokens as RFC 9068 has them. */
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

    /** Sees to it that a change to an account or a project whose outcome was not heard counts soon after the store answers again. */
    static final class Doubts {
        private static final Logger log = LoggerFactory.getLogger(Doubts.class);

        private final Accounts accounts;
        private final Projects projects;
        private final AtomicBoolean asking = new AtomicBoolean();

        Doubts(Accounts accounts, Projects projects) {
            this.accounts = accounts;
            this.projects = projects;
        }

        /** At a fixed rate it has a thread of its own: a store that does not answer holds up nothing else. */
        @Scheduled(fixedRateString = "PT2S")
        void settle() {
            if (!asking.compareAndSet(false, true)) {
                return;
            }
            try {
                accounts.settle();
                projects.settle();
            } catch (RuntimeException e) {
                log.debug("What became of a change to an account or a project is not known yet.", e);
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
