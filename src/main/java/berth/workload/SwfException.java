package berth.workload;

import java.nio.file.Path;

/** A log that cannot be read, or is no log in the Standard Workload Format; the message names file, line and fault. */
public final class SwfException extends RuntimeException {
    private static final long serialVersionUID = 1;

    private SwfException(String message, Throwable cause) {
        super(message, cause);
    }

    private SwfException(String message) {
        super(message);
    }

    static SwfException unreadable(Path file, Throwable cause) {
        return new SwfException(
                "%s: cannot be read (%s). Maybe the path is wrong or its permissions are.".formatted(file, cause),
                cause);
    }

    static SwfException damaged(Path file, long line, Throwable cause) {
        return new SwfException(
                "%s: line %d: the gzip data end early or are damaged (%s). Maybe fetch the file again."
                        .formatted(file, line, cause.getMessage()),
                cause);
    }

    static SwfException empty(Path file) {
        return new SwfException("%s: holds neither header comments nor jobs, so it is no SWF log.".formatted(file));
    }

    static SwfException malformed(Path file, long line, String fault) {
        return new SwfException("%s: line %d: %s".formatted(file, line, fault));
    }
}
