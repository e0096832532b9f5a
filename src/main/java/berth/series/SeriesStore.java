package berth.series;

import berth.desk.KeyUse;
import berth.desk.Records.Whose;
import berth.intake.IntakeRequest;
import berth.reservation.Reservation;
import berth.reservation.SeriesId;
import berth.sla.AccountName;
import java.util.List;
import java.util.Optional;

/** Where series are kept. What is answered is durable. */
public interface SeriesStore {

    /** Records one that is new, and the key that asked for it. */
    void create(Series series, Optional<KeyUse> key);

    /** Records one as it has become. */
    void update(Series series);

    /** Forgets one, of which nothing was booked. */
    void delete(SeriesId id);

    Optional<Series> find(SeriesId id);

    /**
     * Lists series, newest first.
     *
     * @param whose only those of this account, or filed under this project
     * @param olderThan only those asked for before it
     */
    List<Series> list(Whose whose, Optional<SeriesId> olderThan, int limit);

    /** Those of which occurrences are still to be decided. */
    List<Series> atWork();

    /** How many an account has of which occurrences are still to be decided. */
    int atWork(AccountName owner);

    /** The reservations that are or were occurrences of one, in the order in which they were asked for. */
    List<Reservation> booked(SeriesId id);

    /** The requests for occurrences of one that were refused, in the same order. */
    List<IntakeRequest> refused(SeriesId id);
}
