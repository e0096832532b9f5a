package berth.lab.workload;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The header comments of a log, such as {@code ; MaxProcs: 128}. If a label ({@code Queue}, {@code Note}) occurs repeatedly, the first one
 * counts.
 *
 * @param fields the texts by label
 */
public record SwfHeader(Map<String, String> fields) {
    private static final Pattern COMMENT = Pattern.compile(";\\s*(\\w+)\\s*:\\s*(.*?)\\s*");
    private static final Pattern LEADING_NUMBER = Pattern.compile("(\\d{1,18})\\b.*");

    public SwfHeader {
        fields = Map.copyOf(fields);
    }

    static SwfHeader of(Iterable<String> comments) {
        Map<String, String> fields = new LinkedHashMap<>();
        for (String comment : comments) {
            Matcher matcher = COMMENT.matcher(comment);
            if (matcher.matches()) {
                fields.putIfAbsent(matcher.group(1), matcher.group(2));
            }
        }
        return new SwfHeader(fields);
    }

    /** Returns the number with which a field begins; empty if the field is missing, unknown (-1) or not a number. */
    public OptionalLong number(String label) {
        Matcher matcher = LEADING_NUMBER.matcher(fields.getOrDefault(label, ""));
        return matcher.matches() ? OptionalLong.of(Long.parseLong(matcher.group(1))) : OptionalLong.empty();
    }

    /** Returns the time of the log's second 0, in seconds since the epoch ({@code UnixStartTime}). */
    public OptionalLong unixStartTime() {
        return number("UnixStartTime");
    }

    /** Returns the PEs of the machine, at least 1: {@code MaxProcs}, or {@code MaxNodes} if the log counts only nodes. */
    public OptionalInt machinePes() {
        OptionalLong pes = number("MaxProcs").isPresent() ? number("MaxProcs") : number("MaxNodes");
        return pes.isPresent() && pes.getAsLong() >= 1 && pes.getAsLong() <= Integer.MAX_VALUE
                ? OptionalInt.of((int) pes.getAsLong())
                : OptionalInt.empty();
    }
}
