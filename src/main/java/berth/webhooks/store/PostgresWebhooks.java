package berth.webhooks.store;

import berth.database.Database;
import berth.database.Seal;
import berth.database.Sql;
import berth.reservation.ClusterId;
import berth.scheduling.Event;
import berth.sla.AccountName;
import berth.store.Seconds;
import berth.webhooks.Webhook;
import berth.webhooks.Webhook.Former;
import berth.webhooks.Webhook.Secrets;
import berth.webhooks.Webhook.State;
import berth.webhooks.WebhookStore;
import java.net.URI;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Timestamp;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.UUID;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Stores webhooks in PostgreSQL, with encrypted secrets. */
public record PostgresWebhooks(Database database, Seal seal) implements WebhookStore {

    private static final String ALL = """
            select id, owner, url, types, leads, format, sealed_secret, sealed_former, former_until, disabled, disabled_at,
                created_at, version, project
            from webhook order by created_at, id
            """;

    private static final String INSERT = """
            insert into webhook (owner, url, types, leads, format, project, sealed_secret, sealed_former, former_until, disabled,
                disabled_at, version, created_at, id)
            values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
            """;

    private static final String UPDATE = """
            update webhook set owner = ?, url = ?, types = ?, leads = ?, format = ?, project = ?,
                sealed_secret = coalesce(?, sealed_secret), sealed_former = ?, former_until = ?, disabled = ?, disabled_at = ?, version = ?, created_at = ?
            where id = ? and version = ?
            """;

    private static final String NOTE = """
            insert into webhook_position (delivered, failures, next_at, webhook, cluster) values (?, ?, ?, ?, ?)
            on conflict (webhook, cluster) do update
                set delivered = excluded.delivered, failures = excluded.failures, next_at = excluded.next_at
            """;

    private static final String TOLD = """
            insert into webhook_told (cluster, sequence) values (?, ?)
            on conflict (cluster) do update set sequence = excluded.sequence where webhook_told.sequence <> excluded.sequence
            """;

    private interface Work<T> {
        T of(Connection connection) throws SQLException;
    }

    private <T> T read(Work<T> work) {
        return database.read(session -> session.doReturningWork(work::of));
    }

    private <T> T write(Work<T> work) {
        return database.write(session -> session.doReturningWork(work::of));
    }

    private static <T> List<T> rows(Connection connection, String sql, Row<T> read) throws SQLException {
        try (var statement = Sql.prepare(connection, sql);
                var found = statement.executeQuery()) {
            var rows = new ArrayList<T>();
            while (found.next()) {
                rows.add(read.of(found));
            }
            return rows;
        }
    }

    private interface Row<T> {
        T of(ResultSet row) throws SQLException;
    }

    @Override
    public List<Webhook> all() {
        return read(connection -> rows(connection, ALL, this::webhook));
    }

    private Webhook webhook(ResultSet row) throws SQLException {
        var disabled = row.getString(10);
        var former = Optional.ofNullable(row.getString(8)).flatMap(seal::open);
        var until = row.getTimestamp(9);
        return new Webhook(
                row.getObject(1, UUID.class),
                new AccountName(row.getString(2)),
                new Webhook.Wish(
                        URI.create(row.getString(3)),
                        set(row.getString(4), Event.Type::valueOf),
                        set(row.getString(5), Long::valueOf),
                        Webhook.MessageFormat.valueOf(row.getString(6)),
                        Optional.ofNullable(row.getString(14))),
                new Secrets(seal.open(row.getString(7)), former.map(secret -> new Former(secret, second(until)))),
                disabled == null
                        ? new State.Enabled()
                        : new State.Disabled(Webhook.DisabledFor.valueOf(disabled), second(row.getTimestamp(11))),
                second(row.getTimestamp(12)),
                row.getInt(13));
    }

    private static long second(Timestamp time) {
        return time.toInstant().getEpochSecond();
    }

    private static <T> Set<T> set(String text, Function<String, T> read) {
        return Stream.of(text.split(",", -1))
                .filter(part -> !part.isEmpty())
                .map(read)
                .collect(Collectors.toSet());
    }

    private static String text(Collection<?> values) {
        return values.stream().map(Object::toString).sorted().collect(Collectors.joining(","));
    }

