package berth.http;

import berth.http.Problem.FieldError;
import berth.runtime.Gate;
import berth.runtime.StorageUnavailable;
import jakarta.servlet.http.HttpServletRequest;
import java.math.BigDecimal;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.apache.tomcat.util.http.InvalidParameterException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.http.HttpHeaders;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;
import org.springframework.http.converter.HttpMessageNotReadableException;
import org.springframework.security.web.firewall.RequestRejectedException;
import org.springframework.web.HttpMediaTypeNotAcceptableException;
import org.springframework.web.HttpMediaTypeNotSupportedException;
import org.springframework.web.HttpRequestMethodNotSupportedException;
import org.springframework.web.bind.annotation.ExceptionHandler;
import org.springframework.web.bind.annotation.RestControllerAdvice;
import org.springframework.web.servlet.resource.NoResourceFoundException;
import org.springframework.web.util.DisconnectedClientHelper;
import tools.jackson.core.JacksonException;
import tools.jackson.core.exc.InputCoercionException;
import tools.jackson.core.exc.StreamConstraintsException;
import tools.jackson.core.exc.StreamReadException;
import tools.jackson.databind.DatabindException;
import tools.jackson.databind.exc.InvalidFormatException;
import tools.jackson.databind.exc.MismatchedInputException;
import tools.jackson.databind.exc.UnrecognizedPropertyException;
import tools.jackson.databind.exc.ValueInstantiationException;

/** Turns every exception that ends a call into a problem document. */
@RestControllerAdvice
public class ProblemHandler {

    private static final Logger log = LoggerFactory.getLogger(ProblemHandler.class);

    public static final Problem INTERNAL = new Problem(
            ProblemCode.INTERNAL,
            "This is an error in the service. Try again, or report it with the X-Request-Id of this response, which its log entry has too.");

    /** How the parser reports a name that is twice in one object. */
    private static final Pattern DOUBLED = Pattern.compile("Duplicate Object property \"(.*)\"", Pattern.DOTALL);

    public static final Problem CHARACTERS = new Problem(
            ProblemCode.MALFORMED,
            "The URL, a parameter or a header contains characters that are not allowed there. Encode them as UTF-8 with %"
                    + " and two hexadecimal digits, or remove them.");

    public static final Problem UNSUPPORTED_MEDIA_TYPE =
            new Problem(ProblemCode.UNSUPPORTED_MEDIA_TYPE, "Send Content-Type: application/json.");

    /** Returns the problem of a request that accepts none of the types that the call can return. */
    public static Problem notAcceptable(List<MediaType> available) {
        var types = available.stream()
                .filter(type -> !type.isWildcardSubtype())
                .map(type -> type.getType() + "/" + type.getSubtype())
                .distinct()
                .collect(Collectors.joining(" or "));
        var type = types.isEmpty() ? MediaType.APPLICATION_JSON_VALUE : types;
        return new Problem(
                ProblemCode.NOT_ACCEPTABLE,
                "This call returns %s. Send Accept: %s, or no Accept header."
                        .formatted(type, type.replace(" or ", ", ")));
    }

    static ResponseEntity<Object> answer(Problem problem) {
        return answer(problem, new HttpHeaders());
    }

    private static ResponseEntity<Object> answer(Problem problem, HttpHeaders headers) {
        return ResponseEntity.status(problem.code().status())
                .headers(headers)
                .contentType(MediaType.APPLICATION_PROBLEM_JSON)
                .body(problem.document());
    }

    @ExceptionHandler
    ResponseEntity<Object> problem(Problem problem) {
        var headers = new HttpHeaders();
        if (problem.code() == ProblemCode.UNAVAILABLE || problem.code() == ProblemCode.TOO_MANY_REQUESTS) {
            headers.set(HttpHeaders.RETRY_AFTER, "1");
        }
        return answer(problem, headers);
    }

