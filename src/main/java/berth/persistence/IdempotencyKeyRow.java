package berth.persistence;

import berth.desk.KeyUse;
import jakarta.persistence.Entity;
import jakarta.persistence.IdClass;
import jakarta.persistence.Table;
import java.time.Instant;
import org.jspecify.annotations.NullUnmarked;

/** A key that was used, and the event that is the result to repeat; sequence 0 stands for the cluster itself. */
@Entity
@Table(name = "idempotency_key")
@IdClass(IdempotencyKeyRow.Id.class)
@NullUnmarked
class IdempotencyKeyRow {

    record Id(String account, String key) {}

    @jakarta.persistence.Id
    String account;

    @jakarta.persistence.Id
    String key;

    String fingerprint;
    String cluster;
    long sequence;
    Instant createdAt;

    static IdempotencyKeyRow of(KeyUse use, String cluster, long sequence, Instant createdAt) {
        var row = new IdempotencyKeyRow();
        row.account = use.account();
        row.key = use.key();
        row.fingerprint = use.fingerprint();
        row.cluster = cluster;
        row.sequence = sequence;
        row.createdAt = createdAt;
        return row;
    }
}
