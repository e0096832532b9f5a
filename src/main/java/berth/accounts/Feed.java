package berth.accounts;

import berth.reservation.ClusterId;
import java.util.Optional;
import java.util.UUID;

/**
 * A feed of an account's reservations or of its project's. Its URL needs no token but contains a secret.
 *
 * @param id the permanent id, which gives no access
 * @param secretHash the hash of the secret, which itself is not stored
 * @param cluster the only cluster in the feed; empty means all
 * @param project the only project in the feed, including reservations of other members while the account is a member; empty means the
 *     account's own reservations
 * @param createdAt seconds since the epoch
 */
public record Feed(UUID id, String secretHash, Optional<ClusterId> cluster, Optional<String> project, long createdAt) {

    /** The most feeds of an account. */
    public static final int MAX = 10;

    /** The prefix of every secret, which makes a leaked secret recognisable. */
    public static final String PREFIX = "feed_";
}
