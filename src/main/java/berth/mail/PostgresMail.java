package berth.mail;

import berth.database.Database;
import berth.database.Sql;
import berth.reservation.ClusterId;
import berth.sla.AccountName;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Timestamp;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The tables of mailboxes and of mail. */
record PostgresMail(Database database) {

    /** The most mail of an account that waits. */
    static final int MAX_WAITING = 500;

    /** The most of it with which requests for approval still come, because others cause those, and other news needs room. */
    private static final int MAX_FOR_APPROVALS = 250;

    /** How long the outcome of mail is kept. */
    private static final Duration KEPT = Duration.ofDays(2);

    private static final int PIECE = 5000;

    private static final String MAILBOXES =
            "select account, address, is_proved, kinds, lead, daily_at, zone, version from mailbox where account = any(?)";

    private static final String SAVE = """
            insert into mailbox (account, address, is_proved, kinds, lead, daily_at, zone, version) values (?, ?, ?, ?, ?, ?, ?, ?)
            on conflict (account) do update set address = excluded.address, is_proved = excluded.is_proved, kinds = excluded.kinds,
                lead = excluded.lead, daily_at = excluded.daily_at, zone = excluded.zone, version = excluded.version
            where mailbox.version = excluded.version - 1
            """;

    private static final String LEADS = """
            select account, lead from mailbox left join account on name = account
            where is_proved and deleted_at is null and string_to_array(kinds, ',') && array['STARTS_SOON', 'ENDS_SOON']
            """;

    private static final String ADD = """
            insert into mail (id, account, kind, cluster, sequence, address, noted_at, due_at, expires_at)
            select ?, ?, ?::text, ?::text, ?::bigint, ?::text, ?::timestamptz, ?::timestamptz, ?::timestamptz
            where (select count(*) from mail where account = ? and outcome is null) < ?
            on conflict (id) do nothing
            """;

    private static final String IS_THERE = "select from mail where id = ?";

    private static final String TOLD = """
            insert into mail_told (cluster, sequence) values (?, ?)
            on conflict (cluster) do update set sequence = excluded.sequence where mail_told.sequence <> excluded.sequence
            """;

    private static final String PROOFS = """
            select from mail where kind is null and (account = ? or lower(address) = lower(?)) and noted_at > ? offset ? limit 1
            """;

    private static final String FIRST_DUE =
            "select account, due_at from mail where outcome is null order by due_at limit 1";

    private static final String DUE = """
            select id, account, kind, cluster, sequence, address, expires_at, failures from mail
            where outcome is null and account = ? and due_at <= ? order by noted_at, cluster, sequence limit ?
            """;

    private static final String SENT = """
            select count(distinct ended_at) from mail
            where account = ? and noted_at > ? and ended_at > ? and outcome = 'SENT' and kind is not null
            """;

    /** What became of mail. */
    enum MailOutcome {
        /** The server took it. */
        SENT,
        /** The server refused it for good. */
        REFUSED,
        /** It could not be sent while it was worth something. */
        EXPIRED,
        /** The account does not want it any more. */
        UNWANTED
    }

    /**
     * Mail that waits.
     *
     * @param id derived from what it is about and from the account, so that nothing becomes mail twice
     * @param about what it is about
     * @param expiresAt when it is worth nothing any more
     * @param failures how often the server has put it off
     */
    record Waiting(String id, AccountName account, About about, Instant expiresAt, int failures) {}

    /** What a mail is about. */
    sealed interface About {
        /** An event. */
        record News(MailKind kind, ClusterId cluster, long sequence) implements About {}

        /** The link that proves an address. */
        record Proof(String address) implements About {}
    }

    private interface Work<T> {
        T of(Connection connection) throws SQLException;
    }

    private interface Row<T> {
        T of(ResultSet row) throws SQLException;
    }

    private <T> T read(Work<T> work) {
        return database.read(session -> session.doReturningWork(work::of));
    }

