package berth.peers.store;

import berth.database.Seal;
import berth.peers.Peer;
import berth.peers.PeerStore;
import berth.reservation.ClusterId;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.UUID;
import org.springframework.data.jpa.repository.Modifying;
import org.springframework.data.jpa.repository.NativeQuery;
import org.springframework.data.repository.Repository;
import org.springframework.transaction.annotation.Transactional;

/** Stores the clusters of other Berths in PostgreSQL, with encrypted tokens. */
public record PostgresPeers(Peers rows, Seal seal) implements PeerStore {

    /** The repository of their rows. */
    public interface Peers extends Repository<PeerRow, String> {

        @NativeQuery("select id from installation")
        UUID installation();

        @NativeQuery("select * from peer order by id")
        List<PeerRow> findInOrder();

        @Transactional
        void save(PeerRow row);

        @Transactional
        @Modifying
        @NativeQuery("""
                with removed as (delete from peer where id = :id returning id, version)
                insert into removed_peer (id, version) select id, version from removed
                on conflict (id) do update set version = excluded.version
                """)
        void delete(String id);

        @NativeQuery("select version from removed_peer where id = :id")
        Optional<Integer> lastVersion(String id);
    }

    @Override
    public UUID instance() {
        return rows.installation();
    }

    @Override
    public List<Peer> all() {
        return rows.findInOrder().stream().map(row -> row.toPeer(seal)).toList();
    }

    @Override
    public void put(Peer peer) {
        rows.save(PeerRow.of(peer, seal));
    }

    @Override
    public void remove(ClusterId id) {
        rows.delete(id.value());
    }

    @Override
    public OptionalInt lastVersion(ClusterId id) {
        return rows.lastVersion(id.value()).map(OptionalInt::of).orElseGet(OptionalInt::empty);
    }
}
