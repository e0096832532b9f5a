package berth.persistence;

import berth.desk.KeyUse;
import berth.desk.Keys;
import berth.reservation.ClusterId;
import jakarta.persistence.Entity;
import jakarta.persistence.IdClass;
import jakarta.persistence.Table;
import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.NullUnmarked;

/**
 * A key that was used, and the event that is the result to repeat; sequence 0 stands for the cluster itself. Where the result is
 * no event of a cluster, the id of what it is.
 */
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
    UUID standsFor;

    /** Stands for something else than an event. */
    static IdempotencyKeyRow of(KeyUse use, UUID standsFor, Instant createdAt) {
        var row = of(use, createdAt);
        row.standsFor = standsFor;
        return row;
    }

    /** Whether it is not too old. */
    boolean countsAt(Instant now) {
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
