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

/** This build's program in its own process. */
final class JavaProcess {

    private final Process process;
    private final Path log;

    private JavaProcess(Process process, Path log) {
        this.process = process;
        this.log = log;
    }

    /**
     * Starts it with only these settings; settings of Berth and Spring in the test's environment are not passed on.
     *
     * @param log receives its output
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

    /** Sends SIGKILL, so it cannot react. */
    void killHard() {
        process.destroyForcibly();
        awaitExit(Duration.ofMinutes(1));
    }

    /** Sends SIGTERM, which asks it to end. */
    void askToStop() {
        process.destroy();
    }

    /** Waits for its end and returns its exit code. */
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

    /** Returns the output so far of all processes with the same log. */
    String output() {
        try {
            return Files.readString(log);
        } catch (IOException e) {
            return "(%s)".formatted(e);
        }
    }
}
