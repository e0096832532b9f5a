package berth.reservation;

import java.util.regex.Pattern;

/**
 * The name of a cluster, which also appears in URLs.
 *
 * @param value the name; a cluster can exist only if the name is {@linkplain #isWellFormed well-formed}
 */
public record ClusterId(String value) implements Comparable<ClusterId> {

    private static final Pattern WELL_FORMED = Pattern.compile("[a-z0-9][a-z0-9-]{0,62}");

    /** Whether the name has 1 to 63 lower-case letters, digits and hyphens and does not begin with a hyphen. */
    public boolean isWellFormed() {
        return WELL_FORMED.matcher(value).matches();
    }

    @Override
    public int compareTo(ClusterId other) {
        return value.compareTo(other.value);
    }

    @Override
    public String toString() {
        return value;
    }
}
