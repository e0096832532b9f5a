package berth.booking.store;

import berth.booking.BookedReservation;
import berth.booking.ReservationList;
import berth.booking.ReservationOrRequest;
import berth.database.Database;
import berth.database.Reading;
import berth.intake.IntakeRequest;
import berth.peers.store.MirrorRow;
import berth.reservation.ClusterId;
import berth.reservation.ReservationId;
import berth.reservation.ReservationState;
import berth.sla.AccountName;
import berth.store.RequestRow;
import berth.store.ReservationRow;
import berth.store.Seconds;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Lists reservations and requests in PostgreSQL. Each page is one query, which finds its ids in the view and then reads the whole rows. */
public record PostgresReservationList(Database database) implements ReservationList {

    private static final String PAGE = """
            select reservation, mirror, request
            from (
                select id as id, reservation as reservation, mirror as mirror, request as request, startAt as startAt
                from ListedRow where %s order by %s limit :limit
            ) found
            left join ReservationRow reservation on reservation.id = found.reservation
            left join MirrorRow mirror on mirror.id = found.mirror
            left join RequestRow request on request.id = found.request
            order by %3$s
            """;

    /** The whole row of one of the kinds. */
    record Found(
            @Nullable ReservationRow reservation,
            @Nullable MirrorRow mirror,
            @Nullable RequestRow request) {

        ReservationOrRequest whole() {
            return request == null ? booked() : new ReservationOrRequest.Collected(request.toRequest());
        }

        BookedReservation booked() {
            return reservation == null
                    ? new BookedReservation.There(Objects.requireNonNull(mirror).toMirror())
                    : new BookedReservation.Here(reservation.toReservation());
        }
    }

    @Override
    public List<ReservationOrRequest> newest(Filter filter, Optional<ReservationId> olderThan, int limit) {
        var conditions = conditions(filter);
        olderThan.ifPresent(id -> conditions.put("id < :olderThan", id.value()));
        return found("isListed" + kinds(filter), conditions, limit, "id").stream()
                .map(Found::whole)
                .toList();
    }

    @Override
    public List<BookedReservation> latest(Filter filter, int limit) {
        return Reading.FEED.read(() -> found("request is null", conditions(filter), limit, "startAt", "id")).stream()
                .map(Found::booked)
                .toList();
    }

    /** Restricts a search for a state that only one kind has, because such a search would find nothing in all rows of the others. */
    private static String kinds(Filter filter) {
        return filter.state()
                .map(state -> !has(ReservationState.values(), state)
                        ? " and request is not null"
                        : has(IntakeRequest.State.values(), state) ? "" : " and request is null")
                .orElse("");
    }

    private static boolean has(Enum<?>[] states, String name) {
        return Arrays.stream(states).anyMatch(state -> state.name().equals(name));
    }

    /** Returns each condition of a filter with its value. The name of its parameter is its last word. */
    private static Map<String, Object> conditions(Filter filter) {
        var conditions = new LinkedHashMap<String, Object>();
        filter.owner().map(AccountName::value).ifPresent(owner -> conditions.put("owner = :owner", owner));
        filter.cluster().map(ClusterId::value).ifPresent(cluster -> conditions.put("cluster = :cluster", cluster));
        filter.state().ifPresent(state -> conditions.put("state = :state", state));
        filter.project().ifPresent(project -> conditions.put("project = :project", project));
        filter.from().ifPresent(from -> conditions.put("endAt > :from", Seconds.instant(from)));
        filter.to().ifPresent(to -> conditions.put("startAt < :to", Seconds.instant(to)));
        return conditions;
    }

    private List<Found> found(String kinds, Map<String, Object> conditions, int limit, String... order) {
        var where = conditions.keySet().stream().map(each -> " and " + each).collect(Collectors.joining("", kinds, ""));
        return database.read(session -> {
            var query = session.createSelectionQuery(
                            PAGE.formatted(where, descending("", order), descending("found.", order)), Found.class)
                    .setParameter("limit", limit);
            conditions.forEach(
                    (condition, value) -> query.setParameter(condition.substring(condition.indexOf(':') + 1), value));
            return query.getResultList();
        });
    }

    private static String descending(String of, String... fields) {
        return Arrays.stream(fields).map(field -> of + field + " desc").collect(Collectors.joining(", "));
    }
}
