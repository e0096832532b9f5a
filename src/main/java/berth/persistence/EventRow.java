package berth.persistence;

import berth.batch.BatchJob;
import berth.batch.JobState;
import berth.reservation.ClusterId;
import berth.reservation.Reservation;
import berth.scheduling.Event;
import berth.scheduling.Event.ClusterEvent;
import berth.scheduling.Event.JobEvent;
import berth.scheduling.Event.JobsEvent;
import berth.scheduling.Event.Move;
import berth.scheduling.Event.OutageEvent;
import berth.scheduling.Event.RequestEvent;
import berth.scheduling.Event.ReservationEvent;
import berth.sla.Part;
import jakarta.persistence.Convert;
import jakarta.persistence.Embedded;
import jakarta.persistence.Entity;
import jakarta.persistence.EnumType;
import jakarta.persistence.Enumerated;
import jakarta.persistence.Id;
import jakarta.persistence.IdClass;
import jakarta.persistence.Table;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.hibernate.annotations.EmbeddedColumnNaming;
import org.jspecify.annotations.NullUnmarked;

/**
 * An event, with the reservation or the batch job as it was after it, or the version of the cluster, or the outage or the
 * collected request that it speaks of; of a queue that was replaced, its size. Written once.
 */
@Entity
@Table(name = "event")
@IdClass(EventRow.Key.class)
@NullUnmarked
class EventRow {

    record Key(String cluster, long sequence) {}

    @Id
    String cluster;

    @Id
    long sequence;

    @Enumerated(EnumType.STRING)
    Event.Type type;

    Instant at;
    UUID reservation;

    @Embedded
    ReservationFields after;

    @Convert(converter = PartsConverter.class)
    List<Part> movedFrom;

    @Enumerated(EnumType.STRING)
    Event.MoveReason movedWhy;

    Integer clusterVersion;
    UUID outage;
    UUID job;

    @Embedded
    @EmbeddedColumnNaming("job_%s")
    JobFields jobAfter;

    Integer jobsRunning;
    Integer jobsWaiting;
    UUID request;
    String requestOwner;

    static EventRow of(ClusterId cluster, long sequence, Event event) {
        var row = new EventRow();
        row.cluster = cluster.value();
        row.sequence = sequence;
        row.type = event.type();
        row.at = Instant.ofEpochSecond(event.at());
        switch (event) {
            case ReservationEvent(var _, var reservation, var _, var move) -> {
                row.reservation = reservation.id().value();
                row.after = ReservationFields.of(reservation);
                row.movedFrom = move.map(Move::from).orElse(null);
                row.movedWhy = move.map(Move::why).orElse(null);
            }
            case ClusterEvent(var changed, var _) -> row.clusterVersion = changed.version();
            case OutageEvent(var _, var subject, var _) ->
                row.outage = subject.id().value();
            case JobEvent(var _, var changed, var _) -> {
                row.job = changed.id().value();
                row.jobAfter = JobFields.of(changed);
            }
            case JobsEvent(var jobs, var _) -> {
                row.jobsRunning = number(jobs, JobState.RUNNING);
                row.jobsWaiting = number(jobs, JobState.QUEUED);
            }
            case RequestEvent(var _, var subject, var _) -> {
                row.request = subject.id().value();
                row.requestOwner = subject.origin().owner().value();
            }
        }
        return row;
    }

    private static int number(List<BatchJob> jobs, JobState state) {
        return Math.toIntExact(
                jobs.stream().filter(each -> each.state() == state).count());
    }

    /** The event, which must be about a batch job. */
    JobEvent toJobEvent() {
        return new JobEvent(type, jobAfter.toJob(job, cluster), at.getEpochSecond());
    }

    /** The event, which must be about a reservation. */
    ReservationEvent toReservationEvent() {
        return new ReservationEvent(
                type,
                toReservation(),
                at.getEpochSecond(),
                Optional.ofNullable(movedFrom).map(from -> new Move(from, movedWhy)));
    }

    /** The reservation as it was after the event, which must be about one. */
    Reservation toReservation() {
        return after.toReservation(reservation, cluster);
    }
}
