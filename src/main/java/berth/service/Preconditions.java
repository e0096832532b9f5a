package berth.service;

import berth.booking.web.IdempotencyKeys;
import berth.engine.Desks;
import berth.http.ICalendar;
import berth.http.Problem;
import berth.http.Problem.FieldError;
import berth.http.ProblemCode;
import berth.http.Texts;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.springframework.http.HttpHeaders;
import org.springframework.http.MediaType;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestHeader;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.method.HandlerMethod;
import org.springframework.web.servlet.HandlerInterceptor;

/**
 * Checks the conditions of every call: the account's role may use it, the service has recovered and has not been replaced by another
 * instance, and the call supports every parameter and precondition that was sent.
 */
public final class Preconditions implements HandlerInterceptor {

    public static final Problem FORBIDDEN = new Problem(
            ProblemCode.FORBIDDEN, "The account's role does not allow this call; use another account's token.");

    private final Desks desks;

    /** The parameters and headers that each call supports, determined at its first use. */
    private final Map<Method, Known> calls = new ConcurrentHashMap<>();

    private record Known(List<String> parameters, Set<String> headers, boolean hasBody, boolean isForFixedPrograms) {
        static final Known NOTHING = new Known(List.of(), Set.of(), false, false);
    }

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
        desks.closed().ifPresent(why -> {
            throw new Problem(ProblemCode.UNAVAILABLE, why);
        });
        var known = handler instanceof HandlerMethod method
                ? calls.computeIfAbsent(method.getMethod(), _ -> known(method))
                : Known.NOTHING;
        if (handler instanceof HandlerMethod && !known.isForFixedPrograms) {
            requireKnown(request.getParameterMap().keySet(), known.parameters);
        }
        var coding = request.getHeader(HttpHeaders.CONTENT_ENCODING);
        if (known.hasBody && coding != null && !coding.equalsIgnoreCase("identity")) {
            response.setHeader(HttpHeaders.ACCEPT_ENCODING, "identity");
            throw new Problem(
                    ProblemCode.UNSUPPORTED_MEDIA_TYPE,
                    "The body is compressed (Content-Encoding: %s), and Berth reads only uncompressed ones. Send it without this header."
                            .formatted(Texts.shown(coding)));
        }
        var precondition = request.getHeader(HttpHeaders.IF_MATCH);
        if (precondition != null && !known.headers.contains(HttpHeaders.IF_MATCH)) {
            throw Problem.notTaken(HttpHeaders.IF_MATCH, precondition, "this call does not check versions");
        }
        var key = request.getHeader(IdempotencyKeys.HEADER);
        if (key != null && !request.getMethod().equals("GET") && !known.headers.contains(IdempotencyKeys.HEADER)) {
            throw Problem.notTaken(IdempotencyKeys.HEADER, key, "this call does not use idempotency keys");
        }
        return true;
    }

    private static void requireKnown(Set<String> sent, List<String> known) {
        sent.stream().filter(name -> !known.contains(name)).findFirst().ifPresent(name -> {
            throw new Problem(
                    ProblemCode.MALFORMED,
                    "Remove the parameter, or correct its name.",
                    List.of(new FieldError(
                            Texts.shown(name), null, "is not a parameter of this call; its parameters are " + known)));
        });
    }

    private static Known known(HandlerMethod method) {
        return new Known(
                Arrays.stream(method.getMethodParameters())
                        .filter(parameter -> parameter.hasParameterAnnotation(RequestParam.class))
                        .map(parameter -> parameter.getParameter().getName())
                        .toList(),
                Arrays.stream(method.getMethodParameters())
                        .map(parameter -> parameter.getParameterAnnotation(RequestHeader.class))
                        .filter(Objects::nonNull)
                        .map(RequestHeader::name)
                        .collect(Collectors.toSet()),
                Arrays.stream(method.getMethodParameters())
                        .anyMatch(parameter -> parameter.hasParameterAnnotation(RequestBody.class)),
                isForFixedPrograms(method));
    }

    /**
     * Whether the call is made by programs that their users cannot change, such as calendars and browsers' event sources. Some add parameters
     * of their own, for example against caches.
     */
    private static boolean isForFixedPrograms(HandlerMethod method) {
        var mapping = method.getMethodAnnotation(GetMapping.class);
        return mapping != null
                && Stream.of(mapping.produces())
                        .anyMatch(
                                type -> type.equals(ICalendar.TYPE) || type.equals(MediaType.TEXT_EVENT_STREAM_VALUE));
    }
}
