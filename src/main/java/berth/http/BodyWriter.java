package berth.http;

import java.io.IOException;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.core.ResolvableType;
import org.springframework.http.HttpOutputMessage;
import org.springframework.http.converter.json.JacksonJsonHttpMessageConverter;
import org.springframework.web.context.request.RequestAttributes;
import org.springframework.web.context.request.RequestContextHolder;
import tools.jackson.databind.json.JsonMapper;

/** Writes bodies as JSON. A body from whose JSON a tag was made is not converted again. */
public final class BodyWriter extends JacksonJsonHttpMessageConverter {

    private static final String CONVERTED = BodyWriter.class.getName() + ".converted";

    private static final JsonMapper JSON = JsonMapper.builder().build();

    private record Converted(Object body, byte[] json) {}

    public BodyWriter(JsonMapper mapper) {
        super(mapper);
    }

    /** Returns the JSON of a body, and keeps it for the response to the present request. */
    static byte[] json(Object body) {
        var json = JSON.writeValueAsBytes(body);
        var request = RequestContextHolder.getRequestAttributes();
        if (request != null) {
            request.setAttribute(CONVERTED, new Converted(body, json), RequestAttributes.SCOPE_REQUEST);
        }
        return json;
    }

    @Override
    protected void writeInternal(
            Object body, ResolvableType type, HttpOutputMessage response, @Nullable Map<String, Object> hints)
            throws IOException {
        var request = RequestContextHolder.getRequestAttributes();
        if (request != null
                && request.getAttribute(CONVERTED, RequestAttributes.SCOPE_REQUEST) instanceof Converted converted
                && converted.body == body) {
            response.getBody().write(converted.json);
        } else {
            super.writeInternal(body, type, response, hints);
        }
    }
}
