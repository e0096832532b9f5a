package berth.http;

import jakarta.servlet.RequestDispatcher;
import jakarta.servlet.http.HttpServletRequest;
import java.util.Arrays;
import org.springframework.boot.webmvc.error.ErrorController;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RestController;

/** The response to requests that the servlet container rejects, such as a URL that its firewall does not allow. */
@RestController
class ErrorPage implements ErrorController {

    @RequestMapping("/error")
    ResponseEntity<Object> refused(HttpServletRequest request) {
        int status = request.getAttribute(RequestDispatcher.ERROR_STATUS_CODE) instanceof Integer code ? code : 404;
        var known = Arrays.stream(ProblemCode.values())
                .filter(code -> code.status().value() == status)
                .findFirst()
                .orElse(status < 500 ? ProblemCode.MALFORMED : ProblemCode.INTERNAL);
        return ProblemHandler.answer(
                new Problem(
                        known,
                        "The service does not accept this request. Compare its URL, method and headers with the API documentation."));
    }
}
