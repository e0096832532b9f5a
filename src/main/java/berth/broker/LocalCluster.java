package berth.broker;

import berth.desk.Answer;
import berth.desk.Booking;
import berth.desk.Desks;
import berth.desk.Keys;
import berth.desk.SideDesk;
import berth.reservation.Tried;
import berth.scheduling.AcceptableAlternatives;
import berth.scheduling.Allowance;
import berth.scheduling.Alternatives;
import berth.scheduling.Alternatives.Alternative;
import berth.scheduling.ClusterSchedule;
import berth.scheduling.Probe;
import berth.scheduling.Probe.Offer;
import berth.scheduling.Rejection;
import berth.scheduling.Reserve;
import berth.scheduling.WouldFit;
import berth.sla.Leeway;
import java.time.InstantSource;
import java.util.List;
import java.util.OptionalLong;
import java.util.function.BiFunction;

/** A cluster with a desk of this service. Probed on its last schedule, reserved at its desk as any other request. */
record LocalCluster(String id, Desks desks, InstantSource clock) implements Member {

    /** The most slots to answer to a probe, as many as a client gets that does not say. */
    private static final int SLOTS = 20;

    @Override
    public Probed probe(Request request) {
        var schedule = desks.outlook(id);
        if (schedule.isEmpty() || desks.closed(id).isPresent()) {
            return new Probed.Unavailable();
        }
        var terms = request.terms(schedule.get().cluster().rating());
        var probe = new Probe(terms, request.origin().serviceClass(), SLOTS);
        try {
            return switch (desks.ask(request.origin().owner(), probe, schedule.get())) {
                case Probe.Answer.Offers(var offers, boolean _) -> slots(offers, request);
                case Probe.Answer.Nothing(var reason) -> refused(reason);
            };
        } catch (SideDesk.Overloaded | SideDesk.Unanswered e) {
            return new Probed.Unavailable();
        }
    }

    private static Probed slots(List<Offer> offers, Request request) {
        var affordable = offers.stream().filter(Offer::withinBudget).toList();
        if (affordable.isEmpty()) {
            return new Probed.NoRoom(new Rejection.OverBudget(
                    offers.getFirst().price(), request.terms().budget().orElseThrow()));
        }
        return new Probed.Slots(affordable.stream()
                .map(offer -> new Found(offer.slot(), offer.price(), offer.availability(), offer.chosen()))
                .toList());
    }

    /** Who takes nothing new at the moment is no candidate for it, but may be one later. */
    private static Probed refused(Rejection reason) {
        return reason instanceof Rejection.NeverFits || reason instanceof Rejection.InvalidTerms
                ? new Probed.Never(reason)
                : new Probed.NoRoom(reason);
    }

    @Override
    public Instead others(Request request, Leeway leeway) {
        return beside(
                request,
                (schedule, now) -> Instead.of(
                        here(new AcceptableAlternatives(
                                        request.terms(),
                                        request.start(),
                                        request.origin().serviceClass(),
                                        leeway)
                                .ask(schedule, now)),
                        false));
    }

    @Override
    public Instead remedy(Request request) {
        return beside(request, (schedule, now) -> {
            var policy = schedule.cluster().policy();
            var terms = request.terms(schedule.cluster().rating());
            var serviceClass = request.origin().serviceClass();
            var found = new Alternatives(terms, serviceClass, policy.alternativesMaxPhi(), Instead.LIMIT)
                    .ask(schedule, now);
            var would = new WouldFit(terms, serviceClass).ask(schedule, now);
            return new Instead(here(found.found()), found.truncated(), would);
        });
    }

    /** A question that may take long to answer: nothing is said where nobody has the time. */
    private Instead beside(Request request, BiFunction<ClusterSchedule, Long, Instead> question) {
        var schedule = desks.outlook(id);
        if (schedule.isEmpty() || desks.closed(id).isPresent()) {
            return Instead.NOT_LOOKED_FOR;
        }
        long now = clock.instant().getEpochSecond();
        try {
            return desks.compute(request.origin().owner(), () -> question.apply(schedule.get(), now));
        } catch (SideDesk.Overloaded | SideDesk.Unanswered e) {
            return Instead.NOT_LOOKED_FOR;
        }
    }

    private List<OtherPlace> here(List<Alternative> found) {
        return found.stream()
                .<OtherPlace>map(alternative -> new OtherPlace.Here(id, alternative))
                .toList();
    }

    /**
     * The cluster's own choice is asked for without a start, like a request that names the cluster: a run that can begin at
     * once would come too late by the time the desk decides. Any other slot is asked for by its start. Either way the
     * reservation has the window that was asked for, and is as movable in it as its terms say: a chosen start is only the
     * first place.
     */
    @Override
    public Taken take(Request request, Found slot, Keys.Turn turn) {
        var start = request.start().isPresent() || slot.isChosen() ? request.start() : OptionalLong.of(slot.start());
        var booking = Booking.attempt(
                request.origin().owner(), request.limits(), allowance -> reserve(request, start, allowance));
        try {
            return taken(desks.decide(id, booking, turn));
        } catch (SideDesk.Overloaded | SideDesk.Unanswered e) {
            return new Taken.Lost(Tried.Obstacle.UNAVAILABLE);
        }
    }

    private static Reserve reserve(Request request, OptionalLong start, Allowance allowance) {
        return new Reserve(request.id(), request.origin(), request.terms(), start, request.hold(), allowance);
    }

    private static Taken taken(Answer answer) {
        return switch (answer) {
            case Answer.Done done ->
                done.reservation()
                        .<Taken>map(granted -> new Taken.Granted(new Booked.Here(granted)))
                        .orElseGet(() -> new Taken.Ended(answer));
            case Answer.Refused(Rejection.LimitExceeded _) -> new Taken.Ended(answer);
            case Answer.Refused(Rejection.OverBudget _) -> new Taken.Lost(Tried.Obstacle.OVER_BUDGET);
            case Answer.Refused _ -> new Taken.Lost(Tried.Obstacle.TAKEN);
            case Answer.NotDecided _ -> new Taken.Lost(Tried.Obstacle.UNAVAILABLE);
            case Answer.KeyReused _, Answer.OutcomeUnknown _ -> new Taken.Ended(answer);
        };
    }

    @Override
    public void countRefusal(Request request, Rejection reason) {
        desks.count(id, reserve(request, request.start(), Allowance.UNLIMITED), reason);
    }
}
