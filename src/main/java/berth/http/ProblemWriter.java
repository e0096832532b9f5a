package berth.http;

import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import org.springframework.http.MediaType;
import org.springframework.stereotype.Component;
import tools.jackson.databind.json.JsonMapper;

/** Writes problem documents outside of controllers, such as in filters. */
@Component
public class ProblemWriter {

    private final JsonMapper mapper;

    public ProblemWriter(JsonMapper mapper) {
        this.mapper = mapper;
    }

    public void write(Problem problem, HttpServletResponse response) throws IOException {
        write(problem.code().status().value(), problem.document(), response);
    }

    public void write(Problem.Document document, HttpServletResponse response) throws IOException {
        write(document.status(), document, response);
    }

    private void write(int status, Object document, HttpServletResponse response) throws IOException {
        response.setStatus(status);
        response.setContentType(MediaType.APPLICATION_PROBLEM_JSON_VALUE);
        response.getOutputStream().write(mapper.writeValueAsBytes(document));
    }
}
