package berth.webhook;

import berth.reservation.ClusterId;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.UUID;

/** Where webhooks are kept, and how far each of them is. Secrets are sealed. */
public interface WebhookStore {

    /** All of them, oldest first. */
    List<Webhook> all();

    /** Keeps a new one, and that it has nothing to hear of what was before these positions. */
    void create(Webhook webhook, Map<ClusterId, Long> positions);

    /**
     * Keeps one as it has become.
     *
     * @return whether it was there in the version before this one
     */
    boolean update(Webhook webhook);

    /** Gives one up, wherever it is. */
    void delete(UUID id);

    /**
     * How far one is in the history of a cluster.
     *
     * @param delivered all up to this sequence has arrived, or is not for it
     * @param failures how often the next one has been sent in vain
     * @param nextAt when it is to be sent again, milliseconds since the epoch; empty: at once
     */
    record Position(UUID webhook, ClusterId cluster, long delivered, int failures, OptionalLong nextAt) {}

    /** How far those are that may not be as far as {@link #told}. */
    List<Position> positions();

    /** Up to which sequence of each cluster the others have nothing to hear any more. */
    Map<ClusterId, Long> told();

    /**
     * Notes how far all are, in one transaction.
     *
     * @param changed positions that are other than they were
     * @param gone of which webhooks, on which clusters, there are none any more
     */
    void note(Map<ClusterId, Long> told, List<Position> changed, List<Place> gone);

    /** Where a webhook is behind. */
    record Place(UUID webhook, ClusterId cluster) {}
}
