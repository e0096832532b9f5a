package berth.security;

import berth.reservation.ClusterId;
import java.util.Optional;
import java.util.UUID;

/**
 * What an account has reserved, or all that is filed under its project, at a URL that needs no token but a secret of its own.
 *
 * @param id names it for good; it opens nothing
 * @param secretHash the secret itself is not kept
 * @param cluster the only one that it tells of; empty: all
 * @param project the only one that it tells of; with what others have filed there as long as the account is a member; empty: whatever is the
 *     account's own
 * @param createdAt seconds since the epoch
 */
public record Feed(UUID id, String secretHash, Optional<ClusterId> cluster, Optional<String> project, long createdAt) {

    /** How many an account may have. */
    public static final int MAX = 10;

    /** How a secret begins, so that it is known for one wherever it turns up. */
    public static final String PREFIX = "feed_";
}
