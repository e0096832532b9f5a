package berth.scheduling.commands;

import berth.intake.IntakeRequest;
import berth.reservation.Reservation;
import berth.reservation.ReservationState;
import berth.reservation.SeriesId;
import berth.scheduling.Basis;
import berth.scheduling.ClusterSchedule;
import berth.scheduling.Decision;
import berth.scheduling.Event;
import berth.scheduling.Event.RequestEvent;
import berth.scheduling.Rejection;
import berth.sla.AccountName;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Books occurrences of a series, cancels occurrences of one, or does both at once, so that a series can change without losing its places to
 * others. Each occurrence is decided separately, in order, as {@link Reserve} would without moving other reservations. A refused occurrence
 * is recorded as a rejected request, so every occurrence has an event.
 *
 * @param givenUp the occurrences to cancel first
 * @param occurrences the requests, each with its {@linkplain berth.reservation.Origin#occurrence() occurrence}; may be empty
 * @param atLeast how many of them must be granted; with fewer, nothing happens
 * @param priority the priority of the account, 10 the highest
 */
public record BookSeries(Optional<GivenUp> givenUp, List<Reserve> occurrences, int atLeast, int priority)
        implements Command {

    private static final Set<ReservationState> AHEAD =
            EnumSet.of(ReservationState.HELD, ReservationState.PENDING, ReservationState.CONFIRMED);

    public BookSeries {
        occurrences = List.copyOf(occurrences);
    }

    /**
     * The occurrences of a series that have not begun.
     *
     * @param owner their owner
     * @param from the first day of the occurrences to cancel
     */
    public record GivenUp(SeriesId series, AccountName owner, LocalDate from) {

        private boolean isMeant(Reservation reservation) {
            return AHEAD.contains(reservation.state())
                    && reservation
                            .origin()
                            .occurrence()
                            .filter(one ->
                                    one.series().equals(series) && !one.date().isBefore(from))
                            .isPresent();
        }
    }

    @Override
    public Decision decide(Basis basis) {
        var schedule = basis.schedule();
        long now = basis.now();
        var events = new ArrayList<Event>();
        var next = schedule;
        for (var reservation : givenUp.map(given -> given(schedule, given)).orElse(List.of())) {
            var cancelled = Cancel.givenUp(reservation, schedule, now);
            events.add(cancelled);
            next = next.with(cancelled);
        }
        int granted = 0;
        var refusals = new ArrayList<Rejection>();
        for (var occurrence : occurrences) {
            switch (occurrence.decideAsOthersLie(basis.on(next))) {
                case Decision.Accepted(var happened, var then) -> {
                    events.addAll(happened);
                    next = then;
                    granted++;
                }
                case Decision.Rejected(var why) -> {
                    var reason = asPlanned(why, occurrence, basis.on(next));
                    refusals.add(reason);
                    var rejected = rejected(schedule, occurrence, reason, now);
                    events.add(rejected);
                    next = next.with(rejected);
                }
            }
        }
        return granted < atLeast
                ? new Decision.Rejected(new Rejection.TooFewOccurrences(granted, atLeast, refusals.getFirst()))
                : new Decision.Accepted(List.copyOf(events), next);
    }

    /** Returns the reason without the occurrence's window, which the series determines: if the window has passed, there is no slot. */
    private static Rejection asPlanned(Rejection why, Reserve occurrence, Basis basis) {
        return why instanceof Rejection.InvalidTerms
                        && occurrence.atAnyTime().decideAsOthersLie(basis)
                                instanceof Decision.Rejected(Rejection.InvalidTerms other)
                ? other
                : why instanceof Rejection.InvalidTerms ? new Rejection.NoSlot() : why;
    }

    private static List<Reservation> given(ClusterSchedule schedule, GivenUp given) {
        return schedule.reservationsOf(given.owner()).stream()
                .filter(given::isMeant)
                .sorted(Comparator.comparing(reservation -> reservation.id().value()))
                .toList();
    }

    private RequestEvent rejected(ClusterSchedule schedule, Reserve occurrence, Rejection reason, long now) {
        var request = IntakeRequest.pending(
                occurrence.id(),
                schedule.cluster().id(),
                occurrence.origin(),
                priority,
                occurrence.terms(),
                occurrence.start(),
                now);
        return new RequestEvent(Event.Type.REJECTED, request.rejected(reason.code(), now), now);
    }
}
