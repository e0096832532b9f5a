package berth.experiment;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.json.JsonMapper;

/**
 * The runs of a study that are done, a line of JSON each, so that a study that was interrupted goes on where it was. The
 * first line says which study it is; a last line that was cut is made again. Thread-safe; one program at a time. Runs are taken
 * from other logs of the study as well, those of shards; others may be writing to them.
 *
 * @param <R> what a run varies
 * @param <F> the figures of a run
 */
final class RunLog<R extends Record, F extends Record> implements AutoCloseable {
    private static final JsonMapper JSON = new JsonMapper();

    private final Path file;
    private final FileChannel channel;
    private final Study<R, F> study;
    private final List<R> runs;
    private final Map<R, Integer> numbers = new LinkedHashMap<>();
    private final Map<R, F> kept = new LinkedHashMap<>();
    private final String head;
    private Optional<String> unlocked = Optional.empty();

    /**
     * The first line.
     *
     * @param study its name
     * @param runs how many it has
     * @param fingerprint of all that its figures depend on
     */
    private record Head(String study, int runs, String fingerprint) {
        static Head of(Study<?, ?> study, int runs, String program) {
            return new Head(study.name(), runs, digest(program + '\n' + study.title() + '\n' + study));
        }

        private static String digest(String text) {
            try {
                var sha = MessageDigest.getInstance("SHA-256");
                return HexFormat.of().formatHex(sha.digest(text.getBytes(StandardCharsets.UTF_8)));
            } catch (NoSuchAlgorithmException e) {
                throw new IllegalStateException("Every Java has SHA-256.", e);
            }
        }
    }

    private RunLog(Path file, FileChannel channel, Study<R, F> study, String program) {
        this.file = file;
        this.channel = channel;
        this.study = study;
        this.runs = study.runs();
        for (int i = 0; i < runs.size(); i++) {
            numbers.put(runs.get(i), i);
        }
        this.head = JSON.writeValueAsString(Head.of(study, runs.size(), program));
    }

    /**
     * Opens a run log, or begins it.
     *
     * @param others run logs of the same study to be read beside it
     * @param program what makes the runs: another version may come to other figures
     * @throws UnusableDirectory if one of the files is the run log of another study, two have different figures of a run,
     *     or another program writes to {@code file}; the message says what to do
     * @throws UncheckedIOException if they cannot be read, or {@code file} cannot be written
     */
    static <R extends Record, F extends Record> RunLog<R, F> open(
            Path file, List<Path> others, Study<R, F> study, String program) {
        try {
            Files.createDirectories(file.toAbsolutePath().getParent());
            FileChannel channel = FileChannel.open(
                    file, StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE);
            var runLog = new RunLog<>(file, channel, study, program);
            try {
                runLog.begin();
                for (Path other : others) {
                    runLog.take(other, whole(other));
                }
                return runLog;
            } catch (RuntimeException | IOException e) {
                channel.close();
                throw e;
            }
        } catch (IOException e) {
            throw new UncheckedIOException("%s cannot be read or written: %s".formatted(file, e), e);
        }
    }

    private void begin() throws IOException {
        unlocked = lock(channel::tryLock);
        String whole = whole(file);
        channel.truncate(whole.getBytes(StandardCharsets.UTF_8).length);
        channel.position(channel.size());
        if (whole.isEmpty()) {
            write(head);
        }
        take(file, whole);
    }

    /** Locks a file. */
    interface FileLocking {
        /** None if another program has locked it. */
        @Nullable
        FileLock tryLock() throws IOException;
    }

    /** All lines but a last one that is cut. */
    private static String whole(Path file) throws IOException {
        String content = Files.readString(file);
        return content.substring(0, content.lastIndexOf('\n') + 1);
    }

    private void take(Path from, String whole) {
        if (whole.isEmpty()) {
            return;
        }
        List<String> lines = whole.lines().toList();
        if (!lines.getFirst().equals(head)) {
            throw new UnusableDirectory(
                    "it has runs of another study, or of another version of Berth, in %s. Name another directory, or delete this one."
                            .formatted(from));
        }
        lines.subList(1, lines.size()).forEach(line -> takeLine(from, line));
    }

    /**
     * Keeps other programs from writing to a file, if that can be.
     *
     * @return why not, if its file system has no locks
     * @throws UnusableDirectory if another program writes to it
     */
    static Optional<String> lock(FileLocking file) {
        try {
            if (file.tryLock() != null) {
                return Optional.empty();
            }
        } catch (OverlappingFileLockException e) {
            // said below
        } catch (IOException e) {
            return Optional.of(String.valueOf(e.getMessage()));
        }
        throw new UnusableDirectory("another program is writing to it. Wait for it, or name another directory.");
    }

    private void takeLine(Path from, String line) {
        try {
            var entry = JSON.readTree(line);
            R run = runs.get(entry.required("run").intValue());
            F figures = JSON.treeToValue(entry.required("figures"), study.kept());
            if (!figures.equals(kept.getOrDefault(run, figures))) {
                throw new UnusableDirectory(
                        "%s and another of its run logs have different figures of one run: %s. Were they made on machines of different kinds? Delete one of the two, and its runs are made again."
                                .formatted(from, shortened(line)));
            }
            kept.put(run, figures);
        } catch (JacksonException | IndexOutOfBoundsException e) {
            throw new UnusableDirectory(
                    "%s has a line that is none of its own: %s. Delete the file, and its runs are made again."
                            .formatted(from, shortened(line)),
                    e);
        }
    }

    private static String shortened(String line) {
        return line.length() > 80 ? line.substring(0, 80) : line;
    }

    /** Why nothing keeps other programs from writing to it at the same time, if its file system has no locks. */
    Optional<String> unlocked() {
        return unlocked;
    }

    /** The figures of the runs that were in it, or in one of the others, when it was opened. */
    Map<R, F> kept() {
        return Map.copyOf(kept);
    }

    /**
     * Keeps the figures of a run.
     *
     * @throws UncheckedIOException if they cannot be written
     */
    synchronized void keep(R run, F figures) {
        try {
            write("{\"run\":" + numbers.get(run) + ",\"figures\":" + JSON.writeValueAsString(figures) + '}');
        } catch (IOException e) {
            throw new UncheckedIOException("%s cannot be written: %s".formatted(file, e), e);
        }
    }

    private void write(String line) throws IOException {
        var bytes = ByteBuffer.wrap((line + '\n').getBytes(StandardCharsets.UTF_8));
        long end = channel.position();
        try {
            while (bytes.hasRemaining()) {
                channel.write(bytes);
            }
        } catch (IOException e) {
            cutTo(end, e);
            throw e;
        }
    }

    /** So that a line of another thread does not go on where one has broken off, as when the disk was full for a moment. */
    private void cutTo(long end, IOException failure) {
        try {
            channel.truncate(end);
        } catch (IOException e) {
            failure.addSuppressed(e);
        }
    }

    @Override
    public void close() {
        try {
            channel.close();
        } catch (IOException e) {
            throw new UncheckedIOException("%s cannot be closed: %s".formatted(file, e), e);
        }
    }
}
