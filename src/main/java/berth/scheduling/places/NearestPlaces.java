package berth.scheduling.places;

import berth.outcome.Outcome;
import berth.reservation.EndReason;
import berth.reservation.Reservation;
import berth.reservation.ReservationState;
import berth.scheduling.ClusterSchedule;
import berth.scheduling.Decision;
import berth.scheduling.Event;
import berth.scheduling.Event.ReservationEvent;
import berth.sla.Fixing;
import berth.sla.RequestedTerms;
import berth.time.Slot;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * The nearest places that fit for reservations that have failed for lack of PEs before they began. A nearest place is what the owner would
 * get now who asked again for the first place from the ready time on, whatever it costs and without moves of others. A run that has lost
 * all its PEs gets none, because its work has begun.
 *
 * <p>Limits on places and on plans of the batch queue bound the cost of a decision; beyond them, reservations get none.
 */
public final class NearestPlaces {

    /** The most places to look for in one decision. */
    static final int MAX_PLACES = 20;

    private static final int MAX_PLANS = 100;

    private final ClusterSchedule schedule;
    private final long now;
    private int placesLeft = MAX_PLACES;
    private int plansLeft = MAX_PLANS;

    private NearestPlaces(ClusterSchedule schedule, long now) {
        this.schedule = schedule;
        this.now = now;
    }

    /** Returns the same decision with the nearest places in the schedule after it; a rejection stays as it is. */
    public static Decision in(Decision decided, long now) {
        return decided instanceof Decision.Accepted accepted ? in(accepted, now) : decided;
    }

    /** Returns the same decision with the nearest places in the schedule after it. */
    public static Decision.Accepted in(Decision.Accepted decided, long now) {
        var places = new NearestPlaces(decided.next(), now);
        var events = decided.events().stream().map(places::named).toList();
        return new Decision.Accepted(events, decided.next());
    }

    private Event named(Event event) {
        return event instanceof ReservationEvent about && failedBeforeItBegan(about.reservation())
                ? nearest(about.reservation())
                        .map(slot -> about.with(about.reservation().fitting(slot)))
                        .orElse(about)
                : event;
    }

    private static boolean failedBeforeItBegan(Reservation reservation) {
        return reservation.state() == ReservationState.FAILED
                && reservation.status().reason().equals(Optional.of(EndReason.PES_LOST))
                && reservation.placement().begun() == 0;
    }

    private Optional<Slot> nearest(Reservation failed) {
        if (placesLeft == 0 || plansLeft <= 0) {
            return Optional.empty();
        }
        placesLeft--;
        if (schedule.needsPlans()) {
            plansLeft -= RatedPlaces.mostPlans(schedule);
        }
        return PlaceSearch.open(schedule, anew(failed), failed.origin().customer(), now)
                                instanceof Outcome.Done(var search)
                        && JugglingResult.of(search.choose()) instanceof JugglingResult.Found found
                        && RatedPlaces.enough(schedule, search, found, OptionalLong.empty(), now, now)
                                instanceof JugglingResult.Found enough
                ? Optional.of(enough.place().slot())
                : Optional.empty();
    }

    /** Returns a request for the first place from the ready time on, in which the run stays. */
    private RequestedTerms anew(Reservation failed) {
        var terms = RequestedTerms.of(failed.terms());
        return new RequestedTerms(
                OptionalLong.of(Math.max(now, terms.readyTime().orElse(now))),
                OptionalLong.empty(),
                terms.duration(),
                terms.pes(),
                terms.moldability(),
                terms.preemption(),
                Optional.empty(),
                terms.requires(),
                Fixing.BY_NOTICE.atOnce());
    }
}
