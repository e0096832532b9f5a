package berth.runtime;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.io.UncheckedIOException;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.UUID;

/** The machine's uptime, independent of its clock. */
public final class Uptime {

    /** Read once: it is the same for as long as this process lives. */
    private static final String BOOT = boot(Path.of("/proc/sys/kernel/random/boot_id"));

    /** Stays open, so that a process that has no file descriptors left still knows the time. */
    private static final Optional<RandomAccessFile> UPTIME = open(Path.of("/proc/uptime"));

    private static final int MAX_LENGTH = 100;

    private Uptime() {}

    /** Returns a value that changes with each start of the machine, or of the process if the machine does not provide one. */
    public static String boot() {
        return BOOT;
    }

    /**
     * Returns the machine's uptime including sleep, or the time since some point of this process's life if the machine does not provide it.
     */
    public static Duration uptime() {
        return UPTIME.map(file -> Duration.ofMillis(new BigDecimal(read(file).split(" ", 2)[0])
                        .movePointRight(3)
                        .longValue()))
                .orElseGet(() -> Duration.ofNanos(System.nanoTime()));
    }

    private static String boot(Path file) {
        try {
            return Files.readString(file).strip();
        } catch (IOException e) {
            // not Linux
            return UUID.randomUUID().toString();
        }
    }

    private static Optional<RandomAccessFile> open(Path file) {
        try {
            return Optional.of(new RandomAccessFile(file.toFile(), "r"));
        } catch (IOException e) {
            // not Linux
            return Optional.empty();
        }
    }

    private static String read(RandomAccessFile file) {
        var bytes = new byte[MAX_LENGTH];
        synchronized (file) {
            try {
                file.seek(0);
                int length = file.read(bytes);
                return new String(bytes, 0, length, StandardCharsets.US_ASCII);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }
}
