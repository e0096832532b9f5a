package berth.sla;

import java.util.regex.Pattern;

/**
 * Names an account everywhere, in URLs too.
 *
 * @param value the name; one that is not well-formed names no account
 */
public record AccountName(String value) implements Comparable<AccountName> {

    private static final Pattern WELL_FORMED = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._@-]{0,62}");

    /**
     * Whether an account may be named so: 1 to 63 letters, digits, dots, underscores, at signs and hyphens, a letter or digit
     * first.
     */
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
