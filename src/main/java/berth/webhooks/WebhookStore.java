package berth.webhooks;

import berth.reservation.ClusterId;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.UUID;

/** Stores webhooks with encrypted secrets, and their positions. */
public interface WebhookStore {

    /** Returns all webhooks, oldest first. */
    List<Webhook> all();

    /** Stores a new webhook, which receives nothing from before these positions. */
    void create(Webhook webhook, Map<ClusterId, Long> positions);

    /**
     * Stores a changed webhook.
     *
     * @return whether the stored version was the one before this
     */
    boolean update(Webhook webhook);

    /** Deletes a webhook and its positions. */
    void delete(UUID id);

    /**
     * The position of a webhook in the history of a cluster.
     *
     * @param delivered the sequence up to which everything has arrived or does not concern the webhook
     * @param failures how often the next message has failed
     * @param nextAt when the next message is sent, in milliseconds since the epoch; empty means at once
     */
    record Position(UUID webhook, ClusterId cluster, long delivered, int failures, OptionalLong nextAt) {}

    /**
     * Returns the positions of webhooks that may be behind {@link #told}. A webhook without a position on a cluster is not behind there.
     */
    List<Position> positions();

    /** Returns the sequence of each cluster up to which webhooks without a position of their own have received everything. */
    Map<ClusterId, Long> told();

    /**
     * Records positions in one transaction.
     *
     * @param changed the changed positions
     * @param gone webhooks and clusters without a position of their own any more
     */
    void note(Map<ClusterId, Long> told, List<Position> changed, List<Place> gone);

    /** A webhook and a cluster on which it is behind. */
    record Place(UUID webhook, ClusterId cluster) {}
}
