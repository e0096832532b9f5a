package berth.persistence;

import berth.broker.Collected;
import berth.broker.IntakeStore;
import berth.desk.KeyUse;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;

/** The collected requests without a cluster in PostgreSQL. */
final class PostgresIntake implements IntakeStore {

    private final Database database;
    private final InstantSource clock;

    PostgresIntake(Database database, InstantSource clock) {
        this.database = database;
        this.clock = clock;
    }

    @Override
    public void create(Collected collected, Optional<KeyUse> key) {
        database.write(session -> {
            session.insert(RequestRow.of(collected));
            key.ifPresent(use -> session.upsert(
                    IdempotencyKeyRow.of(use, collected.request().id().value(), clock.instant())));
            return collected;
        });
    }

    @Override
    public void end(Collected ended) {
        database.write(session -> {
            session.update(RequestRow.of(ended));
            return ended;
        });
    }

    @Override
    public List<Collected> waiting() {
        return database.read(session -> session.createSelectionQuery(
                        "from RequestRow where cluster is null and state = PENDING order by id", RequestRow.class)
                .getResultStream()
                .map(RequestRow::toCollected)
                .toList());
    }

    @Override
    public Optional<First> first(KeyUse key) {
        return database.read(session -> Optional.ofNullable(
                        session.get(IdempotencyKeyRow.class, new IdempotencyKeyRow.Id(key.account(), key.key())))
                .filter(row -> row.countsAt(clock.instant()) && row.standsFor != null)
                .flatMap(row -> Optional.ofNullable(session.get(RequestRow.class, row.standsFor))
                        .map(found -> new First(row.fingerprint, found.toRequest()))));
    }
}
