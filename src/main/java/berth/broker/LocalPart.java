package berth.broker;

import berth.desk.Answer;
import berth.desk.Booking;
import berth.desk.Desks;
import berth.desk.Records;
import berth.desk.SideDesk;
import berth.reservation.Reservation;
import berth.reservation.ReservationId;
import berth.reservation.ReservationState;
import berth.scheduling.Alternatives.Alternative;
import berth.scheduling.Cancel;
import berth.scheduling.ClusterSchedule;
import berth.scheduling.Command;
import berth.scheduling.Confirm;
import berth.scheduling.Degrade;
import berth.scheduling.Probe;
import berth.scheduling.Probe.Offer;
import berth.scheduling.Rejection;
import berth.scheduling.Reserve;
import berth.scheduling.Target;
import berth.sla.Fixing;
import berth.sla.Leeway;
import berth.sla.RequestedTerms;
import java.math.BigDecimal;
import java.time.InstantSource;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.function.Function;

/** Parts of co-allocations on a cluster with a desk of this service. */
record LocalPart(String id, Desks desks, Records records, Holds holds, InstantSource clock) implements PartMember {

    private static final long LEAD_TIME = 5;

    /** The earliest in a gap, and the one that the cluster would choose. */
    private static final int SLOTS = 2;

    private static final Fixing AT_ONCE = new Fixing(Optional.of(BigDecimal.ZERO), OptionalLong.empty());

    @Override
    public boolean isRemote() {
        return false;
    }

    @Override
    public long leadTime() {
        return LEAD_TIME;
    }

    @Override
    public Instead others(PartRequest part, Leeway leeway) {
        return new LocalCluster(id, desks, clock).others(part.alone(), leeway);
    }

    @Override
    public Instead at(PartRequest part, long start) {
        var cluster = desks.schedule(id).map(ClusterSchedule::cluster);
        if (cluster.isEmpty()) {
            return Instead.NOT_LOOKED_FOR;
        }
        var most = cluster.get().policy().alternativesMaxPhi();
        var terms = part.terms().startingAt(start, cluster.get().rating());
        return probe(part.on(terms))
                .map(answer -> Instead.of(
                        offer(answer)
                                .<OtherPlace>map(offer -> new OtherPlace.Here(
                                        id, new Alternative(offer, OtherPlace.phi(part.terms(), offer.slot()), terms)))
                                .filter(place -> place.phi().abs().compareTo(most) <= 0)
                                .stream()
                                .toList(),
                        false))
                .orElse(Instead.NOT_LOOKED_FOR);
    }

    @Override
    public Asked earliest(PartRequest part, OptionalLong from) {
        var asked = from.isPresent() ? part.on(from(part.terms(), from.getAsLong())) : part;
        return probe(asked)
                .map(answer -> answer instanceof Probe.Answer.Nothing(var reason)
                        ? refused(reason)
                        : offer(answer)
                                .<Asked>map(offer -> new Asked.At(offer.slot()))
                                .orElseGet(Asked.Nothing::new))
                .orElseGet(Asked.Unavailable::new);
    }

    /** What would fit; empty if nobody can tell. */
    private Optional<Probe.Answer> probe(PartRequest part) {
        var schedule = desks.outlook(id);
        if (schedule.isEmpty() || desks.closed(id).isPresent()) {
            return Optional.empty();
        }
        var probe = new Probe(part.terms(), part.origin().serviceClass(), SLOTS);
        try {
            return Optional.of(desks.ask(part.origin().owner(), probe, schedule.get()));
        } catch (SideDesk.Overloaded | SideDesk.Unanswered e) {
            return Optional.empty();
        }
    }

    /** The first that is affordable. */
    private static Optional<Offer> offer(Probe.Answer answer) {
        return answer instanceof Probe.Answer.Offers(var offers, boolean _)
                ? offers.stream().filter(Offer::withinBudget).findFirst()
                : Optional.empty();
    }

    private static Asked refused(Rejection reason) {
        return reason instanceof Rejection.NeverFits || reason instanceof Rejection.InvalidTerms
                ? new Asked.Never(reason)
                : new Asked.Nothing();
    }

    /** The same, beginning no earlier. */
    static RequestedTerms from(RequestedTerms terms, long ready) {
        return copy(terms, OptionalLong.of(Math.max(ready, terms.readyTime().orElse(ready))), terms.fixing());
    }

    /** The same, final from the beginning. */
    static RequestedTerms pinned(RequestedTerms terms) {
        return copy(terms, terms.readyTime(), AT_ONCE);
    }

    private static RequestedTerms copy(RequestedTerms terms, OptionalLong ready, Fixing fixing) {
        return new RequestedTerms(
                ready,
                terms.deadline(),
                terms.duration(),
                terms.pes(),
                terms.moldability(),
                terms.preemption(),
                terms.budget(),
                terms.requires(),
                fixing);
    }

    @Override
    public Held hold(PartRequest part, long start) {
        var terms = pinned(part.terms());
        var booking = Booking.attempt(
                part.origin().owner(),
                part.limits(),
                allowance -> new Reserve(
                        part.id(),
                        part.origin(),
                        terms,
                        OptionalLong.of(start),
                        OptionalLong.of(holds.here()),
                        allowance));
        try {
            return held(desks.decide(id, booking, Optional.empty()));
        } catch (SideDesk.Overloaded | SideDesk.Unanswered e) {
            return new Held.Lost();
        }
    }

    private static Held held(Answer answer) {
        return switch (answer) {
            case Answer.Done _ -> new Held.Granted();
            case Answer.Refused(Rejection.LimitExceeded _) -> new Held.Ended(answer);
            case Answer.Refused _ -> new Held.Lost();
            case Answer.NotDecided _, Answer.OutcomeUnknown _, Answer.KeyReused _ -> new Held.Ended(answer);
        };
    }

    @Override
    public Confirmed confirm(ReservationId part, long start) {
        return switch (state(part)) {
            case HELD -> confirmed(decide(part, Confirm::new), part);
            case CONFIRMED, RUNNING, COMPLETED -> new Confirmed.Done();
            case CANCELLED, EXPIRED, FAILED -> new Confirmed.Gone();
        };
    }

    private Confirmed confirmed(Answer answer, ReservationId part) {
        return switch (answer) {
            case Answer.Done _ -> new Confirmed.Done();
            case Answer.Refused _ -> state(part).isLive() ? new Confirmed.Done() : new Confirmed.Gone();
            case Answer.NotDecided _, Answer.OutcomeUnknown _, Answer.KeyReused _ -> new Confirmed.Unknown();
        };
    }

    /** One that was never recorded is gone. */
    private ReservationState state(ReservationId part) {
        return records.find(part).map(Reservation::state).orElse(ReservationState.CANCELLED);
    }

    private Answer decide(ReservationId part, Function<Target, Command> command) {
        return desks.decide(id, command.apply(new Target(part, OptionalInt.empty())));
    }

    @Override
    public boolean degrade(ReservationId part) {
        return isHeard(decide(part, Degrade::new));
    }

    @Override
    public boolean giveUp(ReservationId part) {
        return isHeard(decide(part, Cancel::new));
    }

    private static boolean isHeard(Answer answer) {
        return switch (answer) {
            case Answer.Done _, Answer.Refused _, Answer.KeyReused _ -> true;
            case Answer.NotDecided _, Answer.OutcomeUnknown _ -> false;
        };
    }
}
