package berth.persistence;

import berth.desk.Records.Filter;
import berth.reservation.ReservationId;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.hibernate.StatelessSession;

/** The rows of reservations, here or at other Berths, that a filter asks for. */
final class FilteredRows {

    private final List<String> conditions = new ArrayList<>();
    private final Map<String, Object> parameters = new HashMap<>();

    /** @param path what stands before the names of what was agreed, such as {@code fields.} */
    FilteredRows(String path, Filter filter, Optional<ReservationId> olderThan) {
        filter.owner().ifPresent(owner -> where(path + "owner = :owner", "owner", owner));
        filter.cluster().ifPresent(cluster -> where("cluster = :cluster", "cluster", cluster));
        filter.state().ifPresent(state -> where(path + "state = :state", "state", state));
        filter.project().ifPresent(project -> where(path + "project = :project", "project", project));
        filter.from().ifPresent(from -> where(path + "endAt > :from", "from", Seconds.instant(from)));
        filter.to().ifPresent(to -> where(path + "startAt < :to", "to", Seconds.instant(to)));
        olderThan.ifPresent(id -> where("id < :olderThan", "olderThan", id.value()));
    }

    private void where(String condition, String name, Object value) {
        conditions.add(condition);
        parameters.put(name, value);
    }

    /** The newest of them. */
    <R> Stream<R> newest(StatelessSession session, Class<R> row, int limit) {
        var where = conditions.isEmpty() ? "" : " where " + String.join(" and ", conditions);
        var query = session.createSelectionQuery("from " + row.getSimpleName() + where + " order by id desc", row)
                .setMaxResults(limit);
        parameters.forEach(query::setParameter);
        return query.getResultStream();
    }
}
