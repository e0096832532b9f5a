package berth.lab.experiment;

import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * A table for other programs: a line with the names of the columns and a line for each row, with fields separated by commas and quoted if
 * necessary (RFC 4180, except that lines end with a single line feed). Numbers have at most six decimals; NaN and infinity are empty
 * fields.
 *
 * @param lines all lines
 */
public record CsvFile(List<String> lines) {

    public CsvFile {
        lines = List.copyOf(lines);
    }

    /** Returns a table with the rows in the given order. */
    public static <T> CsvFile of(Columns<T> columns, Collection<? extends T> rows) {
        return new CsvFile(
                Stream.concat(Stream.of(columns.names()), rows.stream().map(row -> columns.valuesOf(row)))
                        .map(CsvFile::line)
                        .toList());
    }

    private static String line(List<?> fields) {
        return fields.stream().map(CsvFile::text).collect(Collectors.joining(","));
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
