package berth.service;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Map;
import java.util.function.Supplier;
import org.springframework.core.io.ClassPathResource;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;
import org.springframework.util.DigestUtils;
import org.springframework.util.function.SingletonSupplier;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.Yaml;
import org.yaml.snakeyaml.constructor.SafeConstructor;
import tools.jackson.databind.json.JsonMapper;

/** Serves the OpenAPI document, which the build makes of the controllers ({@code openapi/berth.yaml}), as YAML and as JSON. */
@RestController
class OpenApiController {

    private static final ClassPathResource FILE = new ClassPathResource("openapi/berth.yaml");

    private final Supplier<Document> yaml = SingletonSupplier.of(() -> Document.of(read()));
    private final Supplier<Document> json;

    private record Document(byte[] bytes, String etag) {
        static Document of(byte[] bytes) {
            return new Document(bytes, "\"%s\"".formatted(DigestUtils.md5DigestAsHex(bytes)));
        }

        ResponseEntity<byte[]> as(MediaType type) {
            return ResponseEntity.ok().contentType(type).eTag(etag).body(bytes);
        }
    }

    OpenApiController(JsonMapper mapper) {
        json = SingletonSupplier.of(() -> {
            Map<String, Object> document =
                    new Yaml(new SafeConstructor(new LoaderOptions())).load(new String(read(), UTF_8));
            return Document.of(mapper.writeValueAsBytes(document));
        });
    }

    @GetMapping("/openapi")
    ResponseEntity<byte[]> readJson() {
        return json.get().as(MediaType.APPLICATION_JSON);
    }

    @GetMapping("/openapi.yaml")
    ResponseEntity<byte[]> readYaml() {
        return yaml.get().as(MediaType.APPLICATION_YAML);
    }

    private static byte[] read() {
        try {
            return FILE.getContentAsByteArray();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
