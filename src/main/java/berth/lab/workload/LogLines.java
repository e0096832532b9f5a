package berth.lab.workload;

import java.io.BufferedInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.zip.ZipException;

/**
 * The lines of a file, gzip-compressed or not, as its first two bytes show regardless of its name. If compressed data end early or are
 * damaged, the lines before that are read. Not thread-safe.
 */
final class LogLines implements AutoCloseable {

    /**
     * The most characters of a line; longer lines are cut off one character later, because a file that is not text may have no line ends.
     */
    static final int LONGEST = 10_000;

    private final Path file;
    private final InputStream bytes;
    private long number;
    private boolean isDamaged;

    private LogLines(Path file, InputStream bytes, boolean isDamaged) {
        this.file = file;
        this.bytes = bytes;
        this.isDamaged = isDamaged;
    }

    /**
     * Opens a file.
     *
     * @throws UnusableLog if it does not exist or cannot be read
     */
    static LogLines open(Path file) {
        BufferedInputStream bytes = null;
        try {
            bytes = new BufferedInputStream(Files.newInputStream(file), 1 << 16);
            return unpacked(file, bytes);
        } catch (IOException e) {
            if (bytes != null) {
                close(bytes);
            }
            throw UnusableLog.unreadable(file, e);
        }
    }

    private static LogLines unpacked(Path file, BufferedInputStream bytes) throws IOException {
        bytes.mark(2);
        boolean isGzip = bytes.read() == 0x1f && bytes.read() == 0x8b;
        bytes.reset();
        if (!isGzip) {
            return new LogLines(file, bytes, false);
        }
        try {
            // buffered once more, so that decompressed data are not lost if the next piece turns out to be damaged
            return new LogLines(file, new BufferedInputStream(new GzipMembers(bytes), 1 << 16), false);
        } catch (EOFException | ZipException e) {
            return new LogLines(file, bytes, true);
        }
    }

    /** Returns the next line without its end; empty at the end of the readable part. */
    Optional<String> next() {
        if (isDamaged) {
            return Optional.empty();
        }
        number++;
        try {
            int first = bytes.read();
            return first < 0 ? Optional.empty() : Optional.of(lineFrom(first));
        } catch (EOFException | ZipException e) {
            isDamaged = true;
            return Optional.empty();
        } catch (IOException e) {
            throw UnusableLog.unreadable(file, e);
        }
    }

    private String lineFrom(int first) throws IOException {
        StringBuilder line = new StringBuilder(128);
        for (int c = first; c >= 0 && c != '\n'; c = bytes.read()) {
            if (line.length() <= LONGEST) {
                line.append((char) c);
            }
        }
        return line.toString();
    }

    /** Returns the number of the last line that was read, from 1, or of the line after it if that is damaged. */
    long number() {
        return Math.max(1, number);
    }

    /** Whether the compressed data end early or are damaged. */
    boolean isDamaged() {
        return isDamaged;
    }

    @Override
    public void close() {
        close(bytes);
    }

    private static void close(InputStream input) {
        try {
            input.close();
        } catch (IOException e) {
            // the file was only read, so nothing is lost
        }
    }
}
