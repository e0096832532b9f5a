package berth.lab.replay;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.time.Instant;
import java.util.Locale;

/**
 * The client's record of the answers: a CSV file with a row per request. Each row is handed to the operating system as soon as the answer
 * arrives, so that the file contains every acknowledgement even if the service or this client is killed at the next moment. (It is not
 * forced to disk: a crash of the client's machine may lose the last rows.) The rows are in the order of the answers. Thread-safe.
 *
 * <p>Columns: {@code job}, its number in the log; {@code idempotencyKey}; {@code outcome}: {@code accepted}, {@code pending}, {@code
 * refused}, or {@code unknown} if no answer came within the patience; {@code status}, the HTTP status, empty without an answer; {@code
 * code} of the problem, or why there was no answer, empty if reserved; {@code reservation}, its id; {@code start} and {@code end} of the
 * placement; {@code attempts}; {@code latencyMillis} from the first attempt to the last reply, including retries and pauses.
 */
final class AnswerLog implements AutoCloseable {
    private static final String HEADER =
            "job,idempotencyKey,outcome,status,code,reservation,start,end,attempts,latencyMillis\n";

    private final Writer rows;

    private AnswerLog(Writer rows) {
        this.rows = rows;
        write(HEADER);
    }

    /**
     * Creates a file. An existing file is not overwritten, because it may be the record of an earlier run.
     *
     * @throws ReplayException if the file exists or cannot be written
     */
    static AnswerLog create(Path file) {
        try {
            return new AnswerLog(Files.newBufferedWriter(file, StandardCharsets.UTF_8, StandardOpenOption.CREATE_NEW));
        } catch (FileAlreadyExistsException e) {
            throw ReplayException.badInput(
                    "--out is %s, which exists and may be the record of an earlier run. Choose another file or remove this one."
                            .formatted(file));
        } catch (IOException e) {
            throw ReplayException.badInput(
                    "--out is %s, which cannot be written (%s). Choose another file.".formatted(file, e));
        }
    }

    /** Returns a log that discards all rows. */
    static AnswerLog none() {
        return new AnswerLog(Writer.nullWriter());
    }

    /**
     * Writes a row.
     *
     * @throws UncheckedIOException if the row cannot be written
     */
    void add(long job, String key, RequestVerdict verdict, int attempts, Duration took) {
        write("%s,%s,%s,%s,%s\n"
                .formatted(
                        job,
                        key,
                        columnsOf(verdict),
                        attempts,
                        String.format(Locale.ROOT, "%.3f", took.toNanos() / 1e6)));
    }

    /** Returns the columns from outcome to end. */
    private static String columnsOf(RequestVerdict verdict) {
        return switch (verdict) {
            case RequestVerdict.Accepted accepted ->
                "accepted,%s,,%s,%s,%s"
                        .formatted(
                                accepted.status(),
                                accepted.reservation(),
                                Instant.ofEpochSecond(accepted.placement().start()),
                                Instant.ofEpochSecond(accepted.placement().end()));
            case RequestVerdict.Pending pending ->
                "pending,%s,,%s,,".formatted(pending.status(), pending.reservation());
            case RequestVerdict.Refused refused -> "refused,%s,%s,,,".formatted(refused.status(), refused.code());
            case RequestVerdict.Denied denied -> "refused,%s,%s,,,".formatted(denied.status(), denied.code());
            case RequestVerdict.Unknown unknown ->
                "unknown,%s,%s,,,".formatted(unknown.status() == 0 ? "" : unknown.status(), unknown.code());
            case RequestVerdict.Foreign foreign -> "unknown,%s,foreign,,,".formatted(foreign.status());
        };
    }

    @Override
    public void close() {
        try {
            rows.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private synchronized void write(String row) {
        try {
            rows.write(row);
            rows.flush();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
