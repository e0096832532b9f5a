package berth.rest;

import java.io.IOException;
import java.util.List;
import org.apache.catalina.connector.Request;
import org.apache.catalina.connector.Response;
import org.apache.catalina.valves.ErrorReportValve;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Answers with a problem document what the web server refuses by itself, before any of our code is asked: what is not
 * HTTP, and paths that it does not take apart.
 */
final class ProblemReport extends ErrorReportValve {

    private static final Logger log = LoggerFactory.getLogger(ProblemReport.class);

    private final ProblemWriter problems;

    ProblemReport(ProblemWriter problems) {
        this.problems = problems;
    }

    @Override
    protected void report(Request request, Response response, @Nullable Throwable failure) {
        int status = response.getStatus();
        if (status < 400 || response.isCommitted() || !response.setErrorReported()) {
            return;
        }
        var code = status == 500 ? ProblemCode.INTERNAL : ProblemCode.MALFORMED;
        var document = new Problem.Document(
                code.title(),
                status,
                code,
                "The service does not take such a request; compare its first line, URL and headers with the documents.",
                List.of(),
                null,
                null,
                null,
                null);
        response.setHeader(RequestIds.HEADER, RequestIds.id(request.getHeader(RequestIds.HEADER)));
        try {
            problems.write(document, response);
            response.finishResponse();
        } catch (IOException e) {
            log.debug("A client has gone without waiting for its answer.", e);
        }
    }
}
