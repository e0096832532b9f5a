package berth.feeds;

import berth.accounts.Accounts;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * Identifies a response with a feed. The state shows whether a client's copy is current without reading any reservation. Reservations may
 * change while Berth reads them, so the tag also has a digest of the response.
 *
 * @param state digest of everything recorded that the feed depends on, before the response was read
 * @param until when the feed next changes without an event, seconds since the epoch
 * @param body digest of the response
 */
record FeedTag(String state, long until, String body) {

    private static final int DIGITS = 32;
    private static final Pattern TEXT =
            Pattern.compile("W/\"([0-9a-f]{%1$d})-([0-9]{1,18})-([0-9a-f]{%1$d})\"".formatted(DIGITS));

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
    static Optional<FeedTag> stillGood(List<String> sent, String state, long now) {
        return sent.stream()
                .flatMap(header -> TEXT.matcher(header).results())
                .map(found -> new FeedTag(found.group(1), Long.parseLong(found.group(2)), found.group(3)))
                .filter(tag -> tag.state.equals(state) && now < tag.until)
                .findAny();
    }

    /** Returns the tag as an {@code ETag}. It is weak, because a compressed response does not have the same bytes. */
    String header() {
        return "W/\"%s-%d-%s\"".formatted(state, until, body);
    }
}