    @ExceptionHandler
    ResponseEntity<Object> unreadable(HttpMessageNotReadableException e, HttpServletRequest request) {
        if (e.getRootCause() instanceof BufferedBody.NotRead notRead) {
            return problem(notRead.problem());
        }
        var problem = unreadable(e.getCause());
        return answer(problem.hasErrors() ? problem.showing(RequestFields.tree(BufferedBody.read(request))) : problem);
    }

    /** Returns the problem of a body that could not be read for the given reason. */
    static Problem unreadable(@Nullable Throwable reason) {
        return switch (reason) {
            case ValueInstantiationException refused when refused.getCause() instanceof Problem problem -> problem;
            case UnrecognizedPropertyException unknown -> unknownField(unknown);
            case InvalidFormatException wrong when wrong.getTargetType().isEnum() -> unknownWord(wrong);
            case StreamConstraintsException deep ->
                new Problem(
                        ProblemCode.MALFORMED,
                        "The body is nested too deeply, has too many parts, or a name or value in it is too long; simplify it.");
            case InputCoercionException range -> wrongType(range);
            case StreamReadException syntax
            when doubled(syntax).isPresent() -> doubledField(doubled(syntax).get());
            case StreamReadException syntax ->
                new Problem(ProblemCode.MALFORMED, "The body is not a JSON document; %s.".formatted(place(syntax)));
            case DatabindException wrong -> wrongType(wrong);
            case null, default -> new Problem(ProblemCode.MALFORMED, "Send a JSON object in the body.");
        };
    }

    private static Problem unknownField(UnrecognizedPropertyException e) {
        return unknownField(Texts.shown(path(e)), null);
    }

    static Problem unknownField(String field, @Nullable Object value) {
        return new Problem(
                ProblemCode.MALFORMED,
                "Remove the field %s, or correct its name.".formatted(field),
                List.of(new FieldError(field, value, "is not a field of this request")));
    }

    private static Optional<String> doubled(StreamReadException e) {
        var found = DOUBLED.matcher(String.valueOf(e.getOriginalMessage()));
        return found.lookingAt() ? Optional.of(found.group(1)) : Optional.empty();
    }

    private static Problem doubledField(String name) {
        return new Problem(
                ProblemCode.MALFORMED,
                "The body has the field %s twice in one object. Remove one of them.".formatted(Texts.shown(name)),
                List.of(new FieldError(Texts.shown(name), null, "must not be there twice")));
    }

    private static Problem unknownWord(InvalidFormatException e) {
        return Problem.field(
                ProblemCode.MALFORMED, path(e), Texts.shown(String.valueOf(e.getValue())), words(e.getTargetType()));
    }

    /** Returns the rule that a value is one of the words of an enumeration. */
    static String words(Class<?> type) {
        return Arrays.stream(type.getEnumConstants())
                .map(Object::toString)
                .collect(Collectors.joining(", ", "must be one of ", ""));
    }

    private static Problem wrongType(JacksonException e) {
        var field = path(e);
        return field.isEmpty()
                ? new Problem(ProblemCode.MALFORMED, "Send a JSON object in the body.")
                : Problem.field(ProblemCode.MALFORMED, field, null, form(e));
    }

    /** Returns the form that the value of a field must have. */
    private static String form(JacksonException e) {
        var type = switch (e) {
            case MismatchedInputException mismatch -> mismatch.getTargetType();
            case InputCoercionException range -> range.getTargetType();
            default -> null;
        };
        return type == null ? "has a value of the wrong type or out of range" : form(type);
    }

    /** Returns the form that values of a type must have. */
    static String form(Class<?> type) {
        if (type == String.class) {
            return "must be a text in quotes; two hours are \"PT2H\", an instant is \"2027-01-31T14:00:00Z\"";
        } else if (type == Integer.class || type == int.class || type == Long.class || type == long.class) {
            return "must be a whole number within its range, without quotes, such as 32";
        } else if (type == BigDecimal.class || type == Double.class) {
            return "must be a number without quotes, such as 0.5";
        } else if (type == Boolean.class || type == boolean.class) {
            return "must be true or false, without quotes";
        } else if (Collection.class.isAssignableFrom(type)) {
            return "must be a list in square brackets";
        } else if (Record.class.isAssignableFrom(type) || Map.class.isAssignableFrom(type)) {
            return "must be an object in braces";
        }
        return "has a value of the wrong type or out of range";
    }

