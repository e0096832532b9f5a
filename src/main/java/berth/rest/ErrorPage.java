package berth.rest;

import jakarta.servlet.RequestDispatcher;
import jakarta.servlet.http.HttpServletRequest;
import java.util.Arrays;
import org.springframework.boot.webmvc.error.ErrorController;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RestController;

/** What the container itself refuses, such as a URL that the firewall does not let through. */
@RestController
class ErrorPage implements ErrorController {

    @RequestMapping("/error")
    ResponseEntity<Problem.Document> refused(HttpServletRequest request) {
        int status = request.getAttribute(RequestDispatcher.ERROR_STATUS_CODE) instanceof Integer code ? code : 404;
        var known = Arrays.stream(ProblemCode.values())
                .filter(code -> code.status().value() == status)
                .findFirst()
                .orElse(status < 500 ? ProblemCode.MALFORMED : ProblemCode.INTERNAL);
        return ProblemHandler.answer(new Problem(
                known,
                "The service does not take such a request; compare its URL, method and headers with the documents."));
    }
}