    private <T> T write(Work<T> work) {
        return database.write(session -> session.doReturningWork(work::of));
    }

    private <T> List<T> read(String sql, Row<T> each, Object... parameters) {
        return read(connection -> {
            try (var statement = Sql.prepare(connection, sql, parameters);
                    var found = statement.executeQuery()) {
                var rows = new ArrayList<T>();
                while (found.next()) {
                    rows.add(each.of(found));
                }
                return rows;
            }
        });
    }

    /** Returns the mailbox of an account; the one of an account that has chosen nothing, if there is none. */
    Mailbox mailbox(AccountName account) {
        return mailboxes(List.of(account)).getOrDefault(account, Mailbox.none(account));
    }

    /** Returns the mailboxes of accounts; those that have chosen nothing are left out. */
    Map<AccountName, Mailbox> mailboxes(Collection<AccountName> accounts) {
        var names = accounts.stream().map(AccountName::value).toArray(String[]::new);
        return read(MAILBOXES, PostgresMail::mailbox, (Object) names).stream()
                .collect(Collectors.toMap(Mailbox::account, each -> each));
    }

    private static Mailbox mailbox(ResultSet row) throws SQLException {
        int hour = row.getInt(6);
        var dailyAt = row.wasNull() ? OptionalInt.empty() : OptionalInt.of(hour);
        var kinds = Stream.of(row.getString(4).split(","))
                .filter(kind -> !kind.isEmpty())
                .map(MailKind::valueOf)
                .collect(Collectors.toSet());
        var wish = new Mailbox.Wish(
                Optional.ofNullable(row.getString(2)), kinds, row.getLong(5), dailyAt, ZoneId.of(row.getString(7)));
        return new Mailbox(new AccountName(row.getString(1)), wish, row.getBoolean(3), row.getInt(8));
    }

    /**
     * Stores a changed mailbox and mail that the change causes.
     *
     * @return {@code false} if the stored version is not the one before this; nothing changes then
     */
    boolean save(Mailbox mailbox, List<Noted> caused) {
        var wish = mailbox.wish();
        return write(connection -> {
            int saved = Sql.update(
                    connection,
                    SAVE,
                    mailbox.account().value(),
                    wish.address().orElse(null),
                    mailbox.isProved(),
                    wish.kinds().stream().map(Enum::name).collect(Collectors.joining(",")),
                    wish.lead(),
                    wish.dailyAt().isPresent() ? wish.dailyAt().getAsInt() : null,
                    wish.zone().getId(),
                    mailbox.version());
            if (saved == 1) {
                for (var each : caused) {
                    add(connection, each);
                }
            }
            return saved == 1;
        });
    }

    /** Returns the leads of the mailboxes that want announcements, in seconds. The account of a new mailbox may not have been made yet. */
    Map<AccountName, Set<Long>> leads() {
        var leads = new HashMap<AccountName, Set<Long>>();
        read(LEADS, row -> leads.put(new AccountName(row.getString(1)), Set.of(row.getLong(2))));
        return leads;
    }

    /** Returns the sequence of each cluster up to which events have become mail. */
    Map<ClusterId, Long> told() {
        var told = new HashMap<ClusterId, Long>();
        read(
                "select cluster, sequence from mail_told",
                row -> told.put(new ClusterId(row.getString(1)), row.getLong(2)));
        return told;
    }

    /**
     * Mail that is to be sent.
     *
     * @param dueAt when it is sent
     */
    record Noted(Waiting mail, Instant notedAt, Instant dueAt) {}

    /**
     * Notes mail, and up to which event of each cluster, in one transaction. Mail that was noted before stays as it is.
     *
     * @return how much was dropped, because too much of its account waits
     */
    int note(List<Noted> mail, Map<ClusterId, Long> told) {
        return write(connection -> {
            int dropped = 0;
            for (var each : mail) {
                if (add(connection, each) == 0
                        && !Sql.finds(connection, IS_THERE, each.mail().id())) {
                    dropped++;
                }
            }
            for (var at : told.entrySet()) {
                Sql.update(connection, TOLD, at.getKey().value(), at.getValue());
            }
            return dropped;
        });
    }