    /** Returns the parameters in the order of the columns; a secret whose key is lost stays as it is. */
    private List<@Nullable Object> parameters(Webhook webhook) {
        var wish = webhook.wish();
        var secrets = webhook.secrets();
        var disabled = webhook.state() instanceof State.Disabled state ? state : null;
        var parameters = new ArrayList<@Nullable Object>();
        parameters.add(webhook.owner().value());
        parameters.add(wish.url().toString());
        parameters.add(text(wish.types()));
        parameters.add(text(wish.leads()));
        parameters.add(wish.format().name());
        parameters.add(wish.project().orElse(null));
        parameters.add(secrets.present().map(seal::seal).orElse(null));
        parameters.add(
                secrets.before().map(former -> seal.seal(former.secret())).orElse(null));
        parameters.add(secrets.before().map(former -> timestamp(former.until())).orElse(null));
        parameters.add(disabled == null ? null : disabled.why().name());
        parameters.add(disabled == null ? null : timestamp(disabled.at()));
        parameters.add(webhook.version());
        parameters.add(timestamp(webhook.createdAt()));
        parameters.add(webhook.id());
        return parameters;
    }

    private static Timestamp timestamp(long second) {
        return Timestamp.from(Seconds.instant(second));
    }

    @Override
    public void create(Webhook webhook, Map<ClusterId, Long> positions) {
        write(connection -> {
            Sql.update(connection, INSERT, parameters(webhook).toArray());
            note(
                    connection,
                    positions.entrySet().stream()
                            .map(at -> new Position(webhook.id(), at.getKey(), at.getValue(), 0, OptionalLong.empty()))
                            .toList());
            return true;
        });
    }

    @Override
    public boolean update(Webhook webhook) {
        var parameters = parameters(webhook);
        parameters.add(webhook.version() - 1);
        return write(connection -> Sql.update(connection, UPDATE, parameters.toArray()) == 1);
    }

    @Override
    public void delete(UUID id) {
        write(connection -> Sql.update(connection, "delete from webhook_position where webhook = ?", id)
                + Sql.update(connection, "delete from webhook where id = ?", id));
    }

    @Override
    public List<Position> positions() {
        return read(connection ->
                rows(connection, "select webhook, cluster, delivered, failures, next_at from webhook_position", row -> {
                    var next = row.getTimestamp(5);
                    return new Position(
                            row.getObject(1, UUID.class),
                            new ClusterId(row.getString(2)),
                            row.getLong(3),
                            row.getInt(4),
                            next == null ? OptionalLong.empty() : OptionalLong.of(next.getTime()));
                }));
    }

    @Override
    public Map<ClusterId, Long> told() {
        var told = new HashMap<ClusterId, Long>();
        read(connection -> rows(
                connection,
                "select cluster, sequence from webhook_told",
                row -> told.put(new ClusterId(row.getString(1)), row.getLong(2))));
        return told;
    }

    @Override
    public void note(Map<ClusterId, Long> told, List<Position> changed, List<Place> gone) {
        write(connection -> {
            // a removed position may exist again
            try (var statement =
                    connection.prepareStatement("delete from webhook_position where webhook = ? and cluster = ?")) {
                for (var place : gone) {
                    statement.setObject(1, place.webhook());
                    statement.setString(2, place.cluster().value());
                    statement.addBatch();
                }
                statement.executeBatch();
            }
            note(connection, changed);
            try (var statement = connection.prepareStatement(TOLD)) {
                for (var at : told.entrySet()) {
                    statement.setString(1, at.getKey().value());
                    statement.setLong(2, at.getValue());
                    statement.addBatch();
                }
                statement.executeBatch();
            }
            return true;
        });
    }

    private static void note(Connection connection, List<Position> positions) throws SQLException {
        try (var statement = connection.prepareStatement(NOTE)) {
            for (var position : positions) {
                var next = position.nextAt();
                statement.setLong(1, position.delivered());
                statement.setInt(2, position.failures());
                statement.setTimestamp(
                        3, next.isPresent() ? Timestamp.from(Instant.ofEpochMilli(next.getAsLong())) : null);
                statement.setObject(4, position.webhook());
                statement.setString(5, position.cluster().value());
                statement.addBatch();
            }
            statement.executeBatch();
        }
    }
}
