package berth.rest;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.util.List;

/** Writes comma-separated values (RFC 4180). */
final class Csv {

    static final String TYPE = "text/csv";

    /** Characters at whose sight a spreadsheet takes a value for a formula. */
    private static final String BEGIN_FORMULAS = "=+-@\t\r";

    private Csv() {}

    /** Writes one line with the given values, quoted if needed. */
    static void line(Writer out, List<String> values) {
        try {
            for (int i = 0; i < values.size(); i++) {
                if (i > 0) {
                    out.write(',');
                }
                out.write(quoted(values.get(i)));
            }
            out.write("\r\n");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static String quoted(String value) {
        boolean isPlain =
                value.indexOf(',') < 0 && value.indexOf('"') < 0 && value.indexOf('\n') < 0 && value.indexOf('\r') < 0;
        return isPlain ? value : '"' + value.replace("\"", "\"\"") + '"';
    }

    /** Returns a client's text so that no spreadsheet takes it for a formula: with an apostrophe in front if needed. */
    static String text(String value) {
        return !value.isEmpty() && BEGIN_FORMULAS.indexOf(value.charAt(0)) >= 0 ? "'" + value : value;
    }
}
