package berth.desk;

import berth.budget.EntryKind;
import berth.reservation.ClusterId;
import berth.reservation.ReservationId;
import berth.sla.AccountName;
import java.math.BigDecimal;
import java.util.Currency;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.Consumer;

/** What is recorded of what projects have been granted and charged. */
public interface ProjectLedger {

    /**
     * An entry of the ledger.
     *
     * @param at when it counts from, seconds since the epoch
     * @param place the cluster of its event; the name of the grant where the entry is that of a grant
     * @param sequence of its event; less than 0 for a grant
     * @param number among those of its event
     * @param reservation present exactly if it is the entry of a reservation, like what follows
     * @param version of the reservation after the event
     * @param owner who has reserved
     * @param currency empty where a grant is in PE-hours
     * @param amount in the currency; PE-seconds where a grant is in PE-hours
     * @param peSeconds of the reservation; of a grant in PE-hours the same as the amount
     */
    record Entry(
            long at,
            EntryKind kind,
            String place,
            long sequence,
            int number,
            Optional<ReservationId> reservation,
            OptionalInt version,
            Optional<AccountName> owner,
            Optional<Currency> currency,
            BigDecimal amount,
            long peSeconds) {

        /** Where it stands in the order of entries. */
        public Place inOrder() {
            return new Place(at, place, sequence, number);
        }
    }

    /** Where an entry stands in the order of a project's entries. */
    record Place(long at, String place, long sequence, int number) {}

    /** The entries of a project, oldest first. */
    List<Entry> entries(String project, Optional<Place> after, int limit);

    /**
     * What was charged or credited for a reservation that has ended.
     *
     * @param at when it had ended, seconds since the epoch
     * @param place in the order of entries
     * @param price what it owes; nothing for a breach
     * @param credit what was credited for a breach; nothing otherwise
     * @param start when it was to run, or had begun
     * @param booked PE-seconds that it had reserved
     * @param charged PE-seconds that it is charged for
     * @param used PE-seconds until it ended
     */
    record Charged(
            long at,
            Place place,
            ReservationId reservation,
            ClusterId cluster,
            AccountName owner,
            Optional<String> name,
            long start,
            long end,
            Currency currency,
            BigDecimal price,
            BigDecimal credit,
            long booked,
            long charged,
            long used) {}

    /**
     * What a project was charged and credited, oldest first.
     *
     * @param from seconds since the epoch
     * @param to what ended before then, seconds since the epoch
     */
    List<Charged> charges(String project, long from, long to, Optional<Place> after, int limit);

    /**
     * The same, all of it, one after the other, whatever their number: in one snapshot.
     *
     * @throws StorageUnavailable if it cannot be read
     */
    void charges(String project, long from, long to, Consumer<Charged> each);

    /**
     * What all of that comes to in one currency.
     *
     * @param number of reservations
     */
    record Sum(
            Currency currency,
            long number,
            BigDecimal price,
            BigDecimal credit,
            long booked,
            long charged,
            long used) {}

    /** What {@link #charges} comes to, by currency. */
    List<Sum> sums(String project, long from, long to);
}
