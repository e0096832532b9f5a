package berth.engine;

import berth.budget.EntryKind;
import berth.reservation.ClusterId;
import berth.reservation.ReservationId;
import berth.runtime.StorageUnavailable;
import berth.sla.AccountName;
import java.math.BigDecimal;
import java.util.Currency;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/** Reads the recorded grants and charges of projects. */
public interface ProjectLedger {

    /**
     * An entry of the ledger.
     *
     * @param place its position in the order of entries
     * @param agreement the agreement that it follows from; empty for a grant
     * @param currency the currency; empty for a grant in PE-hours
     * @param amount the amount in the currency, or the PE-seconds of a grant in PE-hours
     * @param peSeconds the PE-seconds of the reservation; for a grant in PE-hours the same as the amount
     */
    record Entry(
            Place place,
            EntryKind kind,
            Optional<Agreement> agreement,
            Optional<Currency> currency,
            BigDecimal amount,
            long peSeconds) {}

    /**
     * A position in the order of a project's entries.
     *
     * @param at when the entry takes effect, in seconds since the epoch
     * @param source the cluster of its event, or the id of a grant
     * @param sequence the sequence of its event; negative for a grant
     * @param number its number among the entries of its event
     */
    record Place(long at, String source, long sequence, int number) {}

    /**
     * A reservation as agreed.
     *
     * @param version the version of the reservation after the event that led to the entry
     */
    record Agreement(ReservationId reservation, int version, AccountName owner) {}

    /** Returns the entries of a project, oldest first. */
    List<Entry> entries(String project, Optional<Place> after, int limit);

    /**
     * The charge and the credit of a reservation that has ended, or a later credit for time that it returned.
     *
     * @param place its position in the order of entries, with the time at which it ended or was credited
     */
    record Charged(Place place, Run run, Amounts amounts, PeSeconds peSeconds) {}

    /**
     * The run of a reservation.
     *
     * @param start its planned or actual start, in seconds since the epoch
     * @param end its planned end, in seconds since the epoch
     */
    record Run(
            ReservationId reservation,
            ClusterId cluster,
            AccountName owner,
            Optional<String> name,
            long start,
            long end) {}

    /**
     * Amounts of money.
     *
     * @param price what is owed; zero after a breach; less than zero for a later credit
     * @param credit the credit for a breach, or for PEs that the run lost; otherwise zero
     */
    record Amounts(Currency currency, BigDecimal price, BigDecimal credit) {}

    /**
     * Amounts of PE-time.
     *
     * @param booked the reserved PE-seconds, without those that the run lost
     * @param charged the PE-seconds that are charged; less than zero for a later credit
     * @param used the PE-seconds that it had until it ended
     */
    record PeSeconds(long booked, long charged, long used) {}

    /**
     * Returns the charges and credits of a project, oldest first.
     *
     * @param from the earliest end, in seconds since the epoch
     * @param to the end of the period, exclusive, in seconds since the epoch
     */
    List<Charged> charges(String project, long from, long to, Optional<Place> after, int limit);

    /**
     * Passes all charges and credits of a project in that period to {@code each}, oldest first, however many there are, from one snapshot.
     *
     * @throws StorageUnavailable if they cannot be read
     */
    void charges(String project, long from, long to, Consumer<Charged> each);

    /**
     * The sums in one currency.
     *
     * @param number the number of reservations
     */
    record Sum(long number, Amounts amounts, PeSeconds peSeconds) {}

    /** Returns the sums of {@link #charges} for each currency. */
    List<Sum> sums(String project, long from, long to);
}
