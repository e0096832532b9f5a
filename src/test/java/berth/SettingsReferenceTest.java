package berth;

import static java.util.stream.Collectors.joining;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.lang.reflect.Executable;
import java.lang.reflect.Parameter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.source.ConfigurationPropertySources;
import org.springframework.core.env.StandardEnvironment;
import org.springframework.core.env.SystemEnvironmentPropertySource;
import tools.jackson.databind.json.JsonMapper;

/**
 * Keeps {@code docs/reference/settings.md} in step with {@code application.yaml}, whose comments that begin with {@code ##} describe the
 * settings, and with the code that reads them.
 */
class SettingsReferenceTest {

    private static final Path YAML = Path.of("src", "main", "resources", "application.yaml");
    private static final Path COPY = Path.of("docs", "reference", "settings.md");
    private static final String WRITE = "berth.reference.write";
    private static final Pattern KEY = Pattern.compile("( *)(# )?([A-Za-z0-9.-]+):(?: +(.*))?");
    private static final Pattern PLACEHOLDER = Pattern.compile("\\$\\{([^:}]+)(?::([^}]*))?}");

    /** The beginning of the names of Berth's own settings; all others are of Spring. */
    private static final String OURS = "berth.";

    private record Setting(String name, String description, String value) {

        /** The environment variable that Spring reads for the setting. */
        String variable() {
            return name.replaceAll("[-.]", "_").toUpperCase(Locale.ROOT);
        }

        /** The same without the underscores that stand for hyphens, which Spring reads as well. */
        String shortVariable() {
            return name.replace("-", "").replace('.', '_').toUpperCase(Locale.ROOT);
        }

        String defaultValue() {
            var literal = PLACEHOLDER.matcher(value).replaceAll("$2").replace("\"", "");
            return literal.isEmpty() ? "none" : "`" + literal + "`";
        }
    }

    @Test
    void theReferenceMatchesTheCode() throws Exception {
        var types = typesInTheCode();
        types.putAll(typesOfSpring());
        var text = text(settings(), types);
        if (Boolean.getBoolean(WRITE)) {
            Files.writeString(COPY, text);
        }
        assertThat(COPY)
                .as("%s is out of date. Rewrite it: mvn test -Dtest=SettingsReferenceTest -D%s=true", COPY, WRITE)
                .hasContent(text);
    }

    @Test
    void exactlyTheSettingsThatTheCodeReadsAreDescribed() throws Exception {
        assertThat(settings().stream().map(Setting::name).filter(name -> name.startsWith(OURS)))
                .containsExactlyInAnyOrderElementsOf(typesInTheCode().keySet());
    }

    @Test
    void everySettingOfSpringIsOneThatSpringKnows() throws Exception {
        assertThat(settings().stream().map(Setting::name).filter(name -> !name.startsWith(OURS)))
                .isNotEmpty()
                .isSubsetOf(typesOfSpring().keySet());
    }

    @Test
    void everyVariableSetsItsSetting() throws Exception {
        assertThat(settings()).allSatisfy(setting -> {
            assertThat(read(setting.name(), setting.variable())).isEqualTo("given");
            assertThat(read(setting.name(), setting.shortVariable())).isEqualTo("given");
        });
    }

    private static @Nullable String read(String setting, String variable) {
        var environment = new StandardEnvironment();
        environment
                .getPropertySources()
                .replace(
                        StandardEnvironment.SYSTEM_ENVIRONMENT_PROPERTY_SOURCE_NAME,
                        new SystemEnvironmentPropertySource(
                                StandardEnvironment.SYSTEM_ENVIRONMENT_PROPERTY_SOURCE_NAME,
                                Map.of(variable, "given")));
        ConfigurationPropertySources.attach(environment);
        return environment.getProperty(setting);
    }

    @Test
    void everyDescriptionIsSentences() throws Exception {
        assertThat(settings())
                .allSatisfy(setting -> assertThat(setting.description())
                        .as(setting.name())
                        .matches("[A-Z`].*\\.")
                        .doesNotContain("|"));
    }

    private static String text(List<Setting> settings, Map<String, String> types) {
        return """
                # Settings

                <!-- Made by SettingsReferenceTest from application.yaml and the code. Do not edit. -->

                Set a setting as an environment variable (`BERTH_RETENTION=90d`), as an option (`--berth.retention=90d`), or in a file
                `application.yaml` in the directory in which you start Berth. An option wins over a variable, and a variable over a file. Berth reads
                the settings when it starts. If a value is not usable, Berth names it and does not start.

                A duration is a number with a unit (`500ms`, `10s`, `5m`, `24h`, `730d`) or an ISO 8601 duration (`PT10S`). A list is separated by
                commas. A variable may leave out the underscores that stand for hyphens: `BERTH_CALLS_INALL` is `BERTH_CALLS_IN_ALL`.

                ## Berth

                %s
                ## Spring Boot and the web server

                Every [setting of Spring Boot](https://docs.spring.io/spring-boot/appendix/application-properties/index.html) works, too. These are the
                ones that sites usually need:

                %s""".formatted(
                        table(settings.stream().filter(it -> it.name().startsWith(OURS)), types),
                        table(settings.stream().filter(it -> !it.name().startsWith(OURS)), types));
    }