    private static String path(JacksonException e) {
        return e.getPath().stream()
                .map(step -> step.getPropertyName() == null ? "[" + step.getIndex() + "]" : step.getPropertyName())
                .collect(Collectors.joining("."))
                .replace(".[", "[");
    }

    private static String place(StreamReadException e) {
        var location = e.getLocation();
        return location == null
                ? "correct it"
                : "look at line %d, column %d".formatted(location.getLineNr(), location.getColumnNr());
    }

    @ExceptionHandler
    ResponseEntity<Object> characters(InvalidParameterException e) {
        return answer(CHARACTERS);
    }

    @ExceptionHandler
    ResponseEntity<Object> characters(RequestRejectedException e) {
        return answer(CHARACTERS);
    }

    @ExceptionHandler
    ResponseEntity<Object> method(HttpRequestMethodNotSupportedException e) {
        var headers = new HttpHeaders();
        var allowed = e.getSupportedHttpMethods();
        if (allowed != null) {
            headers.setAllow(allowed);
        }
        return answer(
                new Problem(
                        ProblemCode.METHOD_NOT_ALLOWED,
                        "Use one of %s.".formatted(allowed == null ? "its methods" : allowed)),
                headers);
    }

    @ExceptionHandler
    ResponseEntity<Object> mediaType(HttpMediaTypeNotSupportedException e) {
        return answer(UNSUPPORTED_MEDIA_TYPE);
    }

    @ExceptionHandler
    ResponseEntity<Object> acceptable(HttpMediaTypeNotAcceptableException e) {
        return answer(notAcceptable(e.getSupportedMediaTypes()));
    }

    @ExceptionHandler
    ResponseEntity<Object> unknownPath(NoResourceFoundException e, HttpServletRequest request) {
        return answer(new Problem(
                ProblemCode.NOT_FOUND,
                "There is no resource at %s. Every path of the API begins with /api/v1."
                        .formatted(Texts.shown(request.getRequestURI()))));
    }

    @ExceptionHandler
    ResponseEntity<Object> unavailable(StorageUnavailable e) {
        log.debug("A call failed because the database did not respond.", e);
        return problem(new Problem(
                ProblemCode.UNAVAILABLE,
                "The database did not respond in time. Try again later. It is not known whether a change was made: if the"
                        + " call supports an Idempotency-Key, repeat it with the same key."));
    }

    /** Returns the problem of a request that is rejected because of load. Nothing has changed, and the client may repeat the request. */
    public static Problem tooMany(String why) {
        return new Problem(ProblemCode.TOO_MANY_REQUESTS, "Nothing has changed. " + why);
    }

    @ExceptionHandler
    ResponseEntity<Object> overloaded(Gate.Overloaded e) {
        var headers = new HttpHeaders();
        headers.set(HttpHeaders.RETRY_AFTER, Long.toString(e.retryAfter().toSeconds()));
        return answer(tooMany(String.valueOf(e.getMessage())), headers);
    }

    @ExceptionHandler
    ResponseEntity<Object> unanswered(Gate.Unanswered e) {
        return problem(new Problem(ProblemCode.UNAVAILABLE, "Nothing has changed. " + e.getMessage()));
    }

    @ExceptionHandler
    @Nullable
    ResponseEntity<Object> unexpected(Exception e) {
        if (DisconnectedClientHelper.isClientDisconnectedException(e)) {
            log.debug("A client closed the connection before it received the response.", e);
            return null;
        }
        log.error("A call failed.", e);
        return answer(INTERNAL);
    }
}
