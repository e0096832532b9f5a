package berth.contract;

import berth.booking.web.NoRoom;
import berth.http.Problem;
import berth.http.ProblemCode;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.swagger.v3.oas.models.Components;
import io.swagger.v3.oas.models.OpenAPI;
import io.swagger.v3.oas.models.Operation;
import io.swagger.v3.oas.models.examples.Example;
import io.swagger.v3.oas.models.headers.Header;
import io.swagger.v3.oas.models.media.Content;
import io.swagger.v3.oas.models.media.IntegerSchema;
import io.swagger.v3.oas.models.media.JsonSchema;
import io.swagger.v3.oas.models.media.MediaType;
import io.swagger.v3.oas.models.media.StringSchema;
import io.swagger.v3.oas.models.responses.ApiResponse;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatus;
import tools.jackson.databind.json.JsonMapper;

/** The problem responses of the document: one per status, with an example of every code that the status can have. */
final class DocumentedProblems {

    private static final String PROBLEM = "Problem";

    private final Components components;

    DocumentedProblems(OpenAPI document) {
        components = document.getComponents();
        DocumentedSchemas.add(NoRoom.Document.class, components);
    }

    void add(Operation operation, Set<ProblemCode> codes) {
        var byStatus = codes.stream()
                .sorted()
                .collect(Collectors.groupingBy(ProblemCode::status, TreeMap::new, Collectors.toList()));
        byStatus.forEach((status, some) ->
                operation.getResponses().addApiResponse(Integer.toString(status.value()), response(status, some)));
    }

    /** Returns a reference to a shared response if the status has one code only, and a response of the operation's own otherwise. */
    private ApiResponse response(HttpStatus status, List<ProblemCode> codes) {
        var response = build(status, codes);
        if (codes.size() > 1) {
            return response;
        }
        var name = codes.getFirst().word();
        components.addResponses(name, response);
        return new ApiResponse().$ref(name);
    }

    /** Returns the problem as a client receives it, with its nulls, which the document's own mapper would leave out. */
    private static JsonNode asAnswered(Problem problem) {
        return new ObjectMapper().valueToTree(JsonMapper.shared().convertValue(problem.document(), Map.class));
    }

    private ApiResponse build(HttpStatus status, Collection<ProblemCode> codes) {
        var content = new MediaType().schema(new JsonSchema().$ref(PROBLEM));
        for (var code : codes) {
            components.addExamples(
                    code.word(), new Example().summary(code.title()).value(asAnswered(ProblemExamples.of(code))));
            content.addExamples(code.word(), new Example().$ref(code.word()));
        }
        var response = new ApiResponse()
                .description(codes.stream()
                        .map(code -> "`%s`: %s.".formatted(code.word(), code.title()))
                        .collect(Collectors.joining(" ")))
                .content(new Content().addMediaType("application/problem+json", content));
        switch (status) {
            case UNAUTHORIZED ->
                response.addHeaderObject(
                        HttpHeaders.WWW_AUTHENTICATE,
                        new Header().description("The scheme to use.").schema(new StringSchema()));
            case SERVICE_UNAVAILABLE ->
                response.addHeaderObject(
                        HttpHeaders.RETRY_AFTER,
                        new Header()
                                .description("Seconds to wait before trying again.")
                                .schema(new IntegerSchema()));
            default -> {}
        }
        return response;
    }
}
