package berth.workload;

import java.io.BufferedInputStream;
import java.io.BufferedReader;
import java.io.Closeable;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.Reader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.Optional;
import java.util.zip.GZIPInputStream;
import java.util.zip.ZipException;

/**
 * Reads a log in the Standard Workload Format one record at a time, so that a log of any length takes the memory of one
 * line. Whether the file is gzip-compressed is told by its first two bytes, not by its name.
 *
 * <p>The format: lines that begin with {@code ;} are comments, those before the first job the header; each other line is
 * a job of 18 numbers between white space, in the order of their submit times.
 *
 * <p>Not thread-safe. Every method throws {@link SwfException} where the file cannot be read or is no such log; a fault
 * is found when its line is reached, not before.
 */
public final class SwfReader implements Iterator<SwfJob>, AutoCloseable {
    private static final int LONGEST_LINE = 10_000;

    private final Path file;
    private final Reader text;
    private final SwfHeader header;
    private long line;
    private long lastSubmit;
    private Optional<SwfJob> ahead;

    private SwfReader(Path file, Reader text) {
        this.file = file;
        this.text = text;
        List<String> comments = new ArrayList<>();
        this.ahead = nextJob(comments);
        this.header = SwfHeader.of(comments);
        if (comments.isEmpty() && ahead.isEmpty()) {
            throw SwfException.empty(file);
        }
    }

    /** Opens the log and reads it up to its first job. */
    public static SwfReader open(Path file) {
        InputStream bytes;
        try {
            bytes = new BufferedInputStream(Files.newInputStream(file), 1 << 16);
        } catch (IOException e) {
            throw SwfException.unreadable(file, e);
        }
        try {
            return new SwfReader(
                    file, new BufferedReader(new InputStreamReader(unpacked(bytes), StandardCharsets.ISO_8859_1)));
        } catch (EOFException | ZipException e) {
            close(bytes);
            throw SwfException.damaged(file, 1, e);
        } catch (IOException e) {
            close(bytes);
            throw SwfException.unreadable(file, e);
        } catch (SwfException e) {
            close(bytes);
            throw e;
        }
    }

    public SwfHeader header() {
        return header;
    }

    @Override
    public boolean hasNext() {
        return ahead.isPresent();
    }

    /** The next job; the one after it is read and checked at the same time. */
    @Override
    public SwfJob next() {
        SwfJob job = ahead.orElseThrow(() -> new NoSuchElementException("The log has no more jobs."));
        ahead = nextJob(new ArrayList<>());
        return job;
    }

    @Override
    public void close() {
        close(text);
    }

    private Optional<SwfJob> nextJob(List<String> comments) {
        for (Optional<String> read = nextLine(); read.isPresent(); read = nextLine()) {
            String content = read.get().strip();
            if (content.startsWith(";")) {
                comments.add(content);
            } else if (!content.isEmpty()) {
                SwfJob job = SwfRecord.parse(content, fault -> SwfException.malformed(file, line, fault));
                if (job.submit() < lastSubmit) {
                    throw SwfException.malformed(
                            file,
                            line,
                            "the submit time (%d) must not lie before %d, that of the job above or the log's start. "
                                            .formatted(job.submit(), lastSubmit)
                                    + "Maybe sort the log by its second field.");
                }
                lastSubmit = job.submit();
                return Optional.of(job);
            }
        }
        return Optional.empty();
    }

    /** A line without its end; bounded, since a file that is no text may have no line ends at all. */
    private Optional<String> nextLine() {
        line++;
        try {
            StringBuilder content = new StringBuilder(128);
            int c = text.read();
            if (c < 0) {
                return Optional.empty();
            }
            for (; c >= 0 && c != '\n'; c = text.read()) {
                if (content.length() == LONGEST_LINE) {
                    throw SwfException.malformed(
                            file, line, "is longer than %d characters, so this is no SWF log.".formatted(LONGEST_LINE));
                }
                content.append((char) c);
            }
            return Optional.of(content.toString());
        } catch (EOFException | ZipException e) {
            throw SwfException.damaged(file, line, e);
        } catch (IOException e) {
            throw SwfException.unreadable(file, e);
        }
    }

    private static InputStream unpacked(InputStream bytes) throws IOException {
        bytes.mark(2);
        boolean isGzip = bytes.read() == 0x1f && bytes.read() == 0x8b;
        bytes.reset();
        return isGzip ? new GZIPInputStream(bytes, 1 << 16) : bytes;
    }

    private static void close(Closeable input) {
        try {
            input.close();
        } catch (IOException e) {
            // it was only read: nothing is lost
        }
    }
}
