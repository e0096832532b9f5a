package berth.lab.experiment;

import java.io.PrintWriter;
import java.util.Collection;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * A table for a terminal and a page.
 *
 * @param title the heading
 * @param note a note below it, in complete sentences; may be empty
 * @param columns the names of the columns
 * @param rows the texts of each row
 */
public record TextTable(String title, String note, List<String> columns, List<List<String>> rows) {

    /** @throws IllegalArgumentException if a row does not have a text for each column */
    public TextTable {
        columns = List.copyOf(columns);
        rows = rows.stream().map(List::copyOf).toList();
        for (List<String> row : rows) {
            if (row.size() != columns.size()) {
                throw new IllegalArgumentException(
                        "A row with %d cells does not fit %d columns.".formatted(row.size(), columns.size()));
            }
        }
    }

    /** Returns a table of the rows in the given order, with values as texts. */
    public static <T> TextTable of(String title, String note, Columns<T> columns, Collection<? extends T> rows) {
        return new TextTable(
                title,
                note,
                columns.names(),
                rows.stream()
                        .map(row -> columns.valuesOf(row).stream()
                                .map(String::valueOf)
                                .toList())
                        .toList());
    }

    void print(PrintWriter out) {
        out.printf("%n%s%n", title);
        printRow(columns, out);
        rows.forEach(row -> printRow(row, out));
        if (!note.isEmpty()) {
            out.println(note);
        }
    }

    private void printRow(List<String> row, PrintWriter out) {
        out.println(IntStream.range(0, columns.size())
                .mapToObj(i -> padded(row.get(i), width(i)))
                .collect(Collectors.joining("  "))
                .stripTrailing());
    }

    private int width(int column) {
        return rows.stream()
                .mapToInt(row -> row.get(column).length())
                .reduce(columns.get(column).length(), Math::max);
    }

    private static String padded(String text, int width) {
        return text + " ".repeat(width - text.length());
    }
}
