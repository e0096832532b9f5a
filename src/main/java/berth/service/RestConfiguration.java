package berth.service;

import berth.accounts.Accounts;
import berth.accounts.IssuerUnavailable;
import berth.accounts.SignInUnavailable;
import berth.booking.terms.TermsBody;
import berth.engine.Desks;
import berth.http.AccountShare;
import berth.http.BodyLimit;
import berth.http.BodyWriter;
import berth.http.CallLimit;
import berth.http.CallsUnderWay;
import berth.http.CallsUnderWay.Bounds;
import berth.http.CsvConverter;
import berth.http.GatedCalls;
import berth.http.HeadDeadline;
import berth.http.Problem;
import berth.http.ProblemCode;
import berth.http.ProblemHandler;
import berth.http.ProblemReport;
import berth.http.ProblemWriter;
import berth.http.RequestIds;
import berth.http.SlowClients;
import berth.http.UnhandledErrors;
import berth.http.WholeNumbers;
import berth.instances.Instance;
import berth.instances.Instances;
import berth.instances.web.ActiveAddress;
import berth.instances.web.Relay;
import berth.peers.WireTerms;
import berth.runtime.Gate;
import berth.runtime.SettingChecks;
import berth.runtime.Threads;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Predicate;
import org.apache.catalina.connector.Connector;
import org.apache.coyote.AbstractProtocol;
import org.apache.coyote.http11.AbstractHttp11Protocol;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.boot.http.converter.autoconfigure.ServerHttpMessageConvertersCustomizer;
import org.springframework.boot.jackson.autoconfigure.JsonFactoryBuilderCustomizer;
import org.springframework.boot.jackson.autoconfigure.JsonMapperBuilderCustomizer;
import org.springframework.boot.security.autoconfigure.web.servlet.SecurityFilterProperties;
import org.springframework.boot.tomcat.ConfigurableTomcatWebServerFactory;
import org.springframework.boot.tomcat.TomcatWebServer;
import org.springframework.boot.tomcat.TomcatWebServerFactory;
import org.springframework.boot.web.server.WebServerFactoryCustomizer;
import org.springframework.boot.web.server.context.WebServerApplicationContext;
import org.springframework.boot.web.servlet.FilterRegistrationBean;
import org.springframework.context.ApplicationListener;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.event.ContextClosedEvent;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;
import org.springframework.http.HttpHeaders;
import org.springframework.security.core.AuthenticationException;
import org.springframework.security.oauth2.core.OAuth2AuthenticationException;
import org.springframework.security.web.AuthenticationEntryPoint;
import org.springframework.security.web.access.AccessDeniedHandler;
import org.springframework.security.web.firewall.RequestRejectedHandler;
import org.springframework.web.filter.UrlHandlerFilter;
import org.springframework.web.servlet.config.annotation.InterceptorRegistry;
import org.springframework.web.servlet.config.annotation.ResourceHandlerRegistry;
import org.springframework.web.servlet.config.annotation.ViewControllerRegistry;
import org.springframework.web.servlet.config.annotation.WebMvcConfigurer;
import tools.jackson.core.StreamReadConstraints;
import tools.jackson.core.StreamReadFeature;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.MapperFeature;
import tools.jackson.databind.cfg.CoercionAction;
import tools.jackson.databind.cfg.CoercionInputShape;
import tools.jackson.databind.cfg.EnumFeature;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.type.LogicalType;

/** Configuration of the HTTP interface: strict JSON, filters around every call, and responses to callers without a valid token. */
@Configuration(proxyBeanMethods = false)
public class RestConfiguration {

    /** Enough tokens for a queue of 10,000 jobs with 6 fields each. */
    private static final long MAX_TOKENS = 200_000;

    private static final int MAX_DEPTH = 100;

    public static final Problem UNAUTHORIZED =
            new Problem(ProblemCode.UNAUTHORIZED, "Send a valid token in the header Authorization: Bearer <token>.");

    /** The challenge of RFC 6750 to a caller without a token. */
    static final String CHALLENGE = "Bearer";

