package berth.peers.store;

import berth.database.Database;
import berth.database.Sql;
import berth.peers.Question;
import berth.peers.QuestionStore;
import berth.reservation.ClusterId;
import berth.reservation.ReservationId;
import berth.store.Seconds;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Timestamp;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Stores questions to other Berths in PostgreSQL. */
public record PostgresQuestions(Database database) implements QuestionStore {

    private static final String ATTEMPT = "select coalesce(max(attempt), 0) + 1 from asked where reservation = ?";

    private static final String ASK = """
            insert into asked (key, reservation, attempt, cluster, question, is_open, asked_at, ends_at)
            values (?, ?, ?, ?, ?, true, ?, ?)
            """;

    private static final String CLOSE = "update asked set is_open = false where key = ?";

    private static final String OPEN = """
            select key, reservation, cluster, question, asked_at, ends_at from asked where is_open order by asked_at
            """;

    private static final JsonMapper JSON = JsonMapper.builder()
            .enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS)
            .build();

    @Override
    public Question ask(ReservationId reservation, ClusterId cluster, JsonNode body, long askedAt, long endsAt) {
        return database.write(session -> session.doReturningWork(connection -> {
            int attempt = attempt(connection, reservation);
            var question =
                    new Question(Question.key(reservation, attempt), reservation, cluster, body, askedAt, endsAt);
            Sql.update(
                    connection,
                    ASK,
                    question.key(),
                    reservation.value(),
                    attempt,
                    cluster.value(),
                    body.toString(),
                    timestamp(askedAt),
                    timestamp(endsAt));
            return question;
        }));
    }

    private static int attempt(Connection connection, ReservationId reservation) throws SQLException {
        try (var statement = Sql.prepare(connection, ATTEMPT, reservation.value());
                var found = statement.executeQuery()) {
            found.next();
            return found.getInt(1);
        }
    }

    private static Timestamp timestamp(long second) {
        return Timestamp.from(Seconds.instant(second));
    }

    @Override
    public void close(Question question) {
        database.write(session -> session.doReturningWork(connection -> close(connection, question)));
    }

    /** Closes a question in a transaction that records what is held for it; returns how many rows matched, open or closed. */
    static int close(Connection connection, Question question) throws SQLException {
        return Sql.update(connection, CLOSE, question.key());
    }

    @Override
    public List<Question> open() {
        return database.read(session -> session.doReturningWork(connection -> {
            try (var statement = Sql.prepare(connection, OPEN);
                    var found = statement.executeQuery()) {
                var open = new ArrayList<Question>();
                while (found.next()) {
                    open.add(new Question(
                            found.getObject(1, UUID.class),
                            new ReservationId(found.getObject(2, UUID.class)),
                            new ClusterId(found.getString(3)),
                            JSON.readTree(found.getString(4)),
                            second(found.getTimestamp(5).toInstant()),
                            second(found.getTimestamp(6).toInstant())));
                }
                return open;
            }
        }));
    }

    private static long second(Instant instant) {
        return instant.getEpochSecond();
    }

    @Override
    public void requireWriter() {
        database.write(_ -> true);
    }
}
