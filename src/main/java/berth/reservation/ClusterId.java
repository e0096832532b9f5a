package berth.reservation;

import java.util.regex.Pattern;

/**
 * Names a cluster everywhere, in URLs too.
 *
 * @param value the name; one that is not well-formed names no cluster
 */
public record ClusterId(String value) implements Comparable<ClusterId> {

    private static final Pattern WELL_FORMED = Pattern.compile("[a-z0-9][a-z0-9-]{0,62}");

    /** Whether a cluster may be named so: 1 to 63 lower-case letters, digits and hyphens, no hyphen first. */
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
