package berth.contract;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.dataformat.yaml.YAMLFactory;
import com.fasterxml.jackson.dataformat.yaml.YAMLGenerator;
import com.fasterxml.jackson.dataformat.yaml.util.StringQuotingChecker;
import io.swagger.v3.core.converter.ModelConverter;
import io.swagger.v3.core.jackson.ModelResolver;
import io.swagger.v3.core.util.ObjectMapperFactory;
import io.swagger.v3.oas.models.Components;
import io.swagger.v3.oas.models.OpenAPI;
import io.swagger.v3.oas.models.info.Contact;
import io.swagger.v3.oas.models.info.Info;
import io.swagger.v3.oas.models.info.License;
import io.swagger.v3.oas.models.media.ObjectSchema;
import io.swagger.v3.oas.models.security.SecurityRequirement;
import io.swagger.v3.oas.models.security.SecurityScheme;
import io.swagger.v3.oas.models.servers.Server;
import jakarta.servlet.DispatcherType;
import jakarta.servlet.http.HttpServletRequestWrapper;
import java.util.regex.Pattern;
import org.springdoc.core.customizers.OpenApiCustomizer;
import org.springdoc.core.properties.SpringDocConfigProperties;
import org.springdoc.core.providers.ObjectMapperProvider;
import org.springdoc.core.utils.SpringDocUtils;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Lazy;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;
import org.springframework.security.web.access.AuthorizationManagerWebInvocationPrivilegeEvaluator.HttpServletRequestTransformer;
import org.springframework.security.web.access.PathPatternRequestTransformer;
import org.springframework.security.web.access.WebInvocationPrivilegeEvaluator;
import org.springframework.web.servlet.mvc.method.annotation.RequestMappingHandlerMapping;
import tools.jackson.databind.JsonNode;

/** The beans that make the OpenAPI document: springdoc reads the controllers, and Berth's rules complete its result. */
@Configuration(proxyBeanMethods = false)
class OpenApiConfiguration {

    private static final String DESCRIPTION = """
            Berth reserves compute in advance: say what you need, see the slots that would fit, and reserve one.

            Instants are RFC 3339 with an offset, and Berth returns them in UTC. Durations are ISO 8601 in days, hours, \
            minutes and seconds. Amounts of money are strings. Berth rejects unknown fields. Every error response is a \
            problem document: its `code` is for programs, and its `detail` says what to do. Every response has the id of \
            its request in the header `X-Request-Id`. A read includes every change that Berth acknowledged before it.""";

    private static final String BEARER = "bearer";
    private static final String SESSION = "session";
    private static final String PAGE = "page";
    private static final Pattern DATE = Pattern.compile("\\d{4}-\\d");

    @Bean
    OpenAPI contract(@Value("${spring.application.version}") String version) {
        return new OpenAPI()
                .info(new Info()
                        .title("Berth")
                        .description(DESCRIPTION)
                        .version(version.replace("-SNAPSHOT", ""))
                        .contact(new Contact().name("The Berth authors"))
                        .license(new License().name("Apache License 2.0").identifier("Apache-2.0")))
                .addServersItem(new Server().url("/").description("The service that returned this document."))
                .components(new Components()
                        .addSecuritySchemes(
                                BEARER,
                                new SecurityScheme()
                                        .type(SecurityScheme.Type.HTTP)
                                        .scheme("bearer")
                                        .description(
                                                "The token of an account, which Berth shows once, when the account is created."
                                                        + " The administrator's token is in the file `admin.token` in the data"
                                                        + " directory."))
                        .addSecuritySchemes(
                                SESSION,
                                new SecurityScheme()
                                        .type(SecurityScheme.Type.APIKEY)
                                        .in(SecurityScheme.In.COOKIE)
                                        .name("berth-session")
                                        .description(
                                                "The session of the page, which `POST /session` begins. Ignored if the call has a header"
                                                        + " `Authorization`."))
                        .addSecuritySchemes(
                                PAGE,
                                new SecurityScheme()
                                        .type(SecurityScheme.Type.APIKEY)
                                        .in(SecurityScheme.In.HEADER)
                                        .name("Berth-Page")
                                        .description(
                                                "`true`. Every call with the cookie of a session needs this header, because pages of other"
                                                        + " sites cannot send it.")))
                .addSecurityItem(new SecurityRequirement().addList(BEARER))
                .addSecurityItem(new SecurityRequirement().addList(SESSION).addList(PAGE));
    }

    /** Returns the converter that names the schemas. Springdoc asks converters in reverse order, so this one is registered first. */
    @Bean
    @Order(Ordered.HIGHEST_PRECEDENCE)
    ModelConverter modelResolver(ObjectMapperProvider mappers) {
        ModelResolver.enumsAsRef = true;
        SpringDocUtils.getConfig().replaceWithSchema(JsonNode.class, new ObjectSchema());
        return new SchemaNames.Resolver(mappers.jsonMapper());
    }

    /** Returns the mappers of the document. The YAML has no wrapped lines, and it quotes texts that a YAML reader could take for times. */
    @Bean
    ObjectMapperProvider documentMappers(SpringDocConfigProperties properties) {
        var yaml = ObjectMapperFactory.createYaml31(YAMLFactory.builder()
                .disable(YAMLGenerator.Feature.WRITE_DOC_START_MARKER)
                .disable(YAMLGenerator.Feature.SPLIT_LINES)
                .enable(YAMLGenerator.Feature.MINIMIZE_QUOTES)
                .enable(YAMLGenerator.Feature.ALWAYS_QUOTE_NUMBERS_AS_STRINGS)
                .stringQuotingChecker(new StringQuotingChecker.Default() {
                    @Override
                    public boolean needToQuoteValue(String value) {
                        return DATE.matcher(value).lookingAt() || super.needToQuoteValue(value);
                    }
                })
                .build());
        return new ObjectMapperProvider(properties) {
            @Override
            public ObjectMapper yamlMapper() {
                return yaml;
            }
        };
    }

    /**
     * Returns a transformer for requests that the document makes up to check access rules. It gives such a request a dispatcher type, so
     * that Spring Security treats it as a client's request.
     */
    @Bean
    HttpServletRequestTransformer askedByAClient() {
        var paths = new PathPatternRequestTransformer();
        return question -> new HttpServletRequestWrapper(paths.transform(question)) {
            @Override
            public DispatcherType getDispatcherType() {
                return DispatcherType.REQUEST;
            }
        };
    }

    @Bean
    OpenApiCustomizer rules(
            @Lazy @Qualifier("requestMappingHandlerMapping") RequestMappingHandlerMapping handlers,
            @Lazy WebInvocationPrivilegeEvaluator access) {
        return document -> {
            var schemas = new DocumentedSchemas(document);
            new DocumentedOperations(handlers, access, schemas).complete(document);
            schemas.complete(document);
        };
    }
}
