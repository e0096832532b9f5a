package berth.experiment;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.stream.Stream;

/**
 * Where what studies find is kept: {@code runs}, the runs that are done; a directory for each study; and the page.
 *
 * <p>It is new or empty, or has the run logs of earlier commands: runs of the same study that are done are not made again, and
 * its tables, which come out the same, are written anew; other studies stay beside it. The page is that of the last command.
 */
final class ReportDirectory {
    private static final String RUNS = "runs";

    private final Path path;

    private ReportDirectory(Path path) {
        this.path = path;
    }

    /**
     * Makes the directory where it is missing, before anything is run in vain.
     *
     * @throws UnusableDirectory if it cannot be made or written to, or has files of something else; the message says
     *     what to do
     */
    static ReportDirectory prepare(Path path) {
        if (Files.exists(path) && !Files.isDirectory(path)) {
            throw new UnusableDirectory("it is no directory. Name another one.");
        }
        try {
            Files.createDirectories(path);
        } catch (IOException e) {
            throw new UnusableDirectory("it cannot be made (%s). Name another directory.".formatted(e), e);
        }
        if (!Files.isWritable(path)) {
            throw new UnusableDirectory("it cannot be written to. Allow it, or name another directory.");
        }
        if (!Files.isDirectory(path.resolve(RUNS)) && !isEmpty(path)) {
            throw new UnusableDirectory(
                    "it has files already, which may be the record of something else. Name another directory.");
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

    /** The file that keeps the runs of a study. */
    Path runLog(String study) {
        return path.resolve(RUNS).resolve(study + ".jsonl");
    }

    /** The directory of a study. */
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
     * Writes a file; one of that name is replaced when the new one is complete.
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
            throw new UncheckedIOException("%s is missing or not complete: %s".formatted(target, e), e);
        }
    }

    @Override
    public String toString() {
        return path.toString();
    }
}
