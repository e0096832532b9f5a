package berth;

import static java.util.stream.Collectors.joining;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Objects;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import javax.tools.ToolProvider;

/** Changes the source of the program, and loads it beside the running one. */
public final class ChangedProgram {

    private ChangedProgram() {}

    /**
     * A change of a source.
     *
     * @param file the file, relative to the project's directory
     * @param asItStands the original text, which occurs once; line breaks do not matter
     * @param changed the replacement
     */
    public record Edit(Path file, String asItStands, String changed) {

        /** Creates the change of a file that is named relative to the project's directory. */
        public static Edit of(String file, String asItStands, String changed) {
            return new Edit(Path.of(file), asItStands, changed);
        }

        /** Returns the changed source. */
        public String applied() throws IOException {
            return applied(Files.readString(file));
        }

        private String applied(String source) {
            var text = Pattern.compile(Arrays.stream(asItStands.strip().split("\\s+"))
                    .map(Pattern::quote)
                    .collect(joining("\\s+")));
            List<MatchResult> found = text.matcher(source).results().toList();
            assertThat(found)
                    .as("Quote the source anew: in %s this is there once no more: %s", file, asItStands)
                    .hasSize(1);
            return source.substring(0, found.getFirst().start())
                    + changed
                    + source.substring(found.getFirst().end());
        }
    }

    /**
     * Returns a loader of all classes of Berth and its tests, with some edits, which leave the running classes unchanged. Files that are not
     * Java are changed, too, but not used.
     *
     * @param directory the directory for the changed sources and the compiled classes
     */
    public static ClassLoader load(Path directory, List<Edit> edits) throws IOException {
        return new Changed(compiled(directory, edits));
    }

    /** Returns the directory of the classes that the edits change, compiled without annotation processors. */
    public static Path compiled(Path directory, List<Edit> edits) throws IOException {
        var sources = new LinkedHashMap<Path, String>();
        for (var edit : edits) {
            var before = sources.containsKey(edit.file) ? sources.get(edit.file) : Files.readString(edit.file);
            sources.put(edit.file, edit.applied(before));
        }
        var classes = Files.createDirectories(directory.resolve("classes"));
        var changed = directory.resolve("source");
        for (var source : sources.entrySet()) {
            var file = changed.resolve(source.getKey());
            Files.createDirectories(file.getParent());
            Files.writeString(file, source.getValue());
        }
        compile(
                sources.keySet().stream()
                        .filter(file -> file.toString().endsWith(".java"))
                        .map(changed::resolve)
                        .toList(),
                classes);
        return classes;
    }

    private static void compile(List<Path> sources, Path classes) throws IOException {
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
                            files.getJavaFileObjectsFromPaths(sources))
                    .call();
            assertThat(isCompiled)
                    .as("Change the source anew: it is not compiled: %s", told)
                    .isTrue();
        }
    }

    /** Loads all classes of Berth and its tests again, the changed ones from their directory. */
    private static final class Changed extends ClassLoader {

        private final Path classes;

        Changed(Path classes) {
            super(ChangedProgram.class.getClassLoader());
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
