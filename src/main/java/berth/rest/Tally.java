package berth.rest;

import berth.desk.Records.Occupied;
import berth.desk.Records.Owed;
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

/** Adds up what is booked in a time, what of it has run, and what it costs. */
final class Tally {

    private final Slot range;
    private final long now;
    private long booked;
    private long run;
    private final Map<Currency, Money> revenue = byCode();
    private final Map<ReservationState, Map<Currency, Money>> ahead = new EnumMap<>(ReservationState.class);

    /** @param now up to when PE-seconds have run, seconds since the epoch */
    Tally(Slot range, long now) {
        this.range = range;
        this.now = now;
    }

    private static Map<Currency, Money> byCode() {
        return new TreeMap<>(Comparator.comparing(Currency::getCurrencyCode));
    }

    /**
     * What is booked, and what it costs.
     *
     * @param peHoursBooked in the time, be it past or ahead
     * @param peHoursRun those of them that lie behind
     * @param revenue what those reservations owe that ended in the time, one amount for each currency
     * @param bookedAhead what live reservations owe now, whatever the time that is asked for
     */
    @Schema(name = "Figures")
    record FiguresBody(double peHoursBooked, double peHoursRun, List<MoneyBody> revenue, BookedAheadBody bookedAhead) {}

    /**
     * What live reservations owe as things stand, by their states; one amount for each currency.
     *
     * @param held what is not confirmed yet
     * @param confirmed what is agreed, and has not begun
     * @param running what has begun
     */
    @Schema(name = "BookedAhead")
    record BookedAheadBody(List<MoneyBody> held, List<MoneyBody> confirmed, List<MoneyBody> running) {}

    /** Counts PEs that are taken for a time, which overlaps the range. */
    void add(Occupied taken) {
        long start = Math.max(taken.slot().start(), range.start());
        long end = Math.min(taken.slot().end(), range.end());
        booked += (end - start) * taken.pes();
        run += Math.max(0, Math.min(end, now) - start) * taken.pes();
    }

    /** Counts what reservations owe that ended in the range. */
    void add(Money earned) {
        revenue.merge(earned.currency(), earned, Money::plus);
    }

    /** Counts what live reservations owe. */
    void add(Owed owed) {
        var money = owed.sum().money();
        ahead.computeIfAbsent(owed.state(), _ -> byCode()).merge(money.currency(), money, Money::plus);
    }

    /**
     * The share of all PE-seconds that is booked, to six decimals.
     *
     * @param pes what there is to be booked
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
