package berth.store;

import java.sql.Array;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Writes any number of rows of a table by one statement, in which each column is one array parameter. The server therefore need not plan a
 * new statement for each number of rows.
 */
final class BatchWriter<R> {

    private final List<Column<R>> columns;
    private final String insert;
    private final String upsert;

    /**
     * A column.
     *
     * @param type the PostgreSQL type
     * @param value returns the value of a row: a {@link Long}, {@link Integer} or {@link Double} for those types, otherwise something whose
     *     text PostgreSQL can read
     */
    record Column<R>(String name, String type, Function<R, @Nullable Object> value) {}

    /**
     * Creates a writer for a table.
     *
     * @param key the names of the primary key's columns
     */
    BatchWriter(String table, Set<String> key, List<Column<R>> columns) {
        this.columns = columns;
        this.insert = "insert into %s (%s) select * from unnest(%s)"
                .formatted(
                        table,
                        joined(Column::name, _ -> true),
                        joined(column -> "?::" + column.type + "[]", _ -> true));
        this.upsert = "%s on conflict (%s) do update set %s"
                .formatted(
                        insert,
                        joined(Column::name, column -> key.contains(column.name)),
                        joined(
                                column -> column.name + " = excluded." + column.name,
                                column -> !key.contains(column.name)));
    }

    private String joined(Function<Column<R>, String> text, Predicate<Column<R>> which) {
        return columns.stream().filter(which).map(text).collect(Collectors.joining(", "));
    }

    /** Inserts new rows. */
    void insert(Connection connection, Collection<R> rows) throws SQLException {
        write(connection, insert, rows);
    }

    /** Inserts rows, replacing those with the same keys. No two of the rows may have the same key. */
    void upsert(Connection connection, Collection<R> rows) throws SQLException {
        write(connection, upsert, rows);
    }

    private void write(Connection connection, String sql, Collection<R> rows) throws SQLException {
        if (rows.isEmpty()) {
            return;
        }
        try (var statement = connection.prepareStatement(sql)) {
            for (int i = 0; i < columns.size(); i++) {
                statement.setArray(i + 1, array(connection, columns.get(i), rows.stream()));
            }
            statement.executeUpdate();
        }
    }

    private static <R> Array array(Connection connection, Column<R> column, Stream<R> rows) throws SQLException {
        var values = rows.map(column.value);
        return connection.createArrayOf(
                column.type,
                switch (column.type) {
                    case "bigint" -> values.toArray(Long[]::new);
                    case "integer" -> values.toArray(Integer[]::new);
                    case "double precision" -> values.toArray(Double[]::new);
                    default ->
                        values.map(value -> value == null ? null : value.toString())
                                .toArray(String[]::new);
                });
    }
}
