package berth.readings;

import berth.engine.Records.Occupied;
import berth.engine.Records.Owed;
import berth.http.MoneyBody;
import berth.reservation.ReservationState;
import berth.sla.Money;
import berth.time.Slot;
import io.swagger.v3.oas.annotations.media.Schema;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.Comparator;
import java.util.Currency;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Adds up what is booked in a time range, how much of it has run, and what it costs. */
final class UtilisationSum {

    private final Slot range;
    private final long now;
    private long booked;
    private long run;
    private final Map<Currency, Money> revenue = byCode();
    private final Map<ReservationState, Map<Currency, Money>> ahead = new EnumMap<>(ReservationState.class);

    /**
     * Creates an empty tally.
     *
     * @param now the time up to which PE-seconds have run, in seconds since the epoch
     */
    UtilisationSum(Slot range, long now) {
        this.range = range;
        this.now = now;
    }

    private static Map<Currency, Money> byCode() {
        return new TreeMap<>(Comparator.comparing(Currency::getCurrencyCode));
    }

    /**
     * What is booked in a time range, and what it costs.
     *
     * @param peHoursBooked the PE-hours in the time range, past and future
     * @param peHoursRun the PE-hours in the time range that already lie in the past
     * @param revenue what the reservations that ended in the time range owe, one amount for each currency
     * @param bookedAhead what live reservations currently owe, in any time range
     */
    @Schema(name = "Figures")
    record FiguresBody(double peHoursBooked, double peHoursRun, List<MoneyBody> revenue, BookedAheadBody bookedAhead) {}

    /**
     * What live reservations currently owe, by their states, with one amount for each currency.
     *
     * @param held the amounts of reservations that are not confirmed yet
     * @param confirmed the amounts of confirmed reservations that have not begun
     * @param running the amounts of running reservations
     */
    @Schema(name = "BookedAhead")
    record BookedAheadBody(List<MoneyBody> held, List<MoneyBody> confirmed, List<MoneyBody> running) {}

    /** Counts PEs that are taken for a time that overlaps the range. */
    void add(Occupied taken) {
        long start = Math.max(taken.slot().start(), range.start());
        long end = Math.min(taken.slot().end(), range.end());
        booked += (end - start) * taken.pes();
        run += Math.max(0, Math.min(end, now) - start) * taken.pes();
    }

    /** Counts what reservations that ended in the range owe. */
    void add(Money earned) {
        revenue.merge(earned.currency(), earned, Money::plus);
    }

    /** Counts what live reservations owe. */
    void add(Owed owed) {
        var money = owed.sum().money();
        // one that must be approved keeps its place without being confirmed, as a hold does
        var state = owed.state() == ReservationState.PENDING ? ReservationState.HELD : owed.state();
        ahead.computeIfAbsent(state, _ -> byCode()).merge(money.currency(), money, Money::plus);
    }

    /**
     * Returns the booked share of all PE-seconds, to six decimals.
     *
     * @param pes the number of PEs that could be booked
     */
    double share(long pes) {
        return decimals((double) booked / ((double) range.duration() * pes));
    }

    FiguresBody body() {
        return new FiguresBody(decimals(booked / 3600.0), decimals(run / 3600.0), bodies(revenue), bookedAhead());
    }

    BookedAheadBody bookedAhead() {
        return new BookedAheadBody(
                ahead(ReservationState.HELD), ahead(ReservationState.CONFIRMED), ahead(ReservationState.RUNNING));
    }

    private List<MoneyBody> ahead(ReservationState state) {
        return bodies(ahead.getOrDefault(state, Map.of()));
    }

    private static List<MoneyBody> bodies(Map<Currency, Money> sums) {
        return sums.values().stream().map(MoneyBody::of).toList();
    }

    private static double decimals(double figure) {
        return BigDecimal.valueOf(figure).setScale(6, RoundingMode.HALF_UP).doubleValue();
    }
}
