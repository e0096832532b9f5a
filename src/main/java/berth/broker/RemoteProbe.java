package berth.broker;

import berth.reservation.ClusterId;
import berth.scheduling.Preference.Choice;
import berth.scheduling.Rejection;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import tools.jackson.databind.JsonNode;

/**
 * What the clusters of other Berths said to one probe.
 *
 * @param slots that they told of
 * @param isPartial whether there are more, or one of them did not answer
 * @param silent those that did not answer
 * @param reason of one that has no room; empty if none said so
 */
public record RemoteProbe(List<Slot> slots, boolean isPartial, List<ClusterId> silent, Optional<Rejection> reason) {

    static final RemoteProbe NOTHING = new RemoteProbe(List.of(), false, List.of(), Optional.empty());

    static RemoteProbe silent(ClusterId cluster) {
        return new RemoteProbe(List.of(), true, List.of(cluster), Optional.empty());
    }

    static RemoteProbe none(Rejection reason) {
        return new RemoteProbe(List.of(), false, List.of(), Optional.of(reason));
    }

    /** What both said. */
    RemoteProbe and(RemoteProbe other) {
        return new RemoteProbe(
                Stream.concat(slots.stream(), other.slots.stream()).toList(),
                isPartial || other.isPartial,
                Stream.concat(silent.stream(), other.silent.stream()).toList(),
                reason.or(() -> other.reason));
    }

    /**
     * A slot that another Berth told of.
     *
     * @param choice what is comparable about it, under the name that the cluster has here
     * @param told the slot as that Berth wrote it
     */
    public record Slot(Choice choice, JsonNode told) {}
}
