package berth.rest;

import berth.desk.Desks;
import berth.security.UnlistedCalls;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.util.Arrays;
import org.springframework.http.HttpHeaders;
import org.springframework.web.bind.annotation.RequestHeader;
import org.springframework.web.method.HandlerMethod;
import org.springframework.web.servlet.HandlerInterceptor;

/**
 * What holds for every call of the contract: the role of whoever makes it opens it, the service has recovered, one that
 * was replaced changes nothing any more, and no precondition is passed over in silence.
 */
final class Preconditions implements HandlerInterceptor {

    static final Problem FORBIDDEN = new Problem(
            ProblemCode.FORBIDDEN, "The account's role does not allow this call; use another account's token.");

    private final Desks desks;

    Preconditions(Desks desks) {
        this.desks = desks;
    }

    @Override
    public boolean preHandle(HttpServletRequest request, HttpServletResponse response, Object handler) {
        if (handler instanceof HandlerMethod && UnlistedCalls.isClosed(request)) {
            throw FORBIDDEN;
        }
        if (!desks.isRecovered()) {
            throw new Problem(ProblemCode.UNAVAILABLE, "The service is starting; try again in a moment.");
        }
        if (!request.getMethod().equals("GET")) {
            desks.closed().ifPresent(why -> {
                throw new Problem(ProblemCode.UNAVAILABLE, why);
            });
        }
        var precondition = request.getHeader(HttpHeaders.IF_MATCH);
        if (precondition != null && !looksAtIfMatch(handler)) {
            throw Problem.notBuilt(HttpHeaders.IF_MATCH, Texts.shown(precondition), "leave it out");
        }
        return true;
    }

    private static boolean looksAtIfMatch(Object handler) {
        return handler instanceof HandlerMethod method
                && Arrays.stream(method.getMethodParameters())
                        .map(parameter -> parameter.getParameterAnnotation(RequestHeader.class))
                        .anyMatch(header -> header != null && header.name().equals(HttpHeaders.IF_MATCH));
    }
}
