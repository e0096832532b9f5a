package berth.database;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/** The main process of a PostgreSQL server. */
class ServerProcess {

    private static final Path PROC = Path.of("/proc");

    /** The position of the start time among the fields of the process's status that follow its name. */
    private static final int START = 19;

    private final ProcessHandle handle;
    private final Path proc;

    /** Distinguishes the process from a later one with the same number; empty if it cannot be read. */
    private final Optional<String> start;

    ServerProcess(ProcessHandle handle) {
        this(handle, PROC);
    }

    ServerProcess(ProcessHandle handle, Path proc) {
        this.handle = handle;
        this.proc = proc;
        this.start = status().map(fields -> fields[START]);
    }

    ProcessHandle handle() {
        return handle;
    }

    /**
     * Whether the process has certainly ended. A process that cannot be looked at, for example because too many files are open, counts as
     * running. One that has ended but was not reaped by its parent, as in a container, counts as ended.
     */
    boolean hasEnded() {
        if (Files.notExists(proc.resolve("self"))) {
            // not Linux
            return !handle.isAlive();
        }
        if (Files.notExists(directory())) {
            return true;
        }
        var now = status();
        return now.isPresent()
                && (now.get()[0].equals("Z")
                        || now.get()[0].equals("X")
                        || start.isPresent() && !start.get().equals(now.get()[START]));
    }

    private Path directory() {
        return proc.resolve(Long.toString(handle.pid()));
    }

    /** Returns the fields of the status from the state on; empty if they cannot be read. */
    private Optional<String[]> status() {
        try {
            var line = Files.readString(directory().resolve("stat"), StandardCharsets.ISO_8859_1);
            // the name before it may have spaces and parentheses
            var fields = line.substring(line.lastIndexOf(')') + 1).strip().split(" ");
            return fields.length > START ? Optional.of(fields) : Optional.empty();
        } catch (IOException e) {
            return Optional.empty();
        }
    }
}
