package berth.lab.experiment;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.json.JsonMapper;

/**
 * A lock file that names the maker of a shard. It is needed because shared file systems do not always have locks that work across machines.
 * The file exists while the shard is being made and stays behind if its maker is killed.
 */
final class ShardLock implements AutoCloseable {
    private static final JsonMapper JSON = new JsonMapper();

    private final Path file;
    private final String content;
    private final Thread hook = new Thread(this::release, "shard-lock");

    /**
     * The maker of a shard.
     *
     * @param host its machine
     * @param pid its process
     * @param job its Slurm job, if any; a requeued job keeps its number
     * @param restarts how often the job was requeued
     */
    record Maker(String host, long pid, Optional<String> job, int restarts) {

        /**
         * Returns this program.
         *
         * @param environment the environment of the process
         */
        static Maker self(Map<String, String> environment) {
            return new Maker(
                    hostName(),
                    ProcessHandle.current().pid(),
                    Optional.ofNullable(environment.get("SLURM_JOB_ID")),
                    Integer.parseInt(environment.getOrDefault("SLURM_RESTART_COUNT", "0")));
        }

        private static String hostName() {
            try {
                return InetAddress.getLocalHost().getHostName();
            } catch (UnknownHostException e) {
                // different from every other machine's name
                return "a host without a known name, " + UUID.randomUUID();
            }
        }

        /** Whether another maker has certainly ended: its process is gone, or its job was restarted as this program. */
        private boolean knowsTheEndOf(Maker other) {
            boolean isGone =
                    host.equals(other.host) && ProcessHandle.of(other.pid).isEmpty();
            boolean isRequeued = job.isPresent() && job.equals(other.job) && restarts > other.restarts;
            return isGone || isRequeued;
        }

        @Override
        public String toString() {
            return "process %d on %s%s"
                    .formatted(
                            pid,
                            host,
                            job.map(number -> ", Slurm job " + number).orElse(""));
        }
    }

    private ShardLock(Path file, String content) {
        this.file = file;
        this.content = content;
    }

    /**
     * Creates the file. A file whose maker has certainly ended is replaced.
     *
     * @throws UnusableDirectory if another maker has the shard; the message names it and says what to do
     * @throws UncheckedIOException if the file cannot be created
     */
    static ShardLock take(Path file, Maker maker) {
        var lock = new ShardLock(file, JSON.writeValueAsString(maker));
        try {
            Files.createDirectories(file.toAbsolutePath().getParent());
            while (!lock.isMade()) {
                lock.clear(maker);
            }
        } catch (IOException e) {
            throw new UncheckedIOException("%s cannot be made: %s".formatted(file, e), e);
        }
        Runtime.getRuntime().addShutdownHook(lock.hook);
        return lock;
    }

    private boolean isMade() throws IOException {
        try {
            Files.writeString(file, content, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
            return true;
        } catch (FileAlreadyExistsException e) {
            return false;
        }
    }

    private void clear(Maker maker) throws IOException {
        Optional<Maker> other = Optional.empty();
        try {
            other = Optional.of(JSON.readValue(Files.readString(file), Maker.class));
        } catch (NoSuchFileException e) {
            return;
        } catch (JacksonException e) {
            // reported below
        }
        if (!other.map(maker::knowsTheEndOf).orElse(false)) {
            throw new UnusableDirectory(
                    "%s is making this shard. Wait until it has ended; if it has ended already, delete the file %s and give the command again."
                            .formatted(other.map(Maker::toString).orElse("another program"), file));
        }
        Files.deleteIfExists(file);
    }

    /** Deletes the file, unless it has been deleted meanwhile or now belongs to another maker. */
    private void release() {
        try {
            if (Files.readString(file).equals(content)) {
                Files.delete(file);
            }
        } catch (NoSuchFileException e) {
            // an operator has deleted it, as the message of another maker suggests
        } catch (IOException e) {
            throw new UncheckedIOException("%s cannot be deleted: %s".formatted(file, e), e);
        }
    }

    @Override
    public void close() {
        try {
            Runtime.getRuntime().removeShutdownHook(hook);
        } catch (IllegalStateException e) {
            // the process is shutting down, and the hook deletes the file
            return;
        }
        release();
    }
}
