package berth.scheduling;

import berth.intake.IntakeRequest;
import berth.reservation.ReservationId;
import berth.scheduling.Event.RequestEvent;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;

/**
 * It is a collected request's turn: a reservation of its id comes of it, by the rules of {@link Reserve}, or it is refused,
 * which is recorded, too. Its window goes on while it waits: a ready time that has passed means at once, and where no time is
 * left there is no slot.
 *
 * @param id the request's
 * @param allowance how much the account may book
 */
public record Admit(ReservationId id, Allowance allowance) implements Command {

    @Override
    public Decision decide(ClusterSchedule schedule, long now) {
        return schedule.request(id)
                .map(request -> decide(request, schedule, now))
                .orElseGet(() -> new Decision.Rejected(new Rejection.NotLive(id)));
    }

    private Decision decide(IntakeRequest request, ClusterSchedule schedule, long now) {
        return switch (ask(request, allowance, schedule, now)) {
            case Decision.Accepted(var events, var next) -> {
                var granted = new RequestEvent(Event.Type.GRANTED, request.granted(now), now);
                var all = new ArrayList<Event>(List.of(granted));
                all.addAll(events);
                yield new Decision.Accepted(List.copyOf(all), next.with(granted));
            }
            case Decision.Rejected(var reason) -> new TurnDown(id, reason).decide(schedule, now);
        };
    }

    /** What the decision on a request's place would be; that it waits for it takes no effect. */
    public static Decision ask(IntakeRequest request, Allowance allowance, ClusterSchedule schedule, long now) {
        var terms = request.terms();
        long ready = terms.readyTime().orElse(now);
        var reserve = new Reserve(
                request.id(),
                request.origin(),
                ready < now ? terms.readyAt(now) : terms,
                request.start(),
                OptionalLong.empty(),
                allowance);
        var decision = reserve.decide(schedule, now);
        // they were valid when the request came
        return decision instanceof Decision.Rejected(Rejection.InvalidTerms _)
                ? new Decision.Rejected(new Rejection.NoSlot())
                : decision;
    }
}
