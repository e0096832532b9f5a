package berth.sla;

import java.util.Map;
import java.util.regex.Pattern;

/** The rules for labels: names with values that a cluster carries and a request can require. */
public final class Labels {

    /** The most labels of one cluster or request. */
    public static final int MAX = 64;

    private static final Pattern WORD = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._/-]{0,62}");

    private Labels() {}

    /**
     * Checks labels.
     *
     * @throws InvalidFigure if there are too many labels or one is not well-formed; it names {@code field}
     */
    public static void require(String field, Map<String, String> labels) {
        boolean wellFormed = labels.entrySet().stream()
                .allMatch(label -> WORD.matcher(label.getKey()).matches()
                        && WORD.matcher(label.getValue()).matches());
        if (labels.size() > MAX || !wellFormed) {
            throw new InvalidFigure(
                    field,
                    labels,
                    "must be at most %d names with values, each of 1 to 63 letters, digits, dots, hyphens, underscores and"
                                    .formatted(MAX)
                            + " slashes");
        }
    }
}
