package berth.lab.experiment;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * The directory of results: {@code runs} with the completed runs, a directory for each study, and the page.
 *
 * <p>It is new or empty, or has the run logs of earlier commands. Completed runs of the same study are not repeated, and its tables are
 * written again with the same content; other studies stay. The page is that of the last command.
 */
final class ReportDirectory {
    private static final String RUNS = "runs";
    private static final String JSONL = ".jsonl";

    private final Path path;

    private ReportDirectory(Path path) {
        this.path = path;
    }

    /**
     * Creates the directory if necessary, before any run.
     *
     * @throws UnusableDirectory if it cannot be created or written, or has unrelated files; the message says what to do
     */
    static ReportDirectory prepare(Path path) {
        if (Files.exists(path) && !Files.isDirectory(path)) {
            throw new UnusableDirectory("it is not a directory. Name a directory.");
        }
        try {
            Files.createDirectories(path);
        } catch (IOException e) {
            throw new UnusableDirectory("it cannot be created (%s). Name another directory.".formatted(e), e);
        }
        if (!Files.isWritable(path)) {
            throw new UnusableDirectory("it is not writable. Make it writable, or name another directory.");
        }
        // in this order, because another shard may be creating the directory of runs
        if (!isEmpty(path) && !Files.isDirectory(path.resolve(RUNS))) {
            throw new UnusableDirectory("it has files already, but no runs of Berth. Name an empty or new directory.");
        }
        return new ReportDirectory(path);
    }

    private static boolean isEmpty(Path directory) {
        try (Stream<Path> files = Files.list(directory)) {
            return files.findAny().isEmpty();
        } catch (IOException e) {
            throw new UnusableDirectory("it cannot be read (%s). Name another directory.".formatted(e), e);
        }
    }

    /** Returns the file with the runs of a study. */
    Path runLog(String study) {
        return path.resolve(RUNS).resolve(study + JSONL);
    }

    /** Returns the file with a shard's runs of a study. */
    Path runLog(String study, Shard shard) {
        return path.resolve(RUNS).resolve(study + '.' + shard.fileName() + JSONL);
    }

    /** Returns the files with the runs of a study by all shards, by name. */
    List<Path> shardRunLogs(String study) {
        var form = Pattern.compile(Pattern.quote(study) + "\\.\\d+-of-\\d+" + Pattern.quote(JSONL));
        try (Stream<Path> files = Files.list(path.resolve(RUNS))) {
            return files.filter(
                            file -> form.matcher(file.getFileName().toString()).matches())
                    .sorted()
                    .toList();
        } catch (NoSuchFileException e) {
            return List.of();
        } catch (IOException e) {
            throw new UncheckedIOException("%s cannot be read: %s".formatted(path.resolve(RUNS), e), e);
        }
    }

    /** Returns the lock file of a shard. */
    Path lock(Shard shard) {
        return path.resolve(RUNS).resolve(shard.fileName() + ".lock");
    }

    /** Returns the directory of a study. */
    ReportDirectory of(String study) {
        Path directory = path.resolve(study);
        try {
            Files.createDirectories(directory);
        } catch (IOException e) {
            throw new UncheckedIOException("%s cannot be made: %s".formatted(directory, e), e);
        }
        return new ReportDirectory(directory);
    }

    /**
     * Writes a file; an existing one is replaced once the new one is complete.
     *
     * @throws UncheckedIOException if it cannot be written
     */
    void write(String file, List<String> lines) {
        Path target = path.resolve(file);
        Path part = path.resolve(file + ".part");
        try {
            Files.write(part, lines);
            Files.move(part, target, StandardCopyOption.REPLACE_EXISTING);
        } catch (IOException e) {
            throw new UncheckedIOException("%s could not be written completely: %s".formatted(target, e), e);
        }
    }

    @Override
    public String toString() {
        return path.toString();
    }
}
