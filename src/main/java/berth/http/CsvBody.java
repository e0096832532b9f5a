package berth.http;

import java.util.List;
import java.util.stream.Stream;

/** The body of a response that clients also get as comma-separated values, if they accept {@code text/csv}. */
public interface CsvBody {

    /** Returns the names of the columns. */
    List<String> columns();

    /** Returns the lines below the names. */
    Stream<List<String>> lines();
}
