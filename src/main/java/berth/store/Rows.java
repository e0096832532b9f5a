package berth.store;

import static org.springframework.data.domain.Sort.Direction.DESC;

import berth.engine.Records.Filter;
import berth.reservation.ClusterId;
import berth.sla.AccountName;
import jakarta.persistence.criteria.Path;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.UUID;
import java.util.stream.Stream;
import org.springframework.data.domain.ScrollPosition;
import org.springframework.data.domain.Sort;
import org.springframework.data.jpa.domain.Specification;
import org.springframework.data.jpa.repository.JpaSpecificationExecutor;
import org.springframework.data.repository.NoRepositoryBean;
import org.springframework.data.repository.Repository;

/** Rows that are read singly and listed by page. Their ids are in the order of time. */
@NoRepositoryBean
public interface Rows<R> extends Repository<R, UUID>, JpaSpecificationExecutor<R> {

    /** Latest start first. */
    Sort LATEST = Sort.by(DESC, "startAt", "id");

    Optional<R> findById(UUID id);

    /** Returns the newest rows that match. */
    default Stream<R> newest(Specification<R> where, Optional<UUID> olderThan, int limit) {
        return page(where, Sort.by(DESC, "id"), olderThan.map(id -> Map.of("id", id)), limit);
    }

    /** Returns the matching rows in an order, after a position in it. */
    default Stream<R> page(Specification<R> where, Sort order, Optional<? extends Map<String, ?>> position, int limit) {
        var start = position.map(ScrollPosition::forward).orElseGet(ScrollPosition::keyset);
        return findBy(where, query -> query.sortBy(order).limit(limit).scroll(start)).stream();
    }

    /** Matches rows of reservations that pass a filter. */
    static <R> Specification<R> passing(Filter filter) {
        return Specification.allOf(
                is("owner", filter.owner().map(AccountName::value)),
                is("cluster", filter.cluster().map(ClusterId::value)),
                is("state", filter.state()),
                is("project", filter.project()),
                isAfter("endAt", filter.from()),
                isBefore("startAt", filter.to()));
    }

    /** Matches rows with that value; all rows if there is no value. */
    static <R> Specification<R> is(String field, Optional<?> value) {
        return (row, _, builder) ->
                value.map(wanted -> builder.equal(at(row, field), wanted)).orElse(null);
    }

    private static <R> Specification<R> isAfter(String field, OptionalLong time) {
        return (row, _, builder) ->
                time.isEmpty() ? null : builder.greaterThan(at(row, field), Seconds.instant(time.getAsLong()));
    }

    private static <R> Specification<R> isBefore(String field, OptionalLong time) {
        return (row, _, builder) ->
                time.isEmpty() ? null : builder.lessThan(at(row, field), Seconds.instant(time.getAsLong()));
    }

    @SuppressWarnings("unchecked")
    private static <T> Path<T> at(Path<?> row, String field) {
        Path<?> path = row;
        for (var name : field.split("\\.")) {
            path = path.get(name);
        }
        return (Path<T>) path;
    }
}
