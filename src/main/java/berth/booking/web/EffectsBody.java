package berth.booking.web;

import berth.accounts.Account;
import berth.accounts.Role;
import berth.booking.ReservationOrRequest;
import berth.booking.terms.PartBody;
import berth.engine.Answer;
import berth.engine.Trial;
import berth.http.MoneyBody;
import berth.http.Texts;
import berth.reservation.Reservation;
import berth.reservation.ReservationId;
import berth.scheduling.ClusterSchedule;
import berth.scheduling.Event;
import berth.scheduling.Event.JobEvent;
import berth.scheduling.Event.Move;
import berth.scheduling.Event.ReservationEvent;
import berth.scheduling.places.Effects;
import berth.scheduling.places.Probe.Offer;
import com.fasterxml.jackson.annotation.JsonInclude;
import io.swagger.v3.oas.annotations.media.Schema;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The cost of a change, or of a slot, for other reservations and for jobs.
 *
 * @param moved the number of reservations that would be moved within their windows
 * @param totalShift the sum of the times by which their starts would change
 * @param largestShift the largest of these times
 * @param failed the number of reservations that would fail because no place is left for them
 * @param losing the number of reservations that would lose PEs and go on with what is left, or await them before their start
 * @param credits sums that would be credited for the failed reservations, one amount for each currency. What a running reservation loses
 *     is credited when it ends
 * @param requeued the number of running batch jobs that would wait again
 * @param jobsDelayed the number of waiting batch jobs whose planned start would become later or could no longer be foreseen; null for a
 *     slot on a cluster with waiting jobs that rates availability by load, because Berth makes no plans for it
 * @param named the reservations and jobs; left out for clients, for {@code wouldFit}, and for slots at other Berths
 */
