package berth.scheduling;

import berth.intake.IntakeRequest;
import berth.reservation.ReservationId;
import berth.scheduling.Alternatives.Alternative;
import berth.scheduling.Event.RequestEvent;
import berth.sla.RequestedTerms;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * It is a collected request's turn: a reservation of its id comes of it, by the rules of {@link Reserve}, or it is refused,
 * which is recorded, too. Its window goes on while it waits: a ready time that has passed means at once, and where no time is
 * left there is no slot.
 *
 * <p>Whether there is an alternative that the request takes is found beforehand, since that may take long ({@link #instead}).
 * So one that takes alternatives is not refused here for want of room: it waits on, until others are looked for, or it is
 * {@linkplain TurnDown turned down}.
 *
 * @param id the request's
 * @param instead the place outside of its window that it gets; empty: one in its window
 * @param allowance how much the account may book
 */
public record Admit(ReservationId id, Optional<Alternative> instead, Allowance allowance) implements Command {

    /** One that gets a place in its window. */
    public Admit(ReservationId id, Allowance allowance) {
        this(id, Optional.empty(), allowance);
    }

    @Override
    public Decision decide(ClusterSchedule schedule, long now) {
        return schedule.request(id)
                .map(request -> decide(request, schedule, now))
                .orElseGet(() -> new Decision.Rejected(new Rejection.NotLive(id)));
    }

    private Decision decide(IntakeRequest request, ClusterSchedule schedule, long now) {
        return switch (ask(request, schedule, now)) {
            case Decision.Accepted accepted -> granted(request, accepted, now);
            case Decision.Rejected(var reason) ->
                request.leeway().isPresent() && reason.lacksRoom()
                        ? new Decision.Rejected(reason)
                        : new TurnDown(id, reason).decide(schedule, now);
        };
    }

    /** A request that is granted with what comes of it. */
    static Decision.Accepted granted(IntakeRequest request, Decision.Accepted place, long now) {
        var granted = new RequestEvent(Event.Type.GRANTED, request.granted(now), now);
        var all = new ArrayList<Event>(List.of(granted));
        all.addAll(place.events());
        return new Decision.Accepted(List.copyOf(all), place.next().with(granted));
    }

    /** What the decision on a request's place would be; that it waits for it takes no effect. */
    public Decision ask(IntakeRequest request, ClusterSchedule schedule, long now) {
        var decision = reserve(request, now).decide(schedule, now);
        // they were valid when the request came
        return decision instanceof Decision.Rejected(Rejection.InvalidTerms _)
                ? new Decision.Rejected(new Rejection.NoSlot())
                : decision;
    }

    private Reserve reserve(IntakeRequest request, long now) {
        return instead.map(other -> new Reserve(
                        id,
                        request.origin().accepting(other.phi()),
                        other.terms(),
                        OptionalLong.empty(),
                        OptionalLong.empty(),
                        allowance))
                .orElseGet(() -> new Reserve(
                        id, request.origin(), terms(request, now), request.start(), OptionalLong.empty(), allowance));
    }

    /** The nearest alternative that a request takes; empty where there is none. */
    public static Optional<Alternative> instead(IntakeRequest request, ClusterSchedule schedule, long now) {
        return request.leeway()
                .flatMap(leeway -> new AcceptableAlternatives(
                                terms(request, now),
                                request.start(),
                                request.origin().serviceClass(),
                                leeway)
                        .ask(schedule, now).stream().findFirst());
    }

    private static RequestedTerms terms(IntakeRequest request, long now) {
        return request.terms().readyTime().orElse(now) < now ? request.terms().readyAt(now) : request.terms();
    }
}
