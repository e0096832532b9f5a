package berth.slurm;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** Runs Slurm's programs. */
interface Shell {

    /** The exit code of a program that was ended because it took too long. */
    int GIVEN_UP = 124;

    /**
     * The result of a program.
     *
     * @param code its exit code
     * @param said its output, including errors
     */
    record ExitResult(int code, String said) {
        boolean isDone() {
            return code == 0;
        }
    }

    ExitResult run(List<String> command);

    /** Returns a shell that runs programs on this machine, each for at most {@code patience}. */
    static Shell ofThisMachine(Duration patience) {
        return command -> {
            var builder = new ProcessBuilder(command).redirectErrorStream(true);
            // seconds since the epoch avoid time zones and hours that occur twice
            builder.environment().put("SLURM_TIME_FORMAT", "%s");
            builder.environment().put("LC_ALL", "C.UTF-8");
            try {
                var process = builder.start();
                process.getOutputStream().close();
                var watch = Thread.startVirtualThread(() -> {
                    try {
                        if (!process.waitFor(patience.toMillis(), TimeUnit.MILLISECONDS)) {
                            // a script's own children also hold its output open
                            process.descendants().forEach(ProcessHandle::destroyForcibly);
                            process.destroyForcibly();
                        }
                    } catch (InterruptedException e) {
                        Thread.currentThread().interrupt();
                    }
                });
                try (var in = process.getInputStream()) {
                    var said = new String(in.readAllBytes(), StandardCharsets.UTF_8).strip();
                    int code = process.waitFor();
                    watch.interrupt();
                    return new ExitResult(code == 137 ? GIVEN_UP : code, said);
                }
            } catch (IOException e) {
                throw new UncheckedIOException("%s cannot be run: %s".formatted(command.getFirst(), e.getMessage()), e);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new SlurmUnavailable("The agent is shutting down.");
            }
        };
    }
}
