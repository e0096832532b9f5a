package berth.rest;

import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import org.springframework.boot.jackson.autoconfigure.JsonMapperBuilderCustomizer;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.http.HttpHeaders;
import org.springframework.http.MediaType;
import org.springframework.security.web.AuthenticationEntryPoint;
import org.springframework.security.web.access.AccessDeniedHandler;
import tools.jackson.core.StreamReadFeature;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.MapperFeature;
import tools.jackson.databind.cfg.EnumFeature;
import tools.jackson.databind.json.JsonMapper;

/** How strictly JSON is read, and how calls without the right token are answered. */
@Configuration(proxyBeanMethods = false)
class RestConfiguration {

    /** A request says exactly what it means, or is refused: nothing is converted, ignored or made up. */
    @Bean
    JsonMapperBuilderCustomizer strictJson() {
        return builder -> builder.enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
                .enable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
                .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
                .enable(EnumFeature.FAIL_ON_NUMBERS_FOR_ENUMS)
                .disable(DeserializationFeature.ACCEPT_FLOAT_AS_INT)
                .disable(MapperFeature.ALLOW_COERCION_OF_SCALARS);
    }

    @Bean
    AuthenticationEntryPoint unauthorized(JsonMapper mapper) {
        var problem = new Problem(
                ProblemCode.UNAUTHORIZED, "Send a valid token in the header Authorization: Bearer <token>.");
        return (request, response, e) -> {
            response.setHeader(HttpHeaders.WWW_AUTHENTICATE, "Bearer");
            write(problem, response, mapper);
        };
    }

    @Bean
    AccessDeniedHandler forbidden(JsonMapper mapper) {
        var problem = new Problem(
                ProblemCode.FORBIDDEN, "The account's role does not allow this call; use another account's token.");
        return (request, response, e) -> write(problem, response, mapper);
    }

    private static void write(Problem problem, HttpServletResponse response, JsonMapper mapper) throws IOException {
        response.setStatus(problem.code().status().value());
        response.setContentType(MediaType.APPLICATION_PROBLEM_JSON_VALUE);
        response.getOutputStream().write(mapper.writeValueAsBytes(problem.document()));
    }
}
