package berth.desk;

import berth.reservation.Event;
import berth.reservation.Reservation;
import berth.reservation.ReservationId;
import berth.time.Slot;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** What is recorded, for reading: committed facts only. Never waits for a writer. */
public interface Records {

    Optional<Reservation> find(ReservationId id);

    /** The reservations of one owner or of all, newest first. */
    List<Reservation> list(Optional<String> owner, Optional<ReservationId> olderThan, int limit);

    /** What happened to a reservation after {@code sequence}, in order. */
    List<RecordedEvent> events(ReservationId reservation, long sequence, int limit);

    /**
     * What happened after the given position of each cluster; of a cluster that is not named, everything. In order of
     * time, and of each cluster in the order of its sequence.
     */
    List<RecordedEvent> events(Map<String, Long> positions, int limit);

    /** The reservations of a cluster that take, took or will take PEs in {@code range}, by start. */
    List<Reservation> occupying(String cluster, Slot range);

    /** What was first answered to a key that is not older than it is kept. */
    Optional<FirstResult> firstResult(String account, String key);

    /** An event with its place in the history of its cluster. */
    record RecordedEvent(long sequence, Event event) {}

    /** What a key stands for; the event is empty where it created a cluster. */
    record FirstResult(String fingerprint, Optional<Event> event) {}
}
