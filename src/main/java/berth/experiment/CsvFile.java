package berth.experiment;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * A table for other programs: a line of column names, then a line for each row, fields apart by commas, quoted where they
 * must be (RFC 4180, but lines end in a line feed alone). Numbers have at most six decimals; what is no number is empty.
 */
public final class CsvFile {
    private final int columns;
    private final List<String> lines = new ArrayList<>();

    /** A table without rows. */
    public CsvFile(String... columns) {
        this.columns = columns.length;
        add((Object[]) columns);
    }

    /**
     * One more row.
     *
     * @throws IllegalArgumentException if there are more or fewer fields than columns
     */
    public void add(Object... fields) {
        if (fields.length != columns) {
            throw new IllegalArgumentException(
                    "A row of %d fields has no place in %d columns.".formatted(fields.length, columns));
        }
        lines.add(Stream.of(fields).map(CsvFile::text).collect(Collectors.joining(",")));
    }

    /** All lines. */
    public List<String> lines() {
        return List.copyOf(lines);
    }

    /**
     * Writes a new file.
     *
     * @throws UncheckedIOException if it is there already or cannot be written
     */
    public void writeTo(Path file) {
        try {
            Files.write(file, lines, StandardOpenOption.CREATE_NEW);
        } catch (IOException e) {
            throw new UncheckedIOException("%s is missing or not complete: %s".formatted(file, e), e);
        }
    }

    private static String text(Object field) {
        if (field instanceof Double number) {
            return Double.isFinite(number) ? decimal(number) : "";
        }
        String text = field.toString();
        return text.matches("(?s).*[\",\r\n].*") ? '"' + text.replace("\"", "\"\"") + '"' : text;
    }

    private static String decimal(double number) {
        return String.format(Locale.ROOT, "%.6f", number).replaceFirst("\\.?0+$", "");
    }
}
