package berth.experiment;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/** Where the tables of a study go. What is there already is never written over: it may be the record of another study. */
public final class ReportDirectory {
    private final Path path;

    private ReportDirectory(Path path) {
        this.path = path;
    }

    /**
     * Makes the directory where it is missing, before anything is run in vain.
     *
     * @throws IllegalArgumentException if it cannot be made or written to, or has one of the {@code files}; the message
     *     says what to do
     */
    public static ReportDirectory prepare(Path path, String... files) {
        if (Files.exists(path) && !Files.isDirectory(path)) {
            throw new IllegalArgumentException("it is no directory. Name another one.");
        }
        try {
            Files.createDirectories(path);
        } catch (IOException e) {
            throw new IllegalArgumentException("it cannot be made (%s). Name another directory.".formatted(e), e);
        }
        if (!Files.isWritable(path)) {
            throw new IllegalArgumentException("it cannot be written to. Allow it, or name another directory.");
        }
        for (String file : files) {
            if (Files.exists(path.resolve(file))) {
                throw new IllegalArgumentException(
                        "it has a %s already, which may be the record of another study. Name another directory."
                                .formatted(file));
            }
        }
        return new ReportDirectory(path);
    }

    /**
     * Writes a table.
     *
     * @throws UncheckedIOException if it cannot be written
     */
    public void write(String file, CsvFile table) {
        table.writeTo(path.resolve(file));
    }

    /**
     * Writes a chart.
     *
     * @throws UncheckedIOException if it is there already or cannot be written
     */
    public void write(String file, LineChart chart) {
        try {
            Files.write(path.resolve(file), chart.svg(), StandardOpenOption.CREATE_NEW);
        } catch (IOException e) {
            throw new UncheckedIOException("%s is missing or not complete: %s".formatted(file, e), e);
        }
    }
}
