package berth.store;

import berth.budget.Dues;
import berth.budget.EntryKind;
import berth.budget.Posting;
import berth.database.Sql;
import berth.reservation.ClusterId;
import berth.reservation.EndReason;
import berth.reservation.Quantity;
import berth.reservation.Reservation;
import berth.reservation.ReservationId;
import berth.scheduling.Event;
import berth.scheduling.Event.ReservationEvent;
import berth.sla.Money;
import berth.sla.Part;
import berth.store.BatchWriter.Column;
import java.math.BigDecimal;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Currency;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Collects what some events of a cluster's reservations add to the ledger of projects. */
final class LedgerEntries {

    private static final BatchWriter<Entry> WRITER = new BatchWriter<>(
            "ledger_entry",
            Set.of("cluster", "sequence", "number"),
            List.of(
                    new Column<>("cluster", "text", entry -> entry.reservation.cluster()),
                    new Column<>("sequence", "bigint", Entry::sequence),
                    new Column<>("number", "integer", Entry::number),
                    new Column<>(
                            "project",
                            "text",
                            entry -> entry.reservation.origin().project().orElseThrow()),
                    new Column<>("at", "timestamptz", entry -> Seconds.instant(entry.at)),
                    new Column<>("kind", "text", entry -> entry.posting.kind()),
                    new Column<>("reservation", "uuid", entry -> entry.reservation.id()),
                    new Column<>("version", "integer", entry -> entry.reservation.version()),
                    new Column<>(
                            "owner", "text", entry -> entry.reservation.origin().owner()),
                    new Column<>("currency", "text", entry -> entry.posting.currency()),
                    new Column<>("amount", "numeric", entry -> entry.posting.amount()),
                    new Column<>("pe_seconds", "bigint", entry -> entry.posting.peSeconds()),
                    new Column<>(
                            "name",
                            "text",
                            entry -> entry.atEnd(
                                    entry.reservation.origin().labels().name().orElse(null))),
                    new Column<>(
                            "start_at",
                            "timestamptz",
                            entry -> entry.atEnd(
                                    Seconds.instant(entry.reservation.slot().start()))),
                    new Column<>(
                            "end_at",
                            "timestamptz",
                            entry -> entry.atEnd(
                                    Seconds.instant(entry.reservation.slot().end()))),
                    new Column<>("booked_pe_seconds", "bigint", entry -> entry.counted(booked(entry.reservation))),
                    new Column<>("used_pe_seconds", "bigint", entry -> entry.counted(used(entry.reservation)))));

    private static final String HELD = """
            select reservation, currency,
                   sum(case kind when 'RELEASE' then -amount else amount end),
                   sum(case kind when 'RELEASE' then -pe_seconds else pe_seconds end)
            from ledger_entry where reservation = any(?) and kind in ('HOLD', 'ADJUST', 'RELEASE')
            group by reservation, currency
            """;

    private final ClusterId cluster;
    private final List<Happened> happened = new ArrayList<>();

    LedgerEntries(ClusterId cluster) {
        this.cluster = cluster;
    }

    private record Happened(long sequence, ReservationEvent event) {

        Reservation reservation() {
            return event.reservation();
        }

        long at() {
            return event.at();
        }

        /** Whether it changes a charge that is final. */
        boolean isLater() {
            return !reservation().state().isLive()
                    && (event.type() == Event.Type.RETURN_CREDITED || event.type() == Event.Type.RETURN_ENDED);
        }
    }

    /** @param counts whether the PE-seconds of the reservation count here: once, although it may be charged and credited */
    private record Entry(long sequence, int number, Reservation reservation, long at, Posting posting, boolean counts) {

        /** Returns the PE-seconds if the entry is final, and the only one of its reservation or the one with its price. */
        @Nullable
        Object counted(long peSeconds) {
            return atEnd(counts ? peSeconds : 0);
        }

        /** Returns the value if the entry is a final one of its reservation, otherwise null. */
        @Nullable
        Object atEnd(@Nullable Object value) {
            return switch (posting.kind()) {
                case CHARGE, CREDIT, RETURN -> value;
                case HOLD, ADJUST, RELEASE, GRANT, EXPIRE -> null;
            };
        }
    }

    /** Returns the PE-seconds that were reserved and not lost. */
    private static long booked(Reservation reservation) {
        return reservation.placement().work() - reservation.lost();
    }

    private static long used(Reservation reservation) {
        if (reservation.status().reason().equals(Optional.of(EndReason.NOT_CLAIMED))) {
            return 0;
        }
        return reservation.occupied().stream().mapToLong(Part::work).sum() - reservation.lost();
    }

    /** Adds an event of a reservation; without a project it has no entries. */
    void add(long sequence, ReservationEvent event) {
        if (event.reservation().origin().project().isPresent()) {
            happened.add(new Happened(sequence, event));
        }
    }

    /** Writes the entries, in the transaction that writes the events to the other tables. */
    void write(Connection connection) throws SQLException {
        if (happened.isEmpty()) {
            return;
        }
        var held = held(connection);
        var entries = new ArrayList<Entry>();
        for (var event : happened) {
            if (event.isLater()) {
                event.event
                        .returned()
                        .map(credit -> Posting.of(credit.credited()))
                        .ifPresent(posting -> entries.add(
                                new Entry(event.sequence, 0, event.reservation(), event.at(), posting, false)));
                continue;
            }
            var after = Dues.of(event.reservation());
            var before = held.getOrDefault(
                    event.reservation().id(),
                    Dues.none(event.reservation().price()).held());
            int number = 0;
            var postings = Posting.of(before, after);
            boolean isCharged = postings.stream().anyMatch(posting -> posting.kind() == EntryKind.CHARGE);
            for (var posting : postings) {
                boolean counts = posting.kind() == EntryKind.CHARGE || !isCharged;
                entries.add(new Entry(event.sequence, number++, event.reservation(), event.at(), posting, counts));
            }
            held.put(event.reservation().id(), after.held());
        }
        WRITER.insert(connection, entries);
    }

    /** Returns what is held for these reservations so far. */
    private Map<ReservationId, Quantity> held(Connection connection) throws SQLException {
        var held = new HashMap<ReservationId, Quantity>();
        // nothing was held for new reservations
        var fresh = happened.stream()
                .filter(event -> event.reservation().status().version() == 0)
                .map(event -> event.reservation().id())
                .collect(Collectors.toSet());
        var ids = happened.stream()
                .map(event -> event.reservation().id())
                .filter(id -> !fresh.contains(id))
                .map(ReservationId::value)
                .distinct()
                .toArray(UUID[]::new);
        if (ids.length == 0) {
            return held;
        }
        var array = connection.createArrayOf("uuid", ids);
        try (var statement = Sql.prepare(connection, HELD, array);
                var found = statement.executeQuery()) {
            while (found.next()) {
                var quantity = quantity(found.getBigDecimal(3), found.getString(2), found.getLong(4));
                if (!quantity.isNothing()) {
                    held.put(new ReservationId(found.getObject(1, UUID.class)), quantity);
                }
            }
        } finally {
            array.free();
        }
        return held;
    }

    private static Quantity quantity(BigDecimal amount, String currency, long peSeconds) {
        return new Quantity(new Money(amount, Currency.getInstance(currency)), peSeconds);
    }
}
