package berth.peers;

import berth.reservation.ClusterId;
import berth.scheduling.Rejection;
import berth.scheduling.places.Preference.Choice;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import tools.jackson.databind.JsonNode;

/**
 * The answers of other Berths' clusters to one probe.
 *
 * @param slots the slots that they offer
 * @param isPartial whether there are more, or a cluster did not answer
 * @param silent the clusters that did not answer
 * @param reason the reason of a cluster without room; empty if none gave one
 */
public record RemoteProbe(List<Slot> slots, boolean isPartial, List<ClusterId> silent, Optional<Rejection> reason) {

    public static final RemoteProbe NOTHING = new RemoteProbe(List.of(), false, List.of(), Optional.empty());

    public static RemoteProbe silent(ClusterId cluster) {
        return new RemoteProbe(List.of(), true, List.of(cluster), Optional.empty());
    }

    public static RemoteProbe none(Rejection reason) {
        return new RemoteProbe(List.of(), false, List.of(), Optional.of(reason));
    }

    /** Returns both answers together. */
    public RemoteProbe and(RemoteProbe other) {
        return new RemoteProbe(
                Stream.concat(slots.stream(), other.slots.stream()).toList(),
                isPartial || other.isPartial,
                Stream.concat(silent.stream(), other.silent.stream()).toList(),
                reason.or(() -> other.reason));
    }

    /**
     * A slot at another Berth.
     *
     * @param choice its measures, with the cluster's name here
     * @param deadline the end of the window that goes along with an alternative, in seconds since the epoch; otherwise the end of the slot
     * @param told the slot as that Berth wrote it
     */
    public record Slot(Choice choice, long deadline, JsonNode told) {}
}