public record EffectsBody(
        int moved,
        String totalShift,
        String largestShift,
        int failed,
        int losing,
        List<MoneyBody> credits,
        int requeued,
        @Nullable Integer jobsDelayed,

        @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable NamedBody named) {

    private static final int MAX = 1_000;

    private static final Set<Event.Type> LOSES =
            EnumSet.of(Event.Type.LOSING, Event.Type.REPLACED, Event.Type.DEGRADED);

    /**
     * The reservations and jobs that a change would affect.
     *
     * @param moved the reservations that would be moved; at most the first 1,000
     * @param failed the reservations that would fail; at most the first 1,000
     * @param losing the reservations that would lose PEs and go on with what is left, or await them; at most the first 1,000
     * @param requeued the running batch jobs that would wait again; at most the first 1,000
     * @param truncated whether any of the lists leaves entries out
     */
    @Schema(name = "NamedEffects")
    record NamedBody(
            List<MovedBody> moved,
            List<FailedBody> failed,
            List<LosingBody> losing,
            List<UUID> requeued,
            boolean truncated) {

        /** Returns both together. */
        private NamedBody and(NamedBody other) {
            var movedBoth = both(moved, other.moved);
            var failedBoth = both(failed, other.failed);
            var losingBoth = both(losing, other.losing);
            var requeuedBoth = both(requeued, other.requeued);
            return new NamedBody(
                    first(movedBoth),
                    first(failedBoth),
                    first(losingBoth),
                    first(requeuedBoth),
                    truncated
                            || other.truncated
                            || Stream.of(movedBoth, failedBoth, losingBoth, requeuedBoth)
                                    .anyMatch(all -> all.size() > MAX));
        }

        private static <T> List<T> both(List<T> one, List<T> other) {
            return Stream.concat(one.stream(), other.stream()).toList();
        }
    }

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

    /** Returns the effects of a change that would make a request fit. */
    public static EffectsBody of(Effects effects) {
        return of(List.of(), effects, null);
    }

    /**
     * Returns the effects of a slot.
     *
     * @param account the account that sees the effects; only administrators see names
     */
    public static EffectsBody of(Offer offer, Account account) {
        return of(List.of(), offer.effects(), account.role() == Role.ADMIN ? moved(offer.moves()) : null);
    }

    private static NamedBody moved(List<ReservationEvent> moves) {
        var moved = moves.stream()
                .map(event -> MovedBody.of(event.reservation(), event.move().orElseThrow()))
                .toList();
        return new NamedBody(first(moved), List.of(), List.of(), List.of(), moved.size() > MAX);
    }

    /** Returns the effects that another Berth reported, without names; null if it reported none. */
    static @Nullable EffectsBody reported(@Nullable EffectsBody remote) {
        if (remote == null || remote.totalShift == null || remote.largestShift == null) {
            return null;
        }
        return new EffectsBody(
                remote.moved,
                remote.totalShift,
                remote.largestShift,
                remote.failed,
                remote.losing,
                List.of(),
                remote.requeued,
                remote.jobsDelayed,
                null);
    }

    /**
     * Returns the effects of {@code events}, with the names of those affected.
     *
     * @param before the schedule before the events
     */
    public static EffectsBody of(List<Event> events, ClusterSchedule before, Effects effects) {
        return of(events, effects, named(events, before));
    }

    /**
     * Returns the effects of several trials together, on all except the reservations that they would make.
     *
     * @param account the account that sees the effects; only administrators see names
     */
    public static EffectsBody of(List<Trial> trials, Set<ReservationId> own, Account account) {
        var effects = trials.stream().map(Trial::effects).reduce(Effects.NONE, Effects::and);
        var events = trials.stream().flatMap(trial -> onOthers(trial, own)).toList();
        var named = trials.stream()
                .map(trial -> named(onOthers(trial, own).toList(), trial.before()))
                .reduce(NamedBody::and);
        return of(events, effects, account.role() == Role.ADMIN ? named.orElseThrow() : null);
    }

    private static Stream<Event> onOthers(Trial trial, Set<ReservationId> own) {
        return trial.answer() instanceof Answer.Done(var events)
                ? events.stream()
                        .filter(event ->
                                !(event instanceof ReservationEvent(var _, var after, var _, var _, var _, var _)
                                        && own.contains(after.id())))
                : Stream.empty();
    }

    /**
     * Returns the effects of a trial on all except the reservation that it would make or change.
     *
     * @param tried the trial; empty if no desk was needed
     * @param account the account that sees the effects; only administrators see names
     */
    public static EffectsBody of(Optional<Trial> tried, ReservationOrRequest own, Account account) {
        return tried.filter(trial -> trial.answer() instanceof Answer.Done)
                .map(trial -> of(List.of(trial), Set.of(own.id()), account))
                .orElseGet(() -> of(List.of(), Effects.NONE, null));
    }

    private static EffectsBody of(List<Event> events, Effects effects, @Nullable NamedBody named) {
        return new EffectsBody(
                effects.moved(),
                Texts.duration(effects.totalShift()),
                Texts.duration(effects.largestShift()),
                count(events, EnumSet.of(Event.Type.FAILED)),
                losing(events),
                credits(events),
                count(events, EnumSet.of(Event.Type.JOB_REQUEUED)),
                effects.jobsDelayed().isPresent() ? effects.jobsDelayed().getAsInt() : null,
                named);
    }

    private static int count(List<Event> events, Set<Event.Type> types) {
        return (int)
                events.stream().filter(event -> types.contains(event.type())).count();
    }

    private static NamedBody named(List<Event> events, ClusterSchedule before) {
        var moved = new ArrayList<MovedBody>();
        var failed = new ArrayList<FailedBody>();
        var losing = new ArrayList<LosingBody>();
        var requeued = new ArrayList<UUID>();
        for (var event : events) {
            if (event instanceof ReservationEvent(var _, var after, var _, var move, var _, var _)
                    && move.isPresent()) {
                moved.add(MovedBody.of(after, move.get()));
            } else if (event instanceof ReservationEvent(var type, var after, var _, var _, var _, var _)
                    && type == Event.Type.FAILED) {
                failed.add(FailedBody.of(before.find(after.id()).orElseThrow(), after));
            } else if (event instanceof ReservationEvent(var type, var after, var _, var _, var _, var _)
                    && LOSES.contains(type)) {
                losing.add(LosingBody.of(after));
            } else if (event instanceof JobEvent(var type, var job, var _) && type == Event.Type.JOB_REQUEUED) {
                requeued.add(job.id().value());
            }
        }
        return new NamedBody(
                first(moved),
                first(failed),
                first(losing),
                first(requeued),
                Stream.of(moved, failed, losing, requeued).anyMatch(all -> all.size() > MAX));
    }

    private static <T> List<T> first(List<T> all) {
        return all.stream().limit(MAX).toList();
    }

    /** Returns how many running reservations would lose PEs. */
    public static int losing(List<Event> events) {
        return count(events, LOSES);
    }

    /** Returns the sums that the events credit, one amount for each currency. */
    public static List<MoneyBody> credits(List<Event> events) {
        return MoneyBody.sums(events.stream()
                .filter(event -> event.type() == Event.Type.FAILED)
                .flatMap(event -> ((ReservationEvent) event).reservation().charge().credit().stream()));
    }
}
