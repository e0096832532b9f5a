package berth.http;

import java.io.IOException;
import java.util.List;
import org.apache.catalina.connector.Request;
import org.apache.catalina.connector.Response;
import org.apache.catalina.valves.ErrorReportValve;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Returns a problem document for requests that the web server rejects before they reach Berth's own code, such as bytes that are not HTTP
 * or a path that cannot be parsed.
 */
public final class ProblemReport extends ErrorReportValve {

    private static final Logger log = LoggerFactory.getLogger(ProblemReport.class);

    private final ProblemWriter problems;

    public ProblemReport(ProblemWriter problems) {
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
                "The service cannot read this request. Check its request line, URL and headers.",
                List.of());
        response.setHeader(RequestIds.HEADER, RequestIds.id(request.getHeader(RequestIds.HEADER)));
        try {
            problems.write(document, response);
            response.finishResponse();
        } catch (IOException e) {
            log.debug("A client closed the connection before it received the response.", e);
        }
    }
}
