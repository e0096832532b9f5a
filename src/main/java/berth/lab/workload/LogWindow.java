package berth.lab.workload;

/**
 * A piece of a log, {@code [from, from + length)}, counted from the first submission. It contains the jobs submitted in it.
 *
 * @param from the start of the window in seconds after the first submission of the log, 0 or more
 * @param length the length in seconds, at least 1
 */
public record LogWindow(long from, long length) {

    /** @throws IllegalArgumentException if the window begins before the log or has no length */
    public LogWindow {
        if (from < 0 || length < 1) {
            throw new IllegalArgumentException(
                    "A window of a log must not begin before the log (%d s) and must have a positive length (%d s)."
                            .formatted(from, length));
        }
    }
}
