package berth.persistence;

import berth.broker.Peer;
import berth.broker.PeerStore;
import berth.reservation.ClusterId;
import java.util.List;
import java.util.UUID;
import org.springframework.data.jpa.repository.Modifying;
import org.springframework.data.jpa.repository.NativeQuery;
import org.springframework.data.jpa.repository.Query;
import org.springframework.data.repository.Repository;
import org.springframework.transaction.annotation.Transactional;

/** The clusters of other Berths in PostgreSQL. */
interface PostgresPeers extends PeerStore, Repository<PeerRow, String> {

    @Override
    @NativeQuery("select id from installation")
    UUID instance();

    List<PeerRow> findByOrderById();

    @Transactional
    void save(PeerRow row);

    @Transactional
    @Modifying
    @Query("delete from PeerRow where id = :id")
    void delete(String id);

    @Override
    default void remove(ClusterId id) {
        delete(id.value());
    }

    @Override
    default List<Peer> all() {
        return findByOrderById().stream().map(PeerRow::toPeer).toList();
    }

    @Override
    default void put(Peer peer) {
        save(PeerRow.of(peer));
    }
}
