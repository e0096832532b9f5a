package berth.series;

import berth.engine.KeyUse;
import berth.engine.Records.Whose;
import berth.intake.IntakeRequest;
import berth.reservation.Reservation;
import berth.reservation.SeriesId;
import berth.sla.AccountName;
import java.util.List;
import java.util.Optional;

/** Stores series durably. */
public interface SeriesStore {

    /** Records a new series and the key of its request. */
    void create(Series series, Optional<KeyUse> key);

    /** Records the present state. */
    void update(Series series);

    /** Deletes a series of which nothing was booked. */
    void delete(SeriesId id);

    Optional<Series> find(SeriesId id);

    /**
     * Returns series, newest first.
     *
     * @param whose selects an account or a project
     * @param olderThan only those requested before it
     */
    List<Series> list(Whose whose, Optional<SeriesId> olderThan, int limit);

    /** Returns the series that are not {@link SeriesState#DECIDED}: occurrences must still be booked, decided or cancelled. */
    List<Series> atWork();

    /** Returns how many series of an account are not {@link SeriesState#DECIDED}. */
    int atWork(AccountName owner);

    /** Returns the reservations of a series' occurrences, live or not, in the order in which they were requested. */
    List<Reservation> booked(SeriesId id);

    /** Returns the refused requests for a series' occurrences, in the same order. */
    List<IntakeRequest> refused(SeriesId id);
}
