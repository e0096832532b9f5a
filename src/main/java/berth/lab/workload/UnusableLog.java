package berth.lab.workload;

import java.nio.file.Path;

/** The error for a log that cannot be read or used. The message names the file and the problem, and says what to do. */
public final class UnusableLog extends RuntimeException {
    private static final long serialVersionUID = 1;

    private UnusableLog(String message, Throwable cause) {
        super(message, cause);
    }

    private UnusableLog(String message) {
        super(message);
    }

    static UnusableLog unreadable(Path file, Throwable cause) {
        return new UnusableLog(
                "%s: cannot be read (%s). Check the path and its permissions.".formatted(file, cause), cause);
    }

    static UnusableLog of(Path file, String fault) {
        return new UnusableLog("%s: %s".formatted(file, fault));
    }
}
