package berth.rest;

import berth.desk.Records;
import berth.desk.Records.RecordedEvent;
import berth.reservation.ClusterId;
import berth.rest.EventFeed.News;
import berth.security.Account;
import berth.security.Role;
import berth.sla.AccountName;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;

/**
 * What an account hears of all that happens.
 *
 * @param owner whose reservations alone it hears of; empty: of everybody's
 * @param cluster on which alone it hears of something; empty: on all of them
 */
record EventScope(Optional<AccountName> owner, Optional<ClusterId> cluster) {

    /** A client hears of what is its own, an agent of its cluster, everybody else of everything. */
    static EventScope of(Account account) {
        return new EventScope(
                Optional.of(account.name()).filter(_ -> account.role() == Role.CLIENT), account.cluster());
    }

    List<RecordedEvent> after(EventCursor cursor, Records records, int limit) {
        return cluster.map(id -> records.events(id, cursor.positions().getOrDefault(id, 0L), limit))
                .orElseGet(() -> records.events(cursor.positions(), owner, limit));
    }

    /** Without what else it would tell of: which other clusters there are, and how much happens there. */
    EventCursor cut(EventCursor cursor) {
        if (cluster.isEmpty()) {
            return cursor;
        }
        var own = new TreeMap<>(cursor.positions());
        own.keySet().retainAll(List.of(cluster.get()));
        return new EventCursor(own);
    }

    boolean has(News news) {
        return (owner.isEmpty() || owner.equals(news.owner()))
                && (cluster.isEmpty() || cluster.get().equals(news.cluster()));
    }
}