    private static String table(Stream<Setting> settings, Map<String, String> types) {
        return settings.map(setting -> "| `%s` | %s | %s | %s |\n"
                        .formatted(
                                setting.variable(),
                                types.getOrDefault(setting.name(), ""),
                                setting.defaultValue(),
                                setting.description()))
                .collect(joining("", "| variable | type | default | meaning |\n| --- | --- | --- | --- |\n", ""));
    }

    /** Returns the settings below {@code berth} and all others that a comment describes, as the file has them. */
    private static List<Setting> settings() throws IOException {
        var settings = new ArrayList<Setting>();
        var path = new ArrayDeque<String>();
        var description = new ArrayList<String>();
        for (var line : Files.readAllLines(YAML)) {
            var text = line.strip();
            var key = KEY.matcher(line);
            if (text.startsWith("## ")) {
                description.add(text.substring(3));
            } else if (key.matches()) {
                for (int depth = key.group(1).length() / 2; path.size() > depth; ) {
                    path.removeLast();
                }
                boolean isUnset = key.group(2) != null;
                path.add(key.group(3));
                var name = String.join(".", path);
                var value = Objects.requireNonNullElse(key.group(4), "");
                boolean isLeaf = isUnset || key.group(4) != null || !description.isEmpty();
                if (isLeaf && (name.startsWith(OURS) || !description.isEmpty())) {
                    settings.add(new Setting(name, String.join(" ", description), value));
                }
                description.clear();
            }
        }
        return settings;
    }

    /** Returns what Berth's code reads below {@code berth}, each with a word for its type. */
    private static Map<String, String> typesInTheCode() throws IOException, ReflectiveOperationException {
        var types = new TreeMap<String, String>();
        for (var type : classes()) {
            var properties = type.getAnnotation(ConfigurationProperties.class);
            if (properties != null) {
                addComponents(properties.value(), type, types);
            }
            Stream.concat(Arrays.stream(type.getDeclaredConstructors()), Arrays.stream(type.getDeclaredMethods()))
                    .map(Executable::getParameters)
                    .flatMap(Arrays::stream)
                    .filter(it -> it.isAnnotationPresent(Value.class))
                    .filter(it -> name(it).startsWith(OURS))
                    .forEach(it -> types.put(name(it), word(it.getType())));
        }
        return types;
    }

    private static void addComponents(String prefix, Class<?> properties, Map<String, String> types) {
        for (var component : properties.getRecordComponents()) {
            var name = prefix + "."
                    + component.getName().replaceAll("([A-Z])", "-$1").toLowerCase(Locale.ROOT);
            if (component.getType().isRecord()) {
                addComponents(name, component.getType(), types);
            } else {
                types.put(name, word(component.getType()));
            }
        }
    }

    private static String name(Parameter parameter) {
        var placeholder = PLACEHOLDER.matcher(
                Objects.requireNonNull(parameter.getAnnotation(Value.class)).value());
        return placeholder.matches() ? placeholder.group(1) : "";
    }

    private static List<Class<?>> classes() throws IOException, ReflectiveOperationException {
        var root = Path.of("target", "classes");
        List<String> names;
        try (var files = Files.walk(root.resolve("berth"))) {
            names = files.map(file -> root.relativize(file).toString())
                    .filter(file -> file.endsWith(".class") && !file.endsWith("-info.class"))
                    .map(file -> file.replace(".class", "").replace('/', '.'))
                    .toList();
        }
        var classes = new ArrayList<Class<?>>();
        for (var name : names) {
            classes.add(Class.forName(name, false, SettingsReferenceTest.class.getClassLoader()));
        }
        return classes;
    }

    /** Returns the settings that Spring Boot's metadata lists, each with a word for its type. */
    private static Map<String, String> typesOfSpring() throws IOException, ReflectiveOperationException {
        var loader = SettingsReferenceTest.class.getClassLoader();
        var types = new TreeMap<String, String>();
        for (var file : Collections.list(loader.getResources("META-INF/spring-configuration-metadata.json"))) {
            try (var in = file.openStream()) {
                for (var property : JsonMapper.shared().readTree(in).path("properties")) {
                    var type = property.path("type").asString("java.lang.String");
                    types.put(property.get("name").asString(), word(type.replaceFirst("<.*", "")));
                }
            }
        }
        return types;
    }

    private static String word(String type) {
        return switch (type) {
            case "java.lang.Integer", "java.lang.Long" -> "integer";
            case "java.time.Duration" -> "duration";
            case "java.util.List", "java.util.Set" -> "list";
            default -> "text";
        };
    }

    private static String word(Class<?> type) {
        if (type.isEnum()) {
            return Arrays.stream(type.getEnumConstants()).map("`%s`"::formatted).collect(joining(" or "));
        }
        if (type == Path.class) {
            return "directory";
        }
        return type == int.class || type == long.class ? "integer" : word(type.getName());
    }
}
