package berth.lab.experiment;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.JarURLConnection;
import java.net.URI;
import java.net.URL;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Stream;

/** The program that makes the runs. */
final class Program {
    private static final String OWN = "berth/";
    private static final String SELF = OWN + "lab/experiment/Program.class";

    private Program() {}

    /**
     * Returns its version and build, as in {@code berth 1.0, build 0123456789ab}. The build is a digest of Berth's classes and resources.
     * It is the same inside and outside a jar and changes with every line of code; libraries do not count. Reads some megabytes.
     */
    static String name() {
        return "berth %s, build %s"
                .formatted(
                        Optional.ofNullable(Program.class.getPackage().getImplementationVersion())
                                .orElse("(development)"),
                        build(Objects.requireNonNull(
                                Program.class.getClassLoader().getResource(SELF), SELF)));
    }

    /**
     * Returns the build: the digest of Berth's classes and resources.
     *
     * @param self the location of this class
     */
    static String build(URL self) {
        try {
            return self.openConnection() instanceof JarURLConnection jar
                    ? digest(inJar(jar))
                    : digest(inDirectory(URI.create(self.toString().replace(SELF, OWN))));
        } catch (IOException e) {
            throw new UncheckedIOException("The classes of Berth cannot be read: " + e, e);
        }
    }

    /** Opens a file. */
    private interface Content {
        InputStream open() throws IOException;
    }

    private static Map<String, Content> inJar(JarURLConnection connection) throws IOException {
        // shared with class loaders, so it stays open
        var jar = connection.getJarFile();
        Map<String, Content> files = new TreeMap<>();
        jar.stream()
                .filter(entry -> !entry.isDirectory() && entry.getName().startsWith(OWN))
                .forEach(entry -> files.put(entry.getName(), () -> jar.getInputStream(entry)));
        return files;
    }

    private static Map<String, Content> inDirectory(URI own) throws IOException {
        Path directory = Path.of(own);
        Map<String, Content> files = new TreeMap<>();
        try (Stream<Path> all = Files.walk(directory)) {
            all.filter(Files::isRegularFile)
                    .forEach(file -> files.put(
                            OWN + directory.relativize(file).toString().replace('\\', '/'),
                            () -> Files.newInputStream(file)));
        }
        return files;
    }

    private static String digest(Map<String, Content> files) throws IOException {
        try {
            var sha = MessageDigest.getInstance("SHA-256");
            for (var file : files.entrySet()) {
                sha.update((file.getKey() + '\n').getBytes(StandardCharsets.UTF_8));
                try (var content = file.getValue().open()) {
                    sha.update(content.readAllBytes());
                }
            }
            return HexFormat.of().formatHex(sha.digest(), 0, 6);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("Every Java has SHA-256.", e);
        }
    }
}
