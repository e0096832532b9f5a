package berth.database;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;
import org.jspecify.annotations.Nullable;

/**
 * The directory with everything that Berth keeps on this machine. Only one process can use it at a time: it holds a file lock, which the
 * operating system releases however the process ends.
 */
public final class DataDirectory implements AutoCloseable {

    private final Path path;
    private final FileChannel channel;

    /** Another process uses the directory. */
    static final class InUse extends StartRefused {
        private InUse(Path directory, String process) {
            super(
                    "The data directory %s is in use by process %s.".formatted(directory, process),
                    "Stop that process, or set BERTH_DATA_DIR to another directory. If several instances are to stand in for each other,"
                            + " give each its own directory and all the same PostgreSQL: BERTH_INSTANCES_MODE=MANY, SPRING_DATASOURCE_URL.");
        }
    }

    /**
     * Locks the directory.
     *
     * @throws StartRefused if another process uses it or it cannot be written
     */
    public DataDirectory(Path path) {
        this.path = path.toAbsolutePath().normalize();
        try {
            createPrivateDirectory(this.path);
            var file = this.path.resolve("berth.lock");
            channel = FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
            if (tryLock() == null) {
                channel.close();
                throw new InUse(this.path, Files.readString(file).strip());
            }
            channel.truncate(0);
            channel.write(ByteBuffer.wrap(
                    "%d%n".formatted(ProcessHandle.current().pid()).getBytes()));
        } catch (IOException e) {
            throw new StartRefused(
                    "The data directory %s cannot be used: %s".formatted(this.path, e),
                    "Make it writable for the user that runs Berth, or set BERTH_DATA_DIR to another directory.");
        }
    }

    /** Creates a directory that only its owner can open. */
    private static void createPrivateDirectory(Path directory) throws IOException {
        if (!Files.isDirectory(directory)) {
            var parent = directory.getParent();
            if (parent != null) {
                Files.createDirectories(parent);
            }
            Files.createDirectory(directory, ownerOnly(directory, "rwx------"));
        }
    }

    private static FileAttribute<?>[] ownerOnly(Path path, String permissions) {
        return path.getFileSystem().supportedFileAttributeViews().contains("posix")
                ? new FileAttribute<?>[] {
                    PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString(permissions))
                }
                : new FileAttribute<?>[0];
    }

    private @Nullable FileLock tryLock() throws IOException {
        try {
            return channel.tryLock();
        } catch (OverlappingFileLockException e) {
            return null;
        }
    }

    public Path resolve(String name) {
        return path.resolve(name);
    }

    /** Returns the directory of that name, creating it if necessary; only its owner can open it. */
    Path privateDirectory(String name) throws IOException {
        createPrivateDirectory(resolve(name));
        return resolve(name);
    }

    /** Returns an empty file of that name that only its owner can read. An existing file is renamed to {@code .old}. */
    Path freshFile(String name) throws IOException {
        var file = resolve(name);
        if (Files.exists(file)) {
            Files.move(file, resolve(name + ".old"), StandardCopyOption.REPLACE_EXISTING);
        }
        return Files.createFile(file, ownerOnly(file, "rw-------"));
    }

    /** Creates an empty file that only its owner can read, replacing an existing one. */
    public static void createPrivateFile(Path file) throws IOException {
        Files.deleteIfExists(file);
        Files.createFile(file, ownerOnly(file, "rw-------"));
    }

    /** Writes, atomically, a file that only its owner can read. */
    public Path writeSecret(String name, String secret) {
        try {
            var file = resolve(name);
            var draft = resolve(name + ".new");
            createPrivateFile(draft);
            Files.writeString(draft, secret + "\n");
            return Files.move(draft, file, StandardCopyOption.ATOMIC_MOVE);
        } catch (IOException e) {
            throw new UncheckedIOException("%s cannot be written.".formatted(resolve(name)), e);
        }
    }

    @Override
    public void close() throws IOException {
        channel.close();
    }
}
