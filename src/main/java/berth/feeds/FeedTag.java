package berth.feeds;

import berth.accounts.Accounts;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * Identifies the state of a feed that a response contains: the recorded state, and the time at which the feed changes without a new event.
 * This shows whether a client's copy is current without reading any reservation.
 *
 * @param digest digest of everything recorded that the feed depends on
 * @param until when the feed next changes without an event, seconds since the epoch
 */
record FeedTag(String digest, long until) {

    private static final int DIGITS = 32;
    private static final Pattern TEXT = Pattern.compile("W/\"([0-9a-f]{%d})-([0-9]{1,18})\"".formatted(DIGITS));

    /** Returns the digest of a state. Equal texts have equal digests. */
    static String digest(Object... parts) {
        return Accounts.hash(List.of(parts).toString()).substring(0, DIGITS);
    }

    /**
     * Returns the tag that the client sent, if the client's copy is still current.
     *
     * @param sent values of the header {@code If-None-Match}, each of which may be a list
     * @param now seconds since the epoch
     */
    static Optional<FeedTag> stillGood(List<String> sent, String digest, long now) {
        return sent.stream()
                .flatMap(header -> TEXT.matcher(header).results())
                .map(found -> new FeedTag(found.group(1), Long.parseLong(found.group(2))))
                .filter(tag -> tag.digest.equals(digest) && now < tag.until)
                .findAny();
    }

    /** Returns the tag as an {@code ETag}. It is weak, because a compressed response does not have the same bytes. */
    String header() {
        return "W/\"%s-%d\"".formatted(digest, until);
    }
}
