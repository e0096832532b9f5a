package berth.rest;

import berth.security.Accounts;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * Which state of a feed an answer tells: that of what was recorded, until a time at which it is told otherwise although nothing has
 * happened. So it is known without looking at any reservation whether a client has what would be answered.
 *
 * @param digest of what it depends on
 * @param until seconds since the epoch
 */
record FeedTag(String digest, long until) {

    private static final int DIGITS = 32;
    private static final Pattern TEXT = Pattern.compile("W/\"([0-9a-f]{%d})-([0-9]{1,18})\"".formatted(DIGITS));

    /** The digest of a state; equal texts have equal ones. */
    static String digest(Object... parts) {
        return Accounts.hash(List.of(parts).toString()).substring(0, DIGITS);
    }

    /**
     * The tag that a client has sent, if what it has is what it would be told.
     *
     * @param sent the header {@code If-None-Match}, which may be a list
     * @param now seconds since the epoch
     */
    static Optional<FeedTag> stillGood(List<String> sent, String digest, long now) {
        return sent.stream()
                .flatMap(header -> TEXT.matcher(header).results())
                .map(found -> new FeedTag(found.group(1), Long.parseLong(found.group(2))))
                .filter(tag -> tag.digest.equals(digest) && now < tag.until)
                .findAny();
    }

    /** As an {@code ETag}: weak, since what is compressed is not the same bytes. */
    String header() {
        return "W/\"%s-%d\"".formatted(digest, until);
    }
}
