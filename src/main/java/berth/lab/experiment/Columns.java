package berth.lab.experiment;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Stream;

/**
 * The columns of a table in order: the name of each and its value for a row. Immutable.
 *
 * @param <T> the type of a row
 */
public final class Columns<T> {
    private final List<Column<T>> columns;

    private record Column<T>(String name, Function<? super T, ?> value) {}

    private Columns(List<Column<T>> columns) {
        this.columns = columns;
    }

    /** Creates a table without columns, to which columns are added. */
    public Columns() {
        this(List.of());
    }

    /** Returns these columns and one more. */
    public Columns<T> with(String name, Function<? super T, ?> value) {
        return and(Stream.of(new Column<>(name, value)));
    }

    /**
     * Returns these columns followed by others.
     *
     * @param others the columns of something that belongs to a row
     * @param its returns what belongs to a row
     */
    public <P> Columns<T> with(Columns<P> others, Function<? super T, ? extends P> its) {
        return and(others.columns.stream()
                .map(other -> new Column<T>(other.name, row -> other.value.apply(its.apply(row)))));
    }

    private Columns<T> and(Stream<Column<T>> more) {
        var all = new ArrayList<>(columns);
        more.forEach(all::add);
        return new Columns<>(all);
    }

    /** Returns the names of the columns. */
    List<String> names() {
        return columns.stream().map(Column::name).toList();
    }

    /** Returns the value of each column for a row. */
    List<Object> valuesOf(T row) {
        List<Object> values = new ArrayList<>(columns.size());
        columns.forEach(column -> values.add(column.value.apply(row)));
        return values;
    }
}
