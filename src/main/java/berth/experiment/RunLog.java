package berth.experiment;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
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
import tools.jackson.core.JacksonException;
import tools.jackson.databind.json.JsonMapper;

/**
 * The runs of a study that are done, a line of JSON each, so that a study that was interrupted goes on where it was. The
 * first line says which study it is; a last line that was cut is made again. Thread-safe; one program at a time.
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

    private RunLog(Path file, FileChannel channel, Study<R, F> study) {
        this.file = file;
        this.channel = channel;
        this.study = study;
        this.runs = study.runs();
        for (int i = 0; i < runs.size(); i++) {
            numbers.put(runs.get(i), i);
        }
    }

    /**
     * Opens a run log, or begins it.
     *
     * @param program what makes the runs: another version may come to other figures
     * @throws UnusableDirectory if the file is the run log of another study or another program writes to it; the
     *     message says what to do
     * @throws UncheckedIOException if it cannot be read or written
     */
    static <R extends Record, F extends Record> RunLog<R, F> open(Path file, Study<R, F> study, String program) {
        try {
            Files.createDirectories(file.toAbsolutePath().getParent());
            FileChannel channel = FileChannel.open(
                    file, StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE);
            var runLog = new RunLog<>(file, channel, study);
            try {
                runLog.read(program);
                return runLog;
            } catch (RuntimeException | IOException e) {
                channel.close();
                throw e;
            }
        } catch (IOException e) {
            throw new UncheckedIOException("%s cannot be read or written: %s".formatted(file, e), e);
        }
    }

    private void read(String program) throws IOException {
        lock();
        String content = new String(Files.readAllBytes(file), StandardCharsets.UTF_8);
        String whole = content.substring(0, content.lastIndexOf('\n') + 1);
        channel.truncate(whole.getBytes(StandardCharsets.UTF_8).length);
        channel.position(channel.size());
        Head head = Head.of(study, runs.size(), program);
        if (whole.isEmpty()) {
            write(JSON.writeValueAsString(head));
            return;
        }
        List<String> lines = whole.lines().toList();
        if (!lines.getFirst().equals(JSON.writeValueAsString(head))) {
            throw new UnusableDirectory(
                    "it has runs of another study, or of another version of Berth, in %s. Name another directory, or delete this one."
                            .formatted(file));
        }
        lines.subList(1, lines.size()).forEach(this::take);
    }

    private void lock() throws IOException {
        try {
            if (channel.tryLock() != null) {
                return;
            }
        } catch (OverlappingFileLockException e) {
            // said below
        }
        throw new UnusableDirectory("another program is writing to it. Wait for it, or name another directory.");
    }

    private void take(String line) {
        try {
            var entry = JSON.readTree(line);
            R run = runs.get(entry.required("run").intValue());
            kept.put(run, JSON.treeToValue(entry.required("figures"), study.kept()));
        } catch (JacksonException | IndexOutOfBoundsException e) {
            throw new UnusableDirectory(
                    "%s has a line that is none of its own: %s. Delete the file, and its runs are made again."
                            .formatted(file, line.length() > 80 ? line.substring(0, 80) : line),
                    e);
        }
    }

    /** The figures of the runs that were in it when it was opened. */
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
