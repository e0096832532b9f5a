package berth.yard;

import static java.util.stream.Collectors.joining;
import static org.assertj.core.api.Assertions.assertThat;

import berth.scheduling.LossHistory;
import java.io.IOException;
import java.io.InputStream;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Function;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import javax.tools.ToolProvider;

/**
 * A plausible bug, planted to see whether the yard finds it, or the random oracle.
 *
 * @param name a description of the bug
 * @param file the file, relative to the project's directory
 * @param asItStands the original text, which occurs once; line breaks do not matter
 * @param withTheBug the replacement
 * @param histories plays the history of a seed
 */
record PlantedBug(
        String name,
        Path file,
        String asItStands,
        String withTheBug,
        Class<? extends Function<Long, Optional<String>>> histories) {

    /** Returns a bug in the service. */
    static PlantedBug inMain(String name, String file, String asItStands, String withTheBug) {
        return new PlantedBug(name, Path.of("src/main/java/berth", file), asItStands, withTheBug, History.class);
    }

    /** Returns a bug in the yard's simulated database. */
    static PlantedBug inTheDatabase(String name, String asItStands, String withTheBug) {
        return new PlantedBug(
                name, Path.of("src/test/java/berth/engine/MemoryLedger.java"), asItStands, withTheBug, History.class);
    }

    /** Returns a bug in the schedule, which the random oracle must find. */
    static PlantedBug inASchedule(String name, String file, String asItStands, String withTheBug) {
        return new PlantedBug(name, Path.of("src/main/java/berth", file), asItStands, withTheBug, LossHistory.class);
    }

    @Override
    public String toString() {
        return name;
    }

    /**
     * Plants the bug in separately loaded classes, which leave the running ones unchanged.
     *
     * @param directory the directory for the compiled classes
     * @return the result of a seed with the bug, see {@link History}
     */
    Function<Long, Optional<String>> plant(Path directory) throws IOException, ReflectiveOperationException {
        var source = Files.createDirectories(directory.resolve("source")).resolve(file.getFileName());
        Files.writeString(source, planted());
        var classes = Files.createDirectories(directory.resolve("classes"));
        compile(source, classes);
        var loader = new Changed(classes);
        return histories(
                loader.loadClass(histories.getName()).getDeclaredConstructor().newInstance());
    }

    @SuppressWarnings("unchecked")
    private static Function<Long, Optional<String>> histories(Object history) {
        return (Function<Long, Optional<String>>) history;
    }

    /** Returns the source with the bug. */
    String planted() throws IOException {
        var source = Files.readString(file);
        var text = Pattern.compile(Arrays.stream(asItStands.strip().split("\\s+"))
                .map(Pattern::quote)
                .collect(joining("\\s+")));
        List<MatchResult> found = text.matcher(source).results().toList();
        assertThat(found)
                .as("The bug \"%s\" must be planted anew: in %s this is there once no more: %s", name, file, asItStands)
                .hasSize(1);
        return source.substring(0, found.getFirst().start())
                + withTheBug
                + source.substring(found.getFirst().end());
    }

    private void compile(Path source, Path classes) throws IOException {
        var compiler = Objects.requireNonNull(ToolProvider.getSystemJavaCompiler(), "This needs a JDK.");
        var told = new StringWriter();
        try (var files = compiler.getStandardFileManager(null, null, null)) {
            boolean isCompiled = compiler.getTask(
                            told,
                            files,
                            null,
                            List.of(
                                    "-proc:none",
                                    "-implicit:none",
                                    "-nowarn",
                                    "-g",
                                    "-parameters",
                                    "-cp",
                                    System.getProperty("java.class.path"),
                                    "-d",
                                    classes.toString()),
                            null,
                            files.getJavaFileObjects(source))
                    .call();
            assertThat(isCompiled)
                    .as("The bug \"%s\" must be planted anew: it is not compiled: %s", name, told)
                    .isTrue();
        }
    }

    /** Loads all classes of Berth and its tests again, the changed ones from their directory. */
    private static final class Changed extends ClassLoader {

        private final Path classes;

        Changed(Path classes) {
            super(PlantedBug.class.getClassLoader());
            this.classes = classes;
        }

        @Override
        protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
            if (!name.startsWith("berth.")) {
                return super.loadClass(name, resolve);
            }
            synchronized (getClassLoadingLock(name)) {
                var known = findLoadedClass(name);
                return known != null ? known : anew(name);
            }
        }

        private Class<?> anew(String name) throws ClassNotFoundException {
            var file = name.replace('.', '/') + ".class";
            try (var in = open(file)) {
                if (in == null) {
                    throw new ClassNotFoundException(name);
                }
                var bytes = in.readAllBytes();
                return defineClass(name, bytes, 0, bytes.length);
            } catch (IOException e) {
                throw new ClassNotFoundException(name, e);
            }
        }

        private InputStream open(String file) throws IOException {
            var changed = classes.resolve(file);
            return Files.exists(changed)
                    ? Files.newInputStream(changed)
                    : getParent().getResourceAsStream(file);
        }
    }
}
