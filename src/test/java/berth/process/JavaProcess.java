package berth.process;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** The program of this build in a process of its own. */
final class JavaProcess {

    private final Process process;
    private final Path log;

    private JavaProcess(Process process, Path log) {
        this.process = process;
        this.log = log;
    }

    /**
     * Starts it with no other settings than these; what Berth and Spring find in the environment of the test is not
     * handed on.
     *
     * @param log takes all that it says
     */
    static JavaProcess start(Program program, Path log, Map<String, String> environment, List<String> arguments)
            throws IOException {
        var command = new ArrayList<>(program.command());
        command.addAll(arguments);
        var builder = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.appendTo(log.toFile()));
        builder.environment().keySet().removeIf(name -> name.startsWith("BERTH_") || name.startsWith("SPRING_"));
        builder.environment().putAll(environment);
        return new JavaProcess(builder.start(), log);
    }

    long pid() {
        return process.pid();
    }

    boolean isAlive() {
        return process.isAlive();
    }

    /** SIGKILL: it gets no chance to do anything. */
    void killHard() {
        process.destroyForcibly();
        awaitExit(Duration.ofSeconds(10));
    }

    /** SIGTERM: asks it to end. */
    void askToStop() {
        process.destroy();
    }

    /** Its exit code, once it has ended. */
    int awaitExit(Duration most) {
        try {
            assertThat(process.waitFor(most.toMillis(), TimeUnit.MILLISECONDS))
                    .as("process %d ends within %s; it says:%n%s", pid(), most, output())
                    .isTrue();
            return process.exitValue();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    /** All that it and others with the same log have said so far. */
    String output() {
        try {
            return Files.readString(log);
        } catch (IOException e) {
            return "(%s)".formatted(e);
        }
    }
}
