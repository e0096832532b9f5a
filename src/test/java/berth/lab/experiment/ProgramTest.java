package berth.lab.experiment;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.URI;
import java.net.URISyntaxException;
import java.net.URL;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;
import java.util.TreeMap;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.util.FileSystemUtils;

/** Checks that two builds have different names, and that a build has the same name wherever it is. */
class ProgramTest {
    private static final URL SELF = Objects.requireNonNull(Program.class.getResource("Program.class"));

    @TempDir
    private Path directory;

    private Path copy() throws IOException, URISyntaxException {
        Path experiment = Path.of(SELF.toURI()).resolveSibling("");
        FileSystemUtils.copyRecursively(experiment, directory.resolve("berth/lab/experiment"));
        return directory.resolve("berth/lab/experiment/Program.class");
    }

    @Test
    void saysVersionAndBuild() {
        assertThat(Program.name())
                .isEqualTo(Program.name())
                .matches("berth \\(development\\), build [0-9a-f]{12}")
                .endsWith(Program.build(SELF));
    }

    @Test
    void aChangedClassIsAnotherBuild() throws Exception {
        Path self = copy();
        String before = Program.build(self.toUri().toURL());
        assertThat(Program.build(self.toUri().toURL())).isEqualTo(before);

        Path runLog = self.resolveSibling("RunLog.class");
        byte[] code = Files.readAllBytes(runLog);
        code[code.length - 1]++;
        Files.write(runLog, code);
        String changed = Program.build(self.toUri().toURL());
        assertThat(changed).isNotEqualTo(before);

        Files.delete(runLog);
        assertThat(Program.build(self.toUri().toURL())).isNotIn(before, changed);
    }

    @Test
    void aJarIsTheBuildThatItWasMadeOf() throws Exception {
        Path self = copy();
        Path jar = directory.resolve("berth.jar");
        var files = new TreeMap<String, Path>();
        try (var all = Files.walk(directory.resolve("berth"))) {
            all.filter(Files::isRegularFile)
                    .forEach(file -> files.put(directory.relativize(file).toString(), file));
        }
        try (var out = new JarOutputStream(Files.newOutputStream(jar))) {
            // in another order, and with a file that is not Berth's
            out.putNextEntry(new JarEntry("META-INF/else"));
            for (var file : files.descendingMap().entrySet()) {
                out.putNextEntry(new JarEntry(file.getKey()));
                Files.copy(file.getValue(), out);
            }
        }

        var inJar = URI.create("jar:" + jar.toUri() + "!/berth/lab/experiment/Program.class");
        assertThat(Program.build(inJar.toURL()))
                .isEqualTo(Program.build(self.toUri().toURL()));
    }
}
