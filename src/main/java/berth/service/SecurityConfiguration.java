package berth.service;

import static org.springframework.http.HttpMethod.GET;

import berth.accounts.AccountStore;
import berth.accounts.Accounts;
import berth.accounts.AdminToken;
import berth.accounts.FirstSignIns;
import berth.accounts.Issuer;
import berth.accounts.IssuerSettings;
import berth.accounts.SecretFiles;
import berth.database.Seal;
import berth.mail.Mailboxes;
import berth.projects.ProjectStore;
import berth.projects.Projects;
import berth.reservation.ClusterId;
import berth.runtime.Timekeeper;
import io.micrometer.core.instrument.MeterRegistry;
import jakarta.servlet.Filter;
import java.time.InstantSource;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.security.oauth2.server.resource.autoconfigure.JwkSetUriJwtDecoderBuilderCustomizer;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.annotation.Order;
import org.springframework.http.client.SimpleClientHttpRequestFactory;
import org.springframework.scheduling.annotation.Scheduled;
import org.springframework.security.config.annotation.web.builders.HttpSecurity;
import org.springframework.security.config.annotation.web.configurers.AbstractHttpConfigurer;
import org.springframework.security.config.http.SessionCreationPolicy;
import org.springframework.security.config.observation.SecurityObservationSettings;
import org.springframework.security.oauth2.jwt.JwtDecoder;
import org.springframework.security.oauth2.jwt.JwtTimestampValidator;
import org.springframework.security.oauth2.jwt.JwtTypeValidator;
import org.springframework.security.oauth2.server.resource.introspection.BadOpaqueTokenException;
import org.springframework.security.oauth2.server.resource.introspection.OpaqueTokenIntrospector;
import org.springframework.security.oauth2.server.resource.web.OAuth2ProtectedResourceMetadataFilter;
import org.springframework.security.web.AuthenticationEntryPoint;
import org.springframework.security.web.SecurityFilterChain;
import org.springframework.security.web.access.AccessDeniedHandler;
import org.springframework.security.web.context.RequestAttributeSecurityContextRepository;
import org.springframework.security.web.context.request.async.WebAsyncManagerIntegrationFilter;
import org.springframework.security.web.servlet.util.matcher.PathPatternRequestMatcher;
import org.springframework.security.web.session.DisableEncodeUrlFilter;
import org.springframework.security.web.util.matcher.OrRequestMatcher;
import org.springframework.security.web.util.matcher.RequestMatcher;
import org.springframework.web.client.RestTemplate;

/** Authentication, and the rules that are the same for every call. */
@Configuration(proxyBeanMethods = false)
@EnableConfigurationProperties(IssuerSettings.class)
class SecurityConfiguration {

    /** The page to try the calls styles itself with inline styles, runs only scripts of this service, and connects only to it. */
    private static final String POLICY =
            "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:;"
                    + " connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

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
                        "/swagger-ui/**"));
    }

    /**
     * Calendar programs and mail programs send no token. A feed, and a link in a mail, are open to everybody who knows its secret; the
     * outages of a cluster are open to everybody if the operator allows it.
     */
    @Bean
    @Order(1)
    SecurityFilterChain secrets(
            HttpSecurity http, @Value("${berth.outages.public:}") Set<ClusterId> withPublicOutages) {
        var feeds = PathPatternRequestMatcher.pathPattern("/api/v1/feeds/*");
        var mail = PathPatternRequestMatcher.pathPattern("/api/v1/mail/**");
        RequestMatcher outages = request -> {
            var found = OUTAGES.matcher(request);
            return found.isMatch()
                    && withPublicOutages.contains(
                            new ClusterId(found.getVariables().getOrDefault("cluster", "")));
        };
        return opened(http.securityMatcher(new OrRequestMatcher(feeds, mail, outages)));
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

    /** Filters that Spring Security adds and no call needs: there are no sessions of a servlet, and nothing to say about Berth as a resource of an issuer. */
    private static final Set<Class<? extends Filter>> NOT_NEEDED = Set.of(
            DisableEncodeUrlFilter.class,
            WebAsyncManagerIntegrationFilter.class,
            OAuth2ProtectedResourceMetadataFilter.class);

    /** All other calls need a token, or the cookie of a session. */
    @Bean
    @Order(2)
    SecurityFilterChain calls(
            HttpSecurity http,
            Sessions sessions,
            AuthenticationEntryPoint unauthorized,
            AccessDeniedHandler forbidden) {
        var chain = http.authorizeHttpRequests(CallRoles::assign)
                .oauth2ResourceServer(server -> server.opaqueToken(token -> {})
                        .bearerTokenResolver(sessions)
                        .authenticationEntryPoint(unauthorized)
                        .accessDeniedHandler(forbidden))
                .exceptionHandling(handling ->
                        handling.authenticationEntryPoint(unauthorized).accessDeniedHandler(forbidden))
                // each call carries its token, so there is no context to look up
                .securityContext(
                        context -> context.securityContextRepository(new RequestAttributeSecurityContextRepository()))
                .sessionManagement(AbstractHttpConfigurer::disable)
                .anonymous(AbstractHttpConfigurer::disable)
                // clients send tokens deliberately, and a cookie counts only with a header that other sites cannot send
                .csrf(AbstractHttpConfigurer::disable)
                .logout(AbstractHttpConfigurer::disable)
                .requestCache(AbstractHttpConfigurer::disable)
                .build();
        chain.getFilters().removeIf(filter -> NOT_NEEDED.contains(filter.getClass()));
        return chain;
    }

    @Bean
    Sessions sessions(Seal seal, InstantSource clock) {
        return new Sessions(seal, realTime(clock));
    }

    /** Returns the time by which people and issuers see something end, which a fast demo leaves as it is. */
    private static InstantSource realTime(InstantSource clock) {
        return clock instanceof Timekeeper timekeeper ? timekeeper.realTime() : clock;
    }

    @Bean
    FirstSignIns firstSignIns(Accounts accounts, IssuerSettings settings, InstantSource clock, MeterRegistry registry) {
        return new FirstSignIns(accounts, settings.firstSignIn(), clock, registry);
    }

    /** Looks a token up among Berth's own tokens first, because that never waits for an issuer. */
    @Bean
    OpaqueTokenIntrospector introspector(
            Accounts accounts,
            Projects projects,
            ObjectProvider<JwtDecoder> decoder,
            IssuerSettings settings,
            FirstSignIns firstSignIns,
            Mailboxes mailboxes) {
        var people = Optional.ofNullable(decoder.getIfAvailable())
                .map(known ->
                        new People(new Issuer(known, settings), firstSignIns, settings, accounts, projects, mailboxes));
        return token -> accounts.byToken(token)
                .orElseGet(() -> people.map(known -> known.account(token))
                        .orElseThrow(() -> new BadOpaqueTokenException("Berth does not know this token.")));
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
        validator.setClock(realTime(clock).withZone(ZoneOffset.UTC));
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
