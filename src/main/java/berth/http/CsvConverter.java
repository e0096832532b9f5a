package berth.http;

import java.io.BufferedWriter;
import java.io.IOException;
import java.io.OutputStreamWriter;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpInputMessage;
import org.springframework.http.HttpOutputMessage;
import org.springframework.http.MediaType;
import org.springframework.http.converter.AbstractHttpMessageConverter;
import org.springframework.http.converter.HttpMessageNotReadableException;

/** Writes bodies as comma-separated values. */
public final class CsvConverter extends AbstractHttpMessageConverter<CsvBody> {

    public CsvConverter() {
        super(StandardCharsets.UTF_8, MediaType.parseMediaType(Csv.TYPE));
    }

    @Override
    protected boolean supports(Class<?> type) {
        return CsvBody.class.isAssignableFrom(type);
    }

    @Override
    public boolean canRead(Class<?> type, @Nullable MediaType mediaType) {
        return false;
    }

    @Override
    protected CsvBody readInternal(Class<? extends CsvBody> type, HttpInputMessage message) {
        throw new HttpMessageNotReadableException("Berth reads no CSV.", message);
    }

    @Override
    protected void writeInternal(CsvBody body, HttpOutputMessage message) throws IOException {
        var out = new BufferedWriter(new OutputStreamWriter(message.getBody(), StandardCharsets.UTF_8));
        Csv.line(out, body.columns());
        body.lines().forEach(line -> Csv.line(out, line));
        out.flush();
    }
}
