package berth.scheduling.commands;

import berth.intake.IntakeRequest;
import berth.reservation.ReservationId;
import berth.scheduling.Basis;
import berth.scheduling.ClusterSchedule;
import berth.scheduling.Decision;
import berth.scheduling.Event;
import berth.scheduling.Event.RequestEvent;
import berth.scheduling.Rejection;
import berth.scheduling.places.AcceptableAlternatives;
import berth.scheduling.places.Alternatives.Alternative;
import berth.sla.RequestedTerms;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * Decides a collected request when it is its turn. It becomes a reservation with the same id by the rules of {@link Reserve}, or it is
 * refused, which is recorded too. Its window shrinks while it waits: a ready time in the past means at once, and if too little time is
 * left, there is no slot.
 *
 * <p>Whether there is an acceptable alternative is found before this command, because that can take long ({@link #instead}). A request that
 * accepts alternatives is therefore not refused here for lack of room. It keeps waiting until an alternative is found or it is {@linkplain
 * TurnDown turned down}.
 *
 * @param id the id of the request
 * @param instead the alternative that it gets; empty if it gets a place in its window
 */
public record Admit(ReservationId id, Optional<Alternative> instead) implements Command {

    /** Creates the command for a place in the window. */
    public Admit(ReservationId id) {
        this(id, Optional.empty());
    }

    @Override
    public Decision decide(Basis basis) {
        return basis.schedule()
                .request(id)
                .map(request -> decide(request, basis))
                .orElseGet(() -> new Decision.Rejected(new Rejection.NotLive(id)));
    }

    private Decision decide(IntakeRequest request, Basis basis) {
        return switch (ask(request, basis)) {
            case Decision.Accepted accepted -> granted(request, accepted, basis.now());
            case Decision.Rejected(var reason) ->
                request.leeway().isPresent() && reason.lacksRoom()
                        ? new Decision.Rejected(reason)
                        : new TurnDown(id, reason).decide(basis);
        };
    }

    /** Adds the grant of the request to the decision on its place. */
    static Decision.Accepted granted(IntakeRequest request, Decision.Accepted place, long now) {
        var granted = new RequestEvent(Event.Type.GRANTED, request.granted(now), now);
        var all = new ArrayList<Event>(List.of(granted));
        all.addAll(place.events());
        return new Decision.Accepted(List.copyOf(all), place.next().with(granted));
    }

    /** Decides the place of a request without effect on the request. */
    public Decision ask(IntakeRequest request, Basis basis) {
        var decision = reserve(request, basis.now()).decide(basis);
        // the terms were valid when the request arrived
        return decision instanceof Decision.Rejected(Rejection.InvalidTerms _)
                ? new Decision.Rejected(new Rejection.NoSlot())
                : decision;
    }

    private Reserve reserve(IntakeRequest request, long now) {
        return instead.map(other -> new Reserve(
                        id,
                        request.granting().accepting(other.phi()),
                        other.terms(),
                        other.start(),
                        OptionalLong.empty()))
                .orElseGet(() -> new Reserve(
                        id, request.granting(), terms(request, now), request.start(), OptionalLong.empty()));
    }

    /** Returns the nearest alternative that the request accepts; empty if there is none. */
    public static Optional<Alternative> instead(IntakeRequest request, ClusterSchedule schedule, long now) {
        return request.leeway()
                .flatMap(leeway -> new AcceptableAlternatives(
                                terms(request, now),
                                request.start(),
                                request.origin().customer(),
                                0,
                                leeway)
                        .ask(schedule, now).stream().findFirst());
    }

    private static RequestedTerms terms(IntakeRequest request, long now) {
        return request.terms().readyTime().orElse(now) < now ? request.terms().readyAt(now) : request.terms();
    }
}
