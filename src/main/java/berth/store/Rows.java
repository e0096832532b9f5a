package berth.store;

import static org.springframework.data.domain.Sort.Direction.DESC;

import java.util.Map;
import java.util.Optional;
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

    /** Matches rows with that value; all rows if there is no value. */
    static <R> Specification<R> is(String field, Optional<?> value) {
        return (row, _, builder) ->
                value.map(wanted -> builder.equal(row.get(field), wanted)).orElse(null);
    }
}
