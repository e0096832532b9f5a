package berth.rest;

import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import org.springframework.http.MediaType;
import org.springframework.stereotype.Component;
import tools.jackson.databind.json.JsonMapper;

/** Writes problem documents outside of controllers, such as in filters. */
@Component
class ProblemWriter {

    private final JsonMapper mapper;

    ProblemWriter(JsonMapper mapper) {
        this.mapper = mapper;
    }

    void write(Problem problem, HttpServletResponse response) throws IOException {
        write(problem.code().status().value(), problem.document(), response);
    }

    void write(Problem.Document document, HttpServletResponse response) throws IOException {
        write(document.status(), document, response);
    }

    private void write(int status, Object document, HttpServletResponse response) throws IOException {
        response.setStatus(status);
        response.setContentType(MediaType.APPLICATION_PROBLEM_JSON_VALUE);
        response.getOutputStream().write(mapper.writeValueAsBytes(document));
    }
}
