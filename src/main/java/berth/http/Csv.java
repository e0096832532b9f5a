package berth.http;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.util.List;
import java.util.regex.Pattern;

/** Writes comma-separated values (RFC 4180). */
public final class Csv {

    public static final String TYPE = "text/csv";

    /** Characters at whose sight a spreadsheet takes a value for a formula, in full width too. */
    private static final String BEGIN_FORMULAS = "=+-@\t\r\uFF1D\uFF0B\uFF0D\uFF20";

    /** Characters of a value that must be quoted; the last three end lines for some programs. */
    private static final Pattern SPECIAL = Pattern.compile("[,\"\n\r\u0085\u2028\u2029]");

    private Csv() {}

    /** Writes one line with the given values, quoted if needed. */
    public static void line(Writer out, List<String> values) {
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
        return SPECIAL.matcher(value).find() ? '"' + value.replace("\"", "\"\"") + '"' : value;
    }

    /** Returns a client's text so that no spreadsheet takes it for a formula: with an apostrophe in front if needed. */
    public static String text(String value) {
        return !value.isEmpty() && BEGIN_FORMULAS.indexOf(value.charAt(0)) >= 0 ? "'" + value : value;
    }
}
