package berth.store;

import berth.batch.BatchJob;
import berth.batch.JobState;
import berth.engine.Records.RecordedEvent;
import berth.reservation.ClusterId;
import berth.reservation.Reservation;
import berth.scheduling.Event;
import berth.scheduling.Event.BudgetEvent;
import berth.scheduling.Event.ClusterEvent;
import berth.scheduling.Event.DelayEvent;
import berth.scheduling.Event.JobEvent;
import berth.scheduling.Event.JobsEvent;
import berth.scheduling.Event.OutageEvent;
import berth.scheduling.Event.RequestEvent;
import berth.scheduling.Event.ReservationEvent;
import berth.scheduling.Event.ReturnCredit;
import berth.store.BatchWriter.Column;
import jakarta.persistence.Entity;
import jakarta.persistence.EnumType;
import jakarta.persistence.Enumerated;
import jakarta.persistence.Id;
import jakarta.persistence.IdClass;
import jakarta.persistence.Table;
import java.math.BigDecimal;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.NullUnmarked;

/** The row of an event: its content, and the fields for searches and sums; for a replaced queue, only its size. Written once. */
@Entity
@Table(name = "event")
@IdClass(EventRow.Key.class)
@NullUnmarked
public final class EventRow {

    static final BatchWriter<EventRow> WRITER = new BatchWriter<>(
            "event",
            Set.of("cluster", "sequence"),
            List.of(
                    new Column<>("cluster", "text", row -> row.cluster),
                    new Column<>("sequence", "bigint", row -> row.sequence),
                    new Column<>("type", "text", row -> row.type),
                    new Column<>("at", "timestamptz", row -> row.at),
                    new Column<>("reservation", "uuid", row -> row.reservation),
                    new Column<>("version", "integer", row -> row.version),
                    new Column<>("owner", "text", row -> row.owner),
                    new Column<>("project", "text", row -> row.project),
                    new Column<>("start_at", "timestamptz", row -> row.startAt),
                    new Column<>("price", "numeric", row -> row.price),
                    new Column<>("credit", "numeric", row -> row.credit),
                    new Column<>("currency", "text", row -> row.currency),
                    new Column<>("phi", "numeric", row -> row.phi),
                    new Column<>("slowdown", "double precision", row -> row.slowdown),
                    new Column<>("job", "uuid", row -> row.job),
                    new Column<>("waited", "bigint", row -> row.waited),
                    new Column<>("outage", "uuid", row -> row.outage),
                    new Column<>("request", "uuid", row -> row.request),
                    new Column<>("jobs_running", "integer", row -> row.jobsRunning),
                    new Column<>("jobs_waiting", "integer", row -> row.jobsWaiting),
                    new Column<>("content", "text", row -> row.content)));

    public record Key(String cluster, long sequence) {}

    @Id
    String cluster;

    @Id
    public long sequence;

    @Enumerated(EnumType.STRING)
    public Event.Type type;

    public Instant at;
    UUID reservation;

    /** The version of the reservation after the event. The fields from here to {@code slowdown} describe the reservation at that time. */
    public Integer version;

    /**
     * The owner of the reservation or request, whose project is the next field, or of the delayed job. An event of a budget has only a project.
     */
    String owner;

    String project;
    Instant startAt;
    BigDecimal price;
    BigDecimal credit;
    String currency;
    BigDecimal phi;
    Double slowdown;
    UUID job;
    Long waited;
    UUID outage;
    UUID request;
    Integer jobsRunning;
    Integer jobsWaiting;

    /** Null for a replaced queue. */
    public String content;

    static EventRow of(ClusterId cluster, long sequence, Event event) {
        var row = new EventRow();
        row.cluster = cluster.value();
        row.sequence = sequence;
        row.type = event.type();
        row.at = Instant.ofEpochSecond(event.at());
        row.content = event instanceof JobsEvent ? null : JournalFormat.text(event);
        switch (event) {
            case ReservationEvent(var _, var reservation, var _, var _, var _, var returned) -> {
                row.set(reservation);
                row.credit(returned.filter(_ -> !reservation.state().isLive()));
            }
            case ClusterEvent _ -> {}
            case OutageEvent(var _, var subject, var _) ->
                row.outage = subject.id().value();
            case JobEvent(var type, var changed, var at) -> {
                row.job = changed.id().value();
                row.waited = type == Event.Type.JOB_STARTED ? at - changed.submittedAt() : null;
            }
            case DelayEvent(var delayed, var _, var _) -> {
                row.job = delayed.id().value();
                row.owner = delayed.owner().value();
            }
            case JobsEvent(var jobs, var _) -> {
                row.jobsRunning = number(jobs, JobState.RUNNING);
                row.jobsWaiting = number(jobs, JobState.QUEUED);
            }
            case BudgetEvent(var budget, var _) -> row.project = budget.project();
            case RequestEvent(var _, var subject, var _) -> {
                row.request = subject.id().value();
                row.owner = subject.origin().owner().value();
                row.project = subject.origin().project().orElse(null);
            }
        }
        return row;
    }

    private void set(Reservation after) {
        reservation = after.id().value();
        version = after.status().version();
        owner = after.origin().owner().value();
        project = after.origin().project().orElse(null);
        startAt = Seconds.instant(after.slot().start());
        price = after.price().amount();
        credit = after.charge().credit().map(money -> money.amount()).orElse(null);
        currency = after.price().currency().getCurrencyCode();
        phi = after.origin().phi().orElse(null);
        slowdown = type == Event.Type.COMPLETED && at.isAfter(startAt) ? slowdown(after) : null;
    }

    /**
     * Sets what a credit for returned time adds to the sums of prices.
     *
     * @param returned the credit, if the price was final
     */
    private void credit(Optional<ReturnCredit> returned) {
        if (type == Event.Type.RETURN_CREDITED || type == Event.Type.RETURN_ENDED) {
            price = returned.map(less -> less.credited().money().amount().negate())
                    .orElse(null);
            credit = null;
        }
    }

    /** Returns the time from the ready time to the end, divided by the time with PEs. */
    private static double slowdown(Reservation completed) {
        long end = completed.status().updatedAt();
        long ran = completed.occupied().stream()
                .mapToLong(part -> part.slot().duration())
                .sum();
        return (double) (end - completed.terms().window().readyTime()) / ran;
    }

    private static int number(List<BatchJob> jobs, JobState state) {
        return Math.toIntExact(
                jobs.stream().filter(each -> each.state() == state).count());
    }

    /** Returns the event as clients see it. */
    public RecordedEvent recorded() {
        var id = new ClusterId(cluster);
        long second = at.getEpochSecond();
        return content == null
                ? new RecordedEvent.QueueReplaced(id, sequence, second, jobsRunning, jobsWaiting)
                : new RecordedEvent.Whole(id, sequence, event());
    }

    /** Returns the event, which must not be that of a replaced queue, of which only the size is kept. */
    public Event event() {
        return JournalFormat.event(content);
    }

    /** Returns the reservation after the event, which must concern one. */
    public Reservation toReservation() {
        return ((ReservationEvent) event()).reservation();
    }
}
