package berth.desk;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.math.BigDecimal;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.UUID;

/** The machine's uptime, independent of its clock. */
public final class Uptime {

    private static final Path BOOT = Path.of("/proc/sys/kernel/random/boot_id");
    private static final Path UPTIME = Path.of("/proc/uptime");

    private static final boolean IS_LINUX = Files.isReadable(BOOT) && Files.isReadable(UPTIME);

    private static final String THIS_PROCESS = UUID.randomUUID().toString();

    private Uptime() {}

    /** Returns a value that changes with each start of the machine, or of the process if the machine does not provide one. */
    public static String boot() {
        return IS_LINUX ? read(BOOT) : THIS_PROCESS;
    }

    /**
     * Returns the machine's uptime including sleep, or the time since some point of this process's life if the machine does not provide it.
     */
    public static Duration uptime() {
        return IS_LINUX
                ? Duration.ofMillis(new BigDecimal(read(UPTIME).split(" ", 2)[0])
                        .movePointRight(3)
                        .longValue())
                : Duration.ofNanos(System.nanoTime());
    }

    private static String read(Path file) {
        try {
            return Files.readString(file).strip();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
