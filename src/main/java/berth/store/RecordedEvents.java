package berth.store;

import berth.engine.Records.RecordedEvent;
import berth.reservation.ClusterId;
import berth.scheduling.Event;
import berth.scheduling.Event.OutageEvent;
import berth.scheduling.Event.RequestEvent;
import org.hibernate.StatelessSession;

/** Creates events from their rows and the rows to which these refer. */
public final class RecordedEvents {

    private RecordedEvents() {}

    public static RecordedEvent of(StatelessSession session, EventRow row) {
        return row.type == Event.Type.JOBS_REPLACED
                ? new RecordedEvent.QueueReplaced(
                        new ClusterId(row.cluster),
                        row.sequence,
                        row.at.getEpochSecond(),
                        row.jobsRunning,
                        row.jobsWaiting)
                : new RecordedEvent.Whole(new ClusterId(row.cluster), row.sequence, event(session, row));
    }

    private static RequestRow request(StatelessSession session, EventRow row) {
        return session.get(RequestRow.class, row.request);
    }

    /** Returns an event that is recorded with its full content, which is any except that of a replaced queue. */
    public static Event event(StatelessSession session, EventRow row) {
        long at = row.at.getEpochSecond();
        return switch (row.type) {
            case OUTAGE_RECORDED ->
                new OutageEvent(
                        row.type, session.get(OutageRow.class, row.outage).asRecorded(at), at);
            case OUTAGE_BEGAN ->
                new OutageEvent(
                        row.type, session.get(OutageRow.class, row.outage).asBegun(), at);
            case OUTAGE_ENDED ->
                new OutageEvent(
                        row.type, session.get(OutageRow.class, row.outage).toOutage(), at);
            case REQUESTED -> new RequestEvent(row.type, request(session, row).asCollected(), at);
            case WAITING -> new RequestEvent(row.type, request(session, row).asWaiting(), at);
            case GRANTED, REJECTED, WITHDRAWN, WAIT_EXPIRED ->
                new RequestEvent(row.type, request(session, row).toRequest(), at);
            case CLUSTER_CHANGED,
                    HELD,
                    CONFIRMED,
                    FIXED,
                    STARTING,
                    STARTED,
                    PAUSED,
                    RESUMED,
                    CLAIMED,
                    CLAIM_POSTPONED,
                    ENFORCED,
                    ENFORCEMENT_FAILED,
                    ENFORCEMENT_POSTPONED,
                    USERS_CHANGED,
                    RENEGOTIATED,
                    EXTENDED,
                    NOT_EXTENDED,
                    PROPOSED,
                    ACCEPTED,
                    DECLINED,
                    MOVED,
                    LOSING,
                    REPLACED,
                    RESTORED,
                    DEGRADED,
                    ENDING,
                    COMPLETED,
                    CANCELLED,
                    RELEASED,
                    EXPIRED,
                    FAILED,
                    RETURN_CREDITED,
                    RETURN_ENDED,
                    JOB_QUEUED,
                    JOB_STARTED,
                    JOB_REQUEUED,
                    JOB_DELAYED,
                    JOB_COMPLETED,
                    JOB_CANCELLED,
                    BUDGET_LOW -> JournalFormat.event(row.content);
            case JOBS_REPLACED ->
                throw new IllegalArgumentException(
                        "A replaced queue is recorded only by its size and cannot be read as a whole.");
        };
    }
}
