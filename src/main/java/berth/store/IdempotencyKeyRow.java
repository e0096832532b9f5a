package berth.store;

import berth.engine.KeyUse;
import berth.engine.Keys;
import berth.reservation.ClusterId;
import berth.store.BatchWriter.Column;
import jakarta.persistence.Entity;
import jakarta.persistence.IdClass;
import jakarta.persistence.Table;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.NullUnmarked;

/**
 * The row of a used key and the event that is its result; sequence 0 stands for the creation of the cluster. For other results it holds
 * their id.
 */
@Entity
@Table(name = "idempotency_key")
@IdClass(IdempotencyKeyRow.Id.class)
@NullUnmarked
public final class IdempotencyKeyRow {

    static final BatchWriter<IdempotencyKeyRow> WRITER = new BatchWriter<>(
            "idempotency_key",
            Set.of("account", "key"),
            List.of(
                    new Column<>("account", "text", row -> row.account),
                    new Column<>("key", "text", row -> row.key),
                    new Column<>("fingerprint", "text", row -> row.fingerprint),
                    new Column<>("cluster", "text", row -> row.cluster),
                    new Column<>("sequence", "bigint", row -> row.sequence),
                    new Column<>("created_at", "timestamptz", row -> row.createdAt),
                    new Column<>("stands_for", "uuid", row -> row.standsFor)));

    public record Id(String account, String key) {}

    @jakarta.persistence.Id
    String account;

    @jakarta.persistence.Id
    String key;

    public String fingerprint;
    public String cluster;
    public long sequence;
    Instant createdAt;
    public UUID standsFor;

    /** Returns the row of a key whose result is not an event. */
    static IdempotencyKeyRow of(KeyUse use, UUID standsFor, Instant createdAt) {
        var row = of(use, createdAt);
        row.standsFor = standsFor;
        return row;
    }

    Id id() {
        return new Id(account, key);
    }

    /** Whether the key is still valid. */
    public boolean countsAt(Instant now) {
        return !createdAt.isBefore(now.minus(Keys.LIFE));
    }

    static IdempotencyKeyRow of(KeyUse use, ClusterId cluster, long sequence, Instant createdAt) {
        var row = of(use, createdAt);
        row.cluster = cluster.value();
        row.sequence = sequence;
        return row;
    }

    private static IdempotencyKeyRow of(KeyUse use, Instant createdAt) {
        var row = new IdempotencyKeyRow();
        row.account = use.account().value();
        row.key = use.key();
        row.fingerprint = use.fingerprint();
        row.createdAt = createdAt;
        return row;
    }
}