    /**
     * Reads JSON strictly: an unknown field, a duplicate or a value of another type is an error, and nothing is converted or ignored. A whole
     * number may have zeros behind its point, as in JSON Schema.
     */
    @Bean
    public JsonMapperBuilderCustomizer strictJson() {
        return builder -> builder.enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
                .enable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
                .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
                .enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS)
                .enable(EnumFeature.FAIL_ON_NUMBERS_FOR_ENUMS)
                .disable(DeserializationFeature.ACCEPT_FLOAT_AS_INT)
                .disable(MapperFeature.ALLOW_COERCION_OF_SCALARS)
                .addModule(WholeNumbers.MODULE)
                .withCoercionConfig(
                        LogicalType.Textual,
                        text -> text.setCoercion(CoercionInputShape.Integer, CoercionAction.Fail)
                                .setCoercion(CoercionInputShape.Float, CoercionAction.Fail)
                                .setCoercion(CoercionInputShape.Boolean, CoercionAction.Fail));
    }

    /** Writes bodies as JSON, and some as comma-separated values, too. Comes after Spring Boot's own customizer. */
    @Bean
    @Order(1)
    ServerHttpMessageConvertersCustomizer bodyWriters(JsonMapper mapper) {
        return converters ->
                converters.withJsonConverter(new BodyWriter(mapper)).addCustomConverter(new CsvConverter());
    }

    /** Writes terms for other Berths in the form that clients use. */
    @Bean
    WireTerms wireTerms(JsonMapper mapper) {
        return terms -> mapper.valueToTree(TermsBody.of(terms));
    }

    @Bean
    AuthenticationEntryPoint unauthorized(GatedCalls gated, ProblemWriter problems) {
        var unknown = new Problem(
                ProblemCode.UNAVAILABLE,
                "The token cannot be checked, because its issuer does not respond. Try again later.");
        return (request, response, e) -> {
            if (e instanceof SignInUnavailable later) {
                response.setHeader(
                        HttpHeaders.RETRY_AFTER,
                        Long.toString(later.retryAfter().toSeconds()));
                problems.write(new Problem(ProblemCode.UNAVAILABLE, String.valueOf(later.getMessage())), response);
            } else if (e instanceof IssuerUnavailable) {
                response.setHeader(HttpHeaders.RETRY_AFTER, "1");
                problems.write(unknown, response);
            } else {
                try {
                    gated.turnAway(() -> {
                        if (e instanceof Sessions.FromElsewhere) {
                            problems.write(Sessions.ELSEWHERE, response);
                            return;
                        }
                        response.setHeader(HttpHeaders.WWW_AUTHENTICATE, challenge(e));
                        problems.write(UNAUTHORIZED, response);
                    });
                } catch (Gate.Overloaded busy) {
                    CallLimit.refuse(busy, response, problems);
                }
            }
        };
    }

    /** Returns the challenge of RFC 6750, which says why a token was refused if one was sent. */
    private static String challenge(AuthenticationException e) {
        if (!(e instanceof OAuth2AuthenticationException refused)) {
            return CHALLENGE;
        }
        var error = refused.getError();
        return error.getDescription() == null
                ? "Bearer error=\"%s\"".formatted(error.getErrorCode())
                : "Bearer error=\"%s\", error_description=\"%s\""
                        .formatted(error.getErrorCode(), error.getDescription().replaceAll("[\"\\\\]", "'"));
    }

    @Bean
    AccessDeniedHandler forbidden(ProblemWriter problems) {
        return (request, response, e) -> problems.write(Preconditions.FORBIDDEN, response);
    }

    /** Responds to requests with characters that are not allowed in a URL, a parameter or a header. */
    @Bean
    RequestRejectedHandler rejected(ProblemWriter problems) {
        return (request, response, e) -> problems.write(ProblemHandler.CHARACTERS, response);
    }

    /** Accepts the base path with a slash at its end. This filter comes before all filters that look at the path. */
    @Bean
    FilterRegistrationBean<UrlHandlerFilter> basePath() {
        var filter = new FilterRegistrationBean<>(
                UrlHandlerFilter.trailingSlashHandler("/api/v1/").wrapRequest().build());
        filter.setOrder(Ordered.HIGHEST_PRECEDENCE + 5);
        return filter;
    }

    @Bean
    FilterRegistrationBean<RequestIds> requestIds() {
        var filter = new FilterRegistrationBean<>(new RequestIds());
        filter.setOrder(Ordered.HIGHEST_PRECEDENCE);
        return filter;
    }

    /**
     * This filter lies inside the one that measures every request ({@code HIGHEST_PRECEDENCE + 1}), so that the measurements see its
     * responses.
     */
    @Bean
    FilterRegistrationBean<UnhandledErrors> lastResort(ProblemWriter problems) {
        var filter = new FilterRegistrationBean<>(new UnhandledErrors(problems));
        filter.setOrder(Ordered.HIGHEST_PRECEDENCE + 2);
        return filter;
    }

    @Bean
    FilterRegistrationBean<BodyLimit> bodyLimit(ProblemWriter problems) {
        var filter = new FilterRegistrationBean<>(new BodyLimit(problems));
        filter.setOrder(Ordered.HIGHEST_PRECEDENCE + 4);
        return filter;
    }

    @Bean
    @ConditionalOnProperty(name = "berth.instances.mode", havingValue = "MANY")
    ActiveAddress activeAddress(
            Instances instances, @Value("${berth.instances.lease}") Duration lease, MeterRegistry registry) {
        return new ActiveAddress(instances, lease, registry);
    }

    /** The bean's name is the name of the component in the health report. */
    @Bean
    HealthIndicator instancesHealthIndicator(Instances instances, ObjectProvider<ActiveAddress> address) {
        return () -> health(
                instances,
                active -> Optional.ofNullable(address.getIfAvailable())
                        .filter(it -> it.isReached(active))
                        .isPresent());
    }

    /** Returns the health of an instance as a part of several: DOWN at a standby that could not take over, or that can pass no calls on. */
    public static Health health(Instances instances, Predicate<Instance> isReached) {
        if (instances.obstacle().isPresent()) {
            return Health.down()
                    .withDetail("takeover", instances.obstacle().get())
                    .build();
        }
        return instances.turn() instanceof Instances.Turn.There(var active) && !isReached.test(active)
                ? Health.down()
                        .withDetail("active", ActiveAddress.advice(active))
                        .build()
                : Health.up().build();
    }

    /** Passes calls on before authentication, because the active instance authenticates the caller. */
    @Bean
    @ConditionalOnProperty(name = "berth.instances.mode", havingValue = "MANY")
    FilterRegistrationBean<Relay> relay(
            Instances instances,
            @Value("${berth.patience}") Duration patience,
            ActiveAddress address,
            CallsUnderWay calls,
            ProblemWriter problems,
            MeterRegistry registry) {
        var filter = new FilterRegistrationBean<>(new Relay(instances, patience, address, calls, problems, registry));
        filter.setOrder(Ordered.HIGHEST_PRECEDENCE + 6);
        return filter;
    }

    /** After the relay, because the active instance authenticates the caller. */
    @Bean
    FilterRegistrationBean<CallsWithoutToken> callsWithoutToken(ProblemWriter problems) {
        var filter = new FilterRegistrationBean<>(new CallsWithoutToken(problems));
        filter.setOrder(Ordered.HIGHEST_PRECEDENCE + 7);
        return filter;
    }

    @Bean
    CallsUnderWay callsUnderWay(
            @Value("${berth.calls.in-all}") int inAll,
            @Value("${berth.calls.per-account}") int perAccount,
            MeterRegistry registry) {
        SettingChecks.requirePositive("berth.calls.in-all", inAll);
        SettingChecks.requirePositive("berth.calls.per-account", perAccount);
        var calls = new CallsUnderWay(Bounds.of(Runtime.getRuntime().maxMemory(), inAll, perAccount));
        Gauge.builder("berth.calls", calls, CallsUnderWay::calls)
                .description("Calls in progress, except health checks.")
                .baseUnit("calls")
                .register(registry);
        Gauge.builder("berth.calls.held", calls, CallsUnderWay::bytes)
                .description("Bytes held by request and response bodies of calls in progress.")
                .baseUnit("bytes")
                .register(registry);
        return calls;
    }

    /**
     * Readings go through two gates, so that lists and single items need not wait for long reports. The waiting calls are bounded by the
     * calls in progress.
     */
    @Bean
    GatedCalls gatedCalls(
            Threads threads,
            ObjectProvider<Desks> desks,
            @Value("${berth.patience}") Duration patience,
            @Value("${berth.calls.per-account}") int perAccount,
            MeterRegistry registry) {
        var times = Timer.builder("berth.readings")
                .description("Time to read and render lists, reports and documents, without the wait for their turn.")
                .register(registry);
        var readings = new Gate("reading", Math.max(2, threads.processors()), 2, perAccount, threads, patience, times);
        var reports = new Gate("report", 2, 1, perAccount, threads, patience, times);
        Gauge.builder("berth.readings.waiting", () -> readings.waiting() + reports.waiting())
                .description(
                        "Readings that wait for their turn. Accounts take turns, the ones that have used less time first; after"
                                + " `berth.patience` Berth refuses with 429.")
                .baseUnit("readings")
                .register(registry);
        return new GatedCalls(readings, reports, () -> desks.getObject().searches());
    }

    @Bean
    FilterRegistrationBean<CallLimit> callLimit(CallsUnderWay calls, ProblemWriter problems) {
        var filter = new FilterRegistrationBean<>(new CallLimit(calls, problems));
        filter.setOrder(Ordered.HIGHEST_PRECEDENCE + 3);
        return filter;
    }

    /** The accounts are looked up late, because filters are created before the accounts can be read. */
    @Bean
    FilterRegistrationBean<AccountShare> accountShare(
            CallsUnderWay calls, GatedCalls gated, ObjectProvider<Accounts> accounts, ProblemWriter problems) {
        var filter = new FilterRegistrationBean<>(
                new AccountShare(calls, gated, hash -> accounts.getObject().byFeed(hash), problems));
        filter.setOrder(SecurityFilterProperties.DEFAULT_FILTER_ORDER + 1);
        return filter;
    }

    /** Adds a valve that runs inside Tomcat's error report valve. Tomcat's valve writes a report only if ours has written none. */
    @Bean
    WebServerFactoryCustomizer<ConfigurableTomcatWebServerFactory> refusalsOfTheWebServer(ProblemWriter problems) {
        return tomcat -> tomcat.addContextCustomizers(
                context -> context.getParent().getPipeline().addValve(new ProblemReport(problems)));
    }

    /** Bounds how long a slow client can hold a connection, and keeps the web server from reading request bodies itself. */
    @Bean
    WebServerFactoryCustomizer<TomcatWebServerFactory> boundsOfTheWebServer() {
        return tomcat -> {
            tomcat.setProtocol(HeadDeadline.class.getName());
            tomcat.addEngineValves(new SlowClients());
            tomcat.addConnectorCustomizers(
                    connector -> connector.setParseBodyMethods(""), RestConfiguration::boundConnections);
        };
    }

    private static void boundConnections(Connector connector) {
        if (connector.getProtocolHandler() instanceof AbstractProtocol<?> protocol) {
            protocol.setMaxConnections(OpenFiles.connections(protocol.getMaxConnections()));
        }
    }

    /**
     * Makes every response of an ending service close its connection. The service responds until its other parts have stopped, and then
     * closes what is left: a client whose connection stayed open would send its next request into the closing one, and get no response.
     */
    @Bean
    ApplicationListener<ContextClosedEvent> lastResponses() {
        return end -> {
            if (end.getApplicationContext() instanceof WebServerApplicationContext context
                    && context.getWebServer() instanceof TomcatWebServer server) {
                for (var connector : server.getTomcat().getService().findConnectors()) {
                    if (connector.getProtocolHandler() instanceof AbstractHttp11Protocol<?> http) {
                        http.setMaxKeepAliveRequests(1);
                    }
                }
            }
        };
    }

    /** Bounds the size of JSON that is read. The bounds are far above the needs of any legitimate request. */
    @Bean
    JsonFactoryBuilderCustomizer boundedJson() {
        return builder -> builder.streamReadConstraints(StreamReadConstraints.builder()
                .maxDocumentLength(BodyLimit.MAX_OF_A_LIST)
                .maxTokenCount(MAX_TOKENS)
                .maxNestingDepth(MAX_DEPTH)
                .build());
    }

    @Bean
    WebMvcConfigurer preconditions(Desks desks) {
        return new WebMvcConfigurer() {
            @Override
            public void addInterceptors(InterceptorRegistry registry) {
                registry.addInterceptor(new Preconditions(desks)).addPathPatterns("/api/**");
            }
        };
    }

    /** Shows the OpenAPI document in Swagger UI, which comes from its own jar but for one file. */
    @Bean
    WebMvcConfigurer swaggerUi(@Value("${info.swagger-ui}") String version) {
        return new WebMvcConfigurer() {
            @Override
            public void addViewControllers(ViewControllerRegistry registry) {
                registry.addRedirectViewController("/docs", "/swagger-ui/index.html");
            }

            @Override
            public void addResourceHandlers(ResourceHandlerRegistry registry) {
                registry.addResourceHandler("/swagger-ui/**")
                        .addResourceLocations(
                                "classpath:/swagger-ui/",
                                "classpath:/META-INF/resources/webjars/swagger-ui/%s/".formatted(version));
            }
        };
    }
}
