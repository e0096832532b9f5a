package berth.lab.experiment;

import berth.sla.Excerpt;
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
 * The completed runs of a study, one line of JSON each, so that an interrupted study continues where it was. The first line identifies the
 * study; an incomplete last line is dropped and its run repeated. Thread-safe, for one program at a time. Runs from the study's other logs,
 * those of shards, are read as well; other programs may be writing to those.
 *
 * @param <R> the parameters of a run
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
     * @param study the name of the study
     * @param runs the number of its runs
     * @param fingerprint identifies everything on which its figures depend
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
     * Opens or creates a run log.
     *
     * @param others other run logs of the same study to read
     * @param program the program that makes the runs; a run log of another version counts as that of another study, because its results may
     *     differ
     * @throws UnusableDirectory if one of the files is the run log of another study, two have different figures for a run, or another
     *     program writes to {@code file}; the message says what to do
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
        /** Locks the file. Returns null if another program has locked it. */
        @Nullable
        FileLock tryLock() throws IOException;
    }

    /** Returns all lines except an incomplete last one. */
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
                    "it has runs of another study or of another version of Berth in %s. Name another directory, or delete this one."
                            .formatted(from));
        }
        lines.subList(1, lines.size()).forEach(line -> takeLine(from, line));
    }

    /**
     * Prevents other programs from writing to a file, if possible.
     *
     * @return why that is impossible, if the file system has no locks; empty if the file is locked now
     * @throws UnusableDirectory if another program writes to it
     */
    static Optional<String> lock(FileLocking file) {
        try {
            if (file.tryLock() != null) {
                return Optional.empty();
            }
        } catch (OverlappingFileLockException e) {
            // reported below
        } catch (IOException e) {
            return Optional.of(String.valueOf(e.getMessage()));
        }
        throw new UnusableDirectory(
                "another program is writing to it. Wait until that program has ended, or name another directory.");
    }

    private void takeLine(Path from, String line) {
        try {
            var entry = JSON.readTree(line);
            R run = runs.get(entry.required("run").intValue());
            F figures = JSON.treeToValue(entry.required("figures"), study.kept());
            if (!figures.equals(kept.getOrDefault(run, figures))) {
                throw new UnusableDirectory(
                        "%s and another of its run logs have different figures for the same run: %s. They may come from machines of different kinds. Delete one of the two; its runs are made again."
                                .formatted(from, Excerpt.of(line, 80)));
            }
            kept.put(run, figures);
        } catch (JacksonException | IndexOutOfBoundsException e) {
            throw new UnusableDirectory(
                    "%s has a line that is not a run of this study: %s. Delete the file; its runs are made again."
                            .formatted(from, Excerpt.of(line, 80)),
                    e);
        }
    }

    /** Returns why other programs cannot be kept from writing to the file, if its file system has no locks; empty if they can. */
    Optional<String> unlocked() {
        return unlocked;
    }

    /** Returns the figures of the runs in this log and in the others when it was opened. */
    Map<R, F> kept() {
        return Map.copyOf(kept);
    }

    /**
     * Records the figures of a run.
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

    /** Cuts off an incomplete line, for example after the disk was full, so that another thread's line does not continue it. */
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
