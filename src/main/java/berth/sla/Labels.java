package berth.sla;

import java.math.BigDecimal;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The rules for labels: names with values that a cluster carries and a request can require. A required whole number means that number or
 * more. Every other value must be carried as it is; this includes versions such as 8.10, which are no numbers.
 */
public final class Labels {

    /** The most labels of one cluster or request. */
    public static final int MAX = 64;

    private static final Pattern WORD = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._/-]{0,62}");
    private static final Pattern NUMBER = Pattern.compile("0|[1-9][0-9]*");

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

    /**
     * Returns why carried labels do not meet the required ones: the one that is furthest from it; empty if they do. It does not matter
     * whether other labels are carried.
     */
    public static Optional<Violation> missing(Map<String, String> required, Map<String, String> carried) {
        return required.entrySet().stream()
                .sorted(Map.Entry.comparingByKey())
                .flatMap(label -> missing(label.getKey(), label.getValue(), carried.get(label.getKey())).stream())
                .reduce((one, other) -> other.excess() > one.excess() ? other : one);
    }

    private static Optional<Violation> missing(String name, String required, @Nullable String carried) {
        if (required.equals(carried)) {
            return Optional.empty();
        }
        if (carried == null || !isNumber(required) || !isNumber(carried)) {
            return Optional.of(new Violation("requires", "the cluster does not carry %s=%s".formatted(name, required)));
        }
        var wanted = new BigDecimal(required);
        var present = new BigDecimal(carried);
        return wanted.compareTo(present) <= 0
                ? Optional.empty()
                : Optional.of(new Violation(
                        "requires",
                        "the cluster carries %s=%s, which is less than %s".formatted(name, carried, required),
                        wanted.doubleValue() / present.doubleValue()));
    }

    /** Whether the value is a whole number: digits without a leading zero, and nothing else. */
    private static boolean isNumber(String value) {
        return NUMBER.matcher(value).matches();
    }
}
