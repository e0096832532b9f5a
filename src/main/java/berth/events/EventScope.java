package berth.events;

import berth.accounts.Account;
import berth.booking.web.Rights;
import berth.engine.Records;
import berth.engine.Records.RecordedEvent;
import berth.engine.Records.Whose;
import berth.events.EventStreams.News;
import berth.reservation.ClusterId;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;

/**
 * The events that an account receives.
 *
 * @param whose limits the events to reservations of this account or project
 * @param cluster the only cluster whose events it receives; empty for all clusters
 */
record EventScope(Whose whose, Optional<ClusterId> cluster) {

    /**
     * Returns the events that an account may read, by its current rights. A client gets the events of reservations that it may list, an
     * agent those of its cluster, and any other account all. If a project is given, the events of other projects are left out, except for a
     * screen, which must not learn what happens in a project.
     */
    static EventScope of(Account account, Optional<String> project, Rights rights) {
        var whose = switch (account.role()) {
            case CLIENT -> rights.listed(account, project);
            case SCREEN -> Whose.ALL;
            case ADMIN, VIEWER, AGENT -> new Whose(Optional.empty(), project);
        };
        return new EventScope(whose, account.cluster());
    }

    List<RecordedEvent> after(EventCursor cursor, Records records, int limit) {
        return cluster.map(id -> records.events(id, cursor.positions().getOrDefault(id, 0L), whose, limit))
                .orElseGet(() -> records.events(cursor.positions(), whose, limit));
    }

    /** Removes the positions of other clusters, which would reveal which clusters exist and how much happens there. */
    EventCursor cut(EventCursor cursor) {
        if (cluster.isEmpty()) {
            return cursor;
        }
        var own = new TreeMap<>(cursor.positions());
        own.keySet().retainAll(List.of(cluster.get()));
        return new EventCursor(own);
    }

    boolean has(News news) {
        return (whose.owner().isEmpty() || whose.owner().equals(news.owner()))
                && (whose.project().isEmpty() || whose.project().equals(news.project()))
                && (cluster.isEmpty() || cluster.get().equals(news.cluster()));
    }
}
