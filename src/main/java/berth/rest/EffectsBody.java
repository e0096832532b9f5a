package berth.rest;

import berth.reservation.Reservation;
import berth.scheduling.ClusterSchedule;
import berth.scheduling.Event;
import berth.scheduling.Event.JobEvent;
import berth.scheduling.Event.Move;
import berth.scheduling.Event.ReservationEvent;
import berth.sla.Money;
import io.swagger.v3.oas.annotations.media.Schema;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * The effects of a change on reservations and jobs.
 *
 * @param moved the reservations that would be moved within their windows; at most the first 1,000
 * @param failed the reservations that would fail because no place is left for them; at most the first 1,000
 * @param credits sums that would be credited for the failed reservations, one amount for each currency
 * @param requeued the running batch jobs that would wait again; at most the first 1,000
 * @param truncated whether any of the lists leaves entries out
 */
record EffectsBody(
        List<MovedBody> moved,
        List<FailedBody> failed,
        List<MoneyBody> credits,
        List<UUID> requeued,
        boolean truncated) {

    private static final int MAX = 1_000;

    /**
     * A reservation that would be moved.
     *
     * @param reservation id of the reservation
     * @param owner owner of the reservation
     * @param from its present parts
     * @param to its parts after the move
     */
    @Schema(name = "MovedReservation")
    record MovedBody(UUID reservation, String owner, List<PartBody> from, List<PartBody> to) {

        static MovedBody of(Reservation after, Move move) {
            return new MovedBody(
                    after.id().value(),
                    after.origin().owner().value(),
                    PartBody.of(move.from()),
                    PartBody.of(after.parts()));
        }
    }

    /**
     * A reservation that would fail.
     *
     * @param reservation id of the reservation
     * @param owner owner of the reservation
     * @param from its present parts
     * @param credit the credit to its owner; null if the reservation is only held, because then there is none
     */
    @Schema(name = "FailedReservation")
    record FailedBody(
            UUID reservation,
            String owner,
            List<PartBody> from,
            @Nullable MoneyBody credit) {

        static FailedBody of(Reservation before, Reservation after) {
            return new FailedBody(
                    after.id().value(),
                    after.origin().owner().value(),
                    PartBody.of(before.parts()),
                    Texts.orNull(after.charge().credit().map(MoneyBody::of)));
        }
    }

    /**
     * Returns the effects of {@code events}.
     *
     * @param before the schedule before the events
     */
    static EffectsBody of(List<Event> events, ClusterSchedule before) {
        var moved = new ArrayList<MovedBody>();
        var failed = new ArrayList<FailedBody>();
        var requeued = new ArrayList<UUID>();
        for (var event : events) {
            if (event instanceof ReservationEvent(var _, var after, var _, var move, var _) && move.isPresent()) {
                moved.add(MovedBody.of(after, move.get()));
            } else if (event instanceof ReservationEvent(var type, var after, var _, var _, var _)
                    && type == Event.Type.FAILED) {
                failed.add(FailedBody.of(before.find(after.id()).orElseThrow(), after));
            } else if (event instanceof JobEvent(var type, var job, var _) && type == Event.Type.JOB_REQUEUED) {
                requeued.add(job.id().value());
            }
        }
        return new EffectsBody(
                first(moved),
                first(failed),
                credits(events),
                first(requeued),
                Math.max(Math.max(moved.size(), failed.size()), requeued.size()) > MAX);
    }

    private static <T> List<T> first(List<T> all) {
        return all.stream().limit(MAX).toList();
    }

    /** Returns the sums that the events credit, one amount for each currency. */
    static List<MoneyBody> credits(List<Event> events) {
        var sums = new TreeMap<String, Money>();
        for (var event : events) {
            if (event instanceof ReservationEvent(var type, var after, var _, var _, var _)
                    && type == Event.Type.FAILED) {
                after.charge()
                        .credit()
                        .ifPresent(credit -> sums.merge(credit.currency().getCurrencyCode(), credit, Money::plus));
            }
        }
        return sums.values().stream().map(MoneyBody::of).toList();
    }
}
