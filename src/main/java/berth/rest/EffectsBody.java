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
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.TreeMap;
import java.util.UUID;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The effects of a change on reservations and jobs.
 *
 * @param moved the reservations that would be moved within their windows; at most the first 1,000
 * @param failed the reservations that would fail because no place is left for them; at most the first 1,000
 * @param losing the running reservations that would lose PEs and go on with what is left; at most the first 1,000
 * @param credits sums that would be credited for the failed reservations, one amount for each currency. What a running reservation loses
 *     is credited when it ends
 * @param requeued the running batch jobs that would wait again; at most the first 1,000
 * @param truncated whether any of the lists leaves entries out
 */
record EffectsBody(
        List<MovedBody> moved,
        List<FailedBody> failed,
        List<LosingBody> losing,
        List<MoneyBody> credits,
        List<UUID> requeued,
        boolean truncated) {

    private static final int MAX = 1_000;

    private static final Set<Event.Type> LOSES =
            EnumSet.of(Event.Type.LOSING, Event.Type.REPLACED, Event.Type.DEGRADED);

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
     * A running reservation that would lose PEs.
     *
     * @param reservation id of the reservation
     * @param owner owner of the reservation
     * @param lacks the PEs that it would lack, in order of time, as far as no others replace them; empty if all are replaced
     */
    @Schema(name = "LosingReservation")
    record LosingBody(UUID reservation, String owner, List<PartBody> lacks) {

        static LosingBody of(Reservation after) {
            return new LosingBody(
                    after.id().value(),
                    after.origin().owner().value(),
                    PartBody.of(after.placement().losses().lacks()));
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
        var losing = new ArrayList<LosingBody>();
        var requeued = new ArrayList<UUID>();
        for (var event : events) {
            if (event instanceof ReservationEvent(var _, var after, var _, var move, var _) && move.isPresent()) {
                moved.add(MovedBody.of(after, move.get()));
            } else if (event instanceof ReservationEvent(var type, var after, var _, var _, var _)
                    && type == Event.Type.FAILED) {
                failed.add(FailedBody.of(before.find(after.id()).orElseThrow(), after));
            } else if (event instanceof ReservationEvent(var type, var after, var _, var _, var _)
                    && LOSES.contains(type)) {
                losing.add(LosingBody.of(after));
            } else if (event instanceof JobEvent(var type, var job, var _) && type == Event.Type.JOB_REQUEUED) {
                requeued.add(job.id().value());
            }
        }
        return new EffectsBody(
                first(moved),
                first(failed),
                first(losing),
                credits(events),
                first(requeued),
                Stream.of(moved, failed, losing, requeued).anyMatch(all -> all.size() > MAX));
    }

    private static <T> List<T> first(List<T> all) {
        return all.stream().limit(MAX).toList();
    }

    /** Returns how many running reservations would lose PEs. */
    static int losing(List<Event> events) {
        return (int)
                events.stream().filter(event -> LOSES.contains(event.type())).count();
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
