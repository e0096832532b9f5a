package berth.contract;

import berth.http.Page;
import com.fasterxml.jackson.databind.JavaType;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.swagger.v3.core.converter.AnnotatedType;
import io.swagger.v3.core.converter.ModelConverter;
import io.swagger.v3.core.converter.ModelConverterContext;
import io.swagger.v3.core.jackson.ModelResolver;
import io.swagger.v3.core.jackson.TypeNameResolver;
import io.swagger.v3.oas.models.media.Schema;
import java.util.Iterator;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** The names of schemas in the document: {@code TermsBody} becomes {@code Terms}, and a page of them {@code TermsPage}. */
final class SchemaNames extends TypeNameResolver {

    /** The instance for all documents of this process, because the converters that make schemas are shared as well. */
    static final SchemaNames names = new SchemaNames();

    private static final String BODY = "Body";

    private final Map<String, Set<Class<?>>> types = new ConcurrentHashMap<>();

    private SchemaNames() {}

    /**
     * Returns the type of Berth from which the schema of a name was made; empty if it was not made from a type of Berth.
     *
     * @throws IllegalStateException if two types have this name, since one of their schemas would be missing
     */
    Optional<Class<?>> type(String name) {
        var made = types.getOrDefault(name, Set.of());
        if (made.size() > 1) {
            throw new IllegalStateException(
                    "%s are all called %s in the document.%nName all but one with @Schema(name = …)."
                            .formatted(made, name));
        }
        return made.stream().findAny();
    }

    /** Returns the name of the schema that is made from a type. */
    String of(Class<?> type) {
        return nameForClass(type, Set.of());
    }

    @Override
    protected String nameForClass(Class<?> type, Set<Options> options) {
        var given = super.nameForClass(type, options);
        return given.endsWith(BODY) && !given.equals(BODY)
                ? remember(given.substring(0, given.length() - BODY.length()), type)
                : remember(given, type);
    }

    @Override
    protected String nameForGenericType(JavaType type, Set<Options> options) {
        return type.getRawClass() == Page.class
                ? remember(nameForType(type.containedType(0), options) + "Page", Page.class)
                : super.nameForGenericType(type, options);
    }

    private String remember(String name, Class<?> type) {
        if (type.getPackageName().startsWith("berth")) {
            types.computeIfAbsent(name, unknown -> ConcurrentHashMap.newKeySet())
                    .add(type);
        }
        return name;
    }

    /** A converter that makes schemas with these names and remembers their types. */
    static final class Resolver extends ModelResolver {

        Resolver(ObjectMapper mapper) {
            super(mapper, names);
            openapi31(true);
        }

        @Override
        public @Nullable Schema<?> resolve(
                AnnotatedType type, ModelConverterContext context, Iterator<ModelConverter> others) {
            names.nameForType(_mapper.constructType(type.getType()));
            return super.resolve(type, context, others);
        }
    }
}
