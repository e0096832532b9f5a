package berth.peers.store;

import static berth.store.Seconds.instant;

import berth.database.Reading;
import berth.database.Sql;
import berth.engine.KeyUse;
import berth.engine.Records.Whose;
import berth.peers.Mirror;
import berth.peers.Mirror.Owed;
import berth.peers.MirrorStore;
import berth.peers.Question;
import berth.reservation.ClusterId;
import berth.reservation.ReservationId;
import berth.store.KeyedRows;
import berth.store.Rows;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.springframework.data.jpa.repository.Modifying;
import org.springframework.data.jpa.repository.NativeQuery;
import org.springframework.data.jpa.repository.Query;
import org.springframework.transaction.annotation.Transactional;

/** Stores the mirrors of reservations at other Berths in PostgreSQL. */
public interface PostgresMirrors extends MirrorStore, KeyedRows<MirrorRow>, Rows<MirrorRow> {

    String LIVE = "state in (HELD, CONFIRMED, RUNNING)";

    void deleteById(UUID id);

    /**
     * Deletes the keys that refer to a mirror: the one under which the broker decided a collected request ({@code own}), and the client's.
     * A client's key of a collected request stays, because it refers to the request.
     */
    @Modifying
    @Query("delete from IdempotencyKeyRow used where used.standsFor = :id and (used.key = :own"
            + " or not exists (select 1 from RequestRow collected where collected.id = used.standsFor))")
    void deleteKeys(UUID id, String own);

    @Query("from MirrorRow where owner = :owner and " + LIVE + " and endAt > :now")
    List<MirrorRow> findLive(String owner, Instant now);

    List<MirrorRow> findByOwedNotOrderByCreatedAt(Owed owed);

    @NativeQuery("select exists (select from mirror where cluster = :cluster"
            + " and (state in ('HELD', 'CONFIRMED', 'RUNNING') or owed <> 'NOTHING'))"
            + " or exists (select from asked where cluster = :cluster and is_open)")
    boolean existsLiveOrOwing(String cluster);

    @Override
    default boolean isInUse(ClusterId cluster) {
        return existsLiveOrOwing(cluster.value());
    }

    @Override
    default void create(Mirror mirror, Question answered, Optional<KeyUse> key) {
        insert(MirrorRow.of(mirror), mirror.id().value(), key, connection -> {
            if (Sql.finds(
                    connection,
                    "select from reservation where id = ?",
                    mirror.id().value())) {
                throw new IllegalStateException(
                        "A reservation %s exists in this Berth already.".formatted(mirror.id()));
            }
            PostgresQuestions.close(connection, answered);
        });
    }

    @Override
    public default void update(Mirror mirror) {
        update(MirrorRow.of(mirror), mirror.id().value(), Optional.empty());
    }

    @Override
    @Transactional
    default void remove(ReservationId id, String own) {
        deleteKeys(id.value(), own);
        deleteById(id.value());
    }

    @Override
    default Optional<Mirror> find(ReservationId id) {
        return findById(id.value()).map(MirrorRow::toMirror);
    }

    String DIGEST = "select coalesce(bit_xor(hashtextextended(cast(id as text) || answer, 0)), 0) from mirror"
            + " where end_at > :from";

    @NativeQuery(DIGEST + " and owner = :owner")
    long digestOf(String owner, Instant from);

    @NativeQuery(DIGEST + " and project = :project")
    long digestFiledUnder(String project, Instant from);

    /** Includes all mirrors of an account, whatever their project; that only makes the number change more often. */
    @Override
    default long digest(Whose whose, long from) {
        return Reading.FEED.read(() -> whose.owner()
                .map(owner -> digestOf(owner.value(), instant(from)))
                .or(() -> whose.project().map(project -> digestFiledUnder(project, instant(from))))
                .orElseThrow());
    }

    @Override
    default List<Mirror> owing() {
        return findByOwedNotOrderByCreatedAt(Owed.NOTHING).stream()
                .map(MirrorRow::toMirror)
                .toList();
    }
}
