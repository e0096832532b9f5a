package berth.webhooks;

import berth.engine.Records.RecordedEvent;
import berth.scheduling.Event;
import berth.scheduling.Event.ReservationEvent;
import berth.sla.AccountName;
import berth.webhooks.Webhooks.Audience;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Determines which webhooks receive an event, given the present accounts, projects and webhooks. Administrators receive all events and
 * clients those of their own reservations, and the delays of their own jobs; a webhook for a project receives all events of that project while its owner is a member.
 */
final class Listeners {

    private final List<Webhook> ofAll = new ArrayList<>();
    private final Map<AccountName, List<Webhook>> ofOwners = new HashMap<>();
    private final Map<String, List<Webhook>> ofProjects = new HashMap<>();

    private Listeners() {}

    static Listeners of(Webhooks webhooks) {
        return of(webhooks, webhooks.list(Optional.empty()));
    }

    /** Returns the listeners among these webhooks only. */
    static Listeners of(Webhooks webhooks, List<Webhook> some) {
        var listeners = new Listeners();
        for (var webhook : some) {
            if (webhook.isEnabled()) {
                listeners.add(webhook, webhooks.hears(webhook));
            }
        }
        return listeners;
    }

    private void add(Webhook webhook, Audience hears) {
        switch (hears) {
            case Audience.OfNothing() -> {}
            case Audience.OfAll() -> ofAll.add(webhook);
            case Audience.OfItsOwn() ->
                ofOwners.computeIfAbsent(webhook.owner(), _ -> new ArrayList<>())
                        .add(webhook);
            case Audience.OfProject(var project) ->
                ofProjects.computeIfAbsent(project, _ -> new ArrayList<>()).add(webhook);
        }
    }

    boolean isNobody() {
        return ofAll.isEmpty() && ofOwners.isEmpty() && ofProjects.isEmpty();
    }

    /** Returns the webhooks that receive an event. */
    Stream<Webhook> of(RecordedEvent event) {
        var theirs = event.owner()
                .map(owner -> ofOwners.getOrDefault(owner, List.of()))
                .orElse(List.of());
        var filed = event.project()
                .map(project -> ofProjects.getOrDefault(project, List.of()))
                .orElse(List.of());
        return Stream.of(ofAll, theirs, filed).flatMap(List::stream).filter(webhook -> wants(webhook.wish(), event));
    }

    /** Whether the webhook wants the event. An announcement goes only to webhooks that asked for its lead. */
    private static boolean wants(Webhook.Wish wish, RecordedEvent recorded) {
        boolean isOfType = (wish.types().isEmpty() || wish.types().contains(recorded.type()))
                && (wish.project().isEmpty() || wish.project().equals(recorded.project()));
        boolean isAhead = recorded.type() == Event.Type.STARTING || recorded.type() == Event.Type.ENDING;
        return isOfType
                && (!isAhead
                        || recorded instanceof RecordedEvent.Whole(var _, var _, ReservationEvent event)
                                && event.reservation().leadsJustTold().stream().anyMatch(wish.leads()::contains));
    }
}