    private static int add(Connection connection, Noted noted) throws SQLException {
        var mail = noted.mail();
        var news = mail.about() instanceof About.News about ? about : null;
        return Sql.update(
                connection,
                ADD,
                mail.id(),
                mail.account().value(),
                news == null ? null : news.kind().name(),
                news == null ? null : news.cluster().value(),
                news == null ? null : news.sequence(),
                mail.about() instanceof About.Proof(var address) ? address : null,
                timestamp(noted.notedAt()),
                timestamp(noted.dueAt()),
                timestamp(mail.expiresAt()),
                mail.account().value(),
                news != null && news.kind() == MailKind.APPROVAL ? MAX_FOR_APPROVALS : MAX_WAITING);
    }

    /** Whether that many proofs or more were sent to the address, or for the account, since then. */
    boolean hasProofs(AccountName account, String address, Instant since, int least) {
        return read(connection -> Sql.finds(connection, PROOFS, account.value(), address, timestamp(since), least - 1));
    }

    /** The account whose mail is due first, and when. */
    record FirstDue(AccountName account, Instant at) {}

    Optional<FirstDue> firstDue() {
        return read(
                        FIRST_DUE,
                        row -> new FirstDue(
                                new AccountName(row.getString(1)),
                                row.getTimestamp(2).toInstant()))
                .stream()
                .findFirst();
    }

    /** Returns the mail of an account that is due, oldest first. */
    List<Waiting> due(AccountName account, Instant now, int limit) {
        return read(DUE, PostgresMail::waiting, account.value(), timestamp(now), limit);
    }

    private static Waiting waiting(ResultSet row) throws SQLException {
        var kind = row.getString(3);
        var about = kind == null
                ? new About.Proof(row.getString(6))
                : new About.News(MailKind.valueOf(kind), new ClusterId(row.getString(4)), row.getLong(5));
        return new Waiting(
                row.getString(1),
                new AccountName(row.getString(2)),
                about,
                row.getTimestamp(7).toInstant(),
                row.getInt(8));
    }

    /** Returns how often news was sent to an account since then. */
    int sent(AccountName account, Instant since) {
        return read(SENT, row -> row.getInt(1), account.value(), timestamp(since.minus(KEPT)), timestamp(since))
                .getFirst();
    }

    /** Notes what became of mail. */
    void settle(List<Waiting> mail, MailOutcome outcome, Instant now) {
        write(connection -> Sql.update(
                connection,
                "update mail set outcome = ?, ended_at = ? where id = any(?)",
                outcome.name(),
                timestamp(now),
                ids(mail)));
    }

    /**
     * Puts mail off.
     *
     * @param failures how many failures are added
     */
    void postpone(List<Waiting> mail, Instant until, int failures) {
        write(connection -> Sql.update(
                connection,
                "update mail set due_at = ?, failures = failures + ? where id = any(?)",
                timestamp(until),
                failures,
                ids(mail)));
    }

    private static Object ids(List<Waiting> mail) {
        return mail.stream().map(Waiting::id).toArray(String[]::new);
    }

    /** Deletes outcomes that are old enough, and mailboxes of deleted accounts. */
    void forget(Instant now) {
        int deleted;
        do {
            deleted = write(connection -> Sql.update(
                    connection, Sql.deletingSome("mail where ended_at < ?"), timestamp(now.minus(KEPT)), PIECE));
        } while (deleted == PIECE);
        write(connection -> Sql.update(
                connection,
                "delete from mailbox where account in (select name from account where deleted_at is not null)"));
    }

    private static Timestamp timestamp(Instant time) {
        return Timestamp.from(time);
    }
}
