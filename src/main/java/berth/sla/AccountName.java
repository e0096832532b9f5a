package berth.sla;

import java.util.regex.Pattern;

/**
 * The name of an account, which also appears in URLs.
 *
 * @param value the name; an account can exist only if the name is {@linkplain #isWellFormed well-formed}
 */
public record AccountName(String value) implements Comparable<AccountName> {

    private static final Pattern WELL_FORMED = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._@-]{0,62}");

    /** Whether the name has 1 to 63 letters, digits, dots, underscores, at signs and hyphens, beginning with a letter or digit. */
    public boolean isWellFormed() {
        return WELL_FORMED.matcher(value).matches();
    }

    @Override
    public int compareTo(AccountName other) {
        return value.compareTo(other.value);
    }

    @Override
    public String toString() {
        return value;
    }
}
