package berth.webhook;

import berth.desk.Records.RecordedEvent;
import berth.scheduling.Event;
import berth.scheduling.Event.RequestEvent;
import berth.scheduling.Event.ReservationEvent;
import berth.security.Role;
import berth.sla.AccountName;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/** Who hears of what, as accounts and webhooks are at an instant: administrators of all, clients of what is their own. */
final class Listeners {

    private final List<Webhook> ofAll = new ArrayList<>();
    private final Map<AccountName, List<Webhook>> ofOwners = new HashMap<>();

    private Listeners() {}

    static Listeners of(Webhooks webhooks) {
        var listeners = new Listeners();
        for (var webhook : webhooks.list(Optional.empty())) {
            if (webhook.isEnabled()) {
                webhooks.role(webhook.owner()).ifPresent(role -> listeners.add(webhook, role));
            }
        }
        return listeners;
    }

    private void add(Webhook webhook, Role role) {
        if (role == Role.ADMIN) {
            ofAll.add(webhook);
        } else {
            ofOwners.computeIfAbsent(webhook.owner(), _ -> new ArrayList<>()).add(webhook);
        }
    }

    boolean isNobody() {
        return ofAll.isEmpty() && ofOwners.isEmpty();
    }

    /** Whoever is to hear of an event. */
    Stream<Webhook> of(RecordedEvent event) {
        var theirs = owner(event)
                .map(owner -> ofOwners.getOrDefault(owner, List.of()))
                .orElse(List.of());
        return Stream.concat(ofAll.stream(), theirs.stream()).filter(webhook -> wants(webhook.wish(), event));
    }

    private static Optional<AccountName> owner(RecordedEvent recorded) {
        return recorded instanceof RecordedEvent.Whole(var _, var _, var event)
                ? switch (event) {
                    case ReservationEvent(var _, var after, var _, var _, var _) ->
                        Optional.of(after.origin().owner());
                    case RequestEvent(var _, var after, var _) ->
                        Optional.of(after.origin().owner());
                    default -> Optional.empty();
                }
                : Optional.empty();
    }

    /** What is told ahead is told to those alone who have asked for that lead. */
    private static boolean wants(Webhook.Wish wish, RecordedEvent recorded) {
        boolean isOfType = wish.types().isEmpty() || wish.types().contains(recorded.type());
        boolean isAhead = recorded.type() == Event.Type.STARTING || recorded.type() == Event.Type.ENDING;
        return isOfType
                && (!isAhead
                        || recorded instanceof RecordedEvent.Whole(var _, var _, ReservationEvent event)
                                && event.reservation().leadsJustTold().stream().anyMatch(wish.leads()::contains));
    }
}
