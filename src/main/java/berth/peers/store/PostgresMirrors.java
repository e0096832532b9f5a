package berth.peers.store;

import static berth.store.Seconds.instant;

import berth.database.Reading;
import berth.database.Sql;
import berth.engine.KeyUse;
import berth.engine.Records.Whose;
import berth.peers.Mirror;
import berth.peers.MirrorStore;
import berth.peers.Question;
import berth.reservation.ClusterId;
import berth.reservation.ReservationId;
import berth.store.KeyedRows;
import berth.store.ReservationRow;
import berth.store.Rows;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.springframework.data.jpa.repository.Modifying;
import org.springframework.data.jpa.repository.NativeQuery;
import org.springframework.transaction.annotation.Transactional;

/** Stores the mirrors of reservations at other Berths in PostgreSQL. */
public interface PostgresMirrors extends MirrorStore, KeyedRows<MirrorRow>, Rows<MirrorRow> {

    @Modifying
    @NativeQuery("delete from mirror where id = :id")
    void delete(UUID id);

    /**
     * Deletes the keys that refer to a mirror: the one under which the broker decided a collected request ({@code own}), and the client's.
     * A client's key of a collected request stays, because it refers to the request.
     */
    @Modifying
    @NativeQuery("delete from idempotency_key used where used.stands_for = :id and (used.key = :own"
            + " or not exists (select from request collected where collected.id = used.stands_for))")
    void deleteKeys(UUID id, String own);

    @NativeQuery("select * from mirror where owner = :owner and state " + ReservationRow.LIVE + " and end_at > :now")
    List<MirrorRow> findLive(String owner, Instant now);

    @NativeQuery("select * from mirror where owed <> 'NOTHING' order by created_at")
    List<MirrorRow> findOwing();

    @NativeQuery("select exists (select from mirror where cluster = :cluster"
            + " and (state " + ReservationRow.LIVE + " or owed <> 'NOTHING'))"
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
        delete(id.value());
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
        return findOwing().stream().map(MirrorRow::toMirror).toList();
    }
}
