package berth.booking;

import berth.approval.Approval;
import berth.approval.Approval.Ask;
import berth.engine.AdmissionControl;
import berth.engine.Answer;
import berth.engine.Booking;
import berth.engine.Desks;
import berth.engine.Keys;
import berth.engine.Records;
import berth.engine.Trial;
import berth.outcome.Outcome;
import berth.reservation.ClusterId;
import berth.reservation.Reservation;
import berth.reservation.ReservationId;
import berth.reservation.ReservationState;
import berth.reservation.TriedCluster;
import berth.runtime.Gate;
import berth.scheduling.Approvals;
import berth.scheduling.ClusterSchedule;
import berth.scheduling.Rejection;
import berth.scheduling.Target;
import berth.scheduling.commands.Cancel;
import berth.scheduling.commands.Command;
import berth.scheduling.commands.Confirm;
import berth.scheduling.commands.Degrade;
import berth.scheduling.commands.Reserve;
import berth.scheduling.places.AcceptableAlternatives;
import berth.scheduling.places.Alternatives;
import berth.scheduling.places.Alternatives.Alternative;
import berth.scheduling.places.Probe;
import berth.scheduling.places.Probe.Offer;
import berth.scheduling.places.WouldFit;
import berth.sla.AccountName;
import berth.sla.Leeway;
import berth.time.Slot;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Stream;

/** A cluster with a desk of this service. Probes use its last schedule; reservations go to its desk like other requests. */
record LocalCluster(ClusterId id, Desks desks, AdmissionControl admission, Records records, HoldTimes holds)
        implements AnyCluster {

    private static final long LEAD_TIME = 5;

    @Override
    public Probed probe(Request request, int limit) {
        return ask(request, limit)
                .map(answer -> switch (answer) {
                    case Outcome.Done(Probe.Offers(var offers, boolean _)) -> slots(offers, request);
                    case Outcome.NotDone(var reason) -> refused(reason);
                })
                .orElseGet(Probed.Unavailable::new);
    }

    /** Returns what would fit; empty if the cluster has no open desk, or the computation was not accepted or did not finish in time. */
    private Optional<Outcome<Probe.Offers, Rejection>> ask(Request request, int limit) {
        var outlook = desks.funded(id);
        if (outlook.isEmpty() || desks.closed(id).isPresent()) {
            return Optional.empty();
        }
        var obstacle = outlook.get().schedule().obstacle(request.origin().project());
        if (obstacle.isPresent()) {
            return obstacle.map(Outcome.NotDone::new);
        }
        var cluster = outlook.get().schedule().cluster();
        var terms = request.probed(
                cluster.rating(), outlook.get().now() + cluster.policy().horizon());
        var probe = new Probe(terms, request.origin().customer(), request.preference(), limit);
        try {
            return Optional.of(admission.offers(request.origin().owner(), probe, outlook.get()));
        } catch (Gate.Overloaded | Gate.Unanswered e) {
            return Optional.empty();
        }
    }

    private static Probed slots(List<Offer> offers, Request request) {
        var atStart = offers.stream()
                .filter(offer -> request.isAtItsStart(offer.slot()))
                .toList();
        if (atStart.isEmpty()) {
            return new Probed.NoRoom(new Rejection.NoSlot());
        }
        var affordable = atStart.stream().filter(Offer::withinBudget).toList();
        if (affordable.isEmpty()) {
            return new Probed.NoRoom(new Rejection.OverBudget(
                    atStart.getFirst().price(), request.terms().budget().orElseThrow()));
        }
        return new Probed.Slots(affordable.stream()
                .map(offer -> new Found(offer.slot(), offer.price(), offer.availability(), offer.chosen()))
                .toList());
    }

    /** A cluster that takes no new reservations at present has no room, but may have some later. */
    private static Probed refused(Rejection reason) {
        return reason instanceof Rejection.NeverFits || reason instanceof Rejection.InvalidTerms
                ? new Probed.Never(reason)
                : new Probed.NoRoom(reason);
    }

    @Override
    public Counteroffer others(Request request, Leeway leeway) {
        return beside(
                request,
                (schedule, now) -> Counteroffer.of(
                        here(new AcceptableAlternatives(
                                        request.terms(),
                                        request.start(),
                                        request.origin().customer(),
                                        request.hold().orElse(0),
                                        leeway)
                                .ask(schedule, now)),
                        false));
    }

    @Override
    public Counteroffer at(Request request, long start) {
        var outlook = desks.outlook(id);
        if (outlook.isEmpty()) {
            return Counteroffer.NOT_LOOKED_FOR;
        }
        var cluster = outlook.get().schedule().cluster();
        var most = cluster.policy().alternativesMaxPhi();
        var terms = request.terms()
                .startingAt(
                        start,
                        cluster.rating(),
                        outlook.get().now() + cluster.policy().horizon());
        return ask(request.on(terms), AT_SLOTS)
                .map(answer -> Counteroffer.of(
                        affordable(answer)
                                .filter(offer -> offer.slot().start() == start)
                                .limit(1)
                                .<AlternativePlace>map(offer -> new AlternativePlace.Here(
                                        id,
                                        new Alternative(
                                                offer,
                                                AlternativePlace.phi(request.terms(), offer.slot()),
                                                terms,
                                                OptionalLong.empty())))
                                .filter(place -> place.phi().abs().compareTo(most) <= 0)
                                .toList(),
                        false))
                .orElse(Counteroffer.NOT_LOOKED_FOR);
    }

    private static Stream<Offer> affordable(Outcome<Probe.Offers, Rejection> answer) {
        return answer instanceof Outcome.Done(Probe.Offers(var offers, boolean _))
                ? offers.stream().filter(Offer::withinBudget)
                : Stream.empty();
    }

    @Override
    public Counteroffer remedy(Request request) {
        return beside(request, (schedule, now) -> {
            var customer = request.origin().customer();
            var others = new Alternatives(
                    request.terms(),
                    request.start(),
                    customer,
                    request.hold().orElse(0),
                    true,
                    schedule.cluster().policy().alternativesMaxPhi(),
                    Counteroffer.LIMIT);
            var would = new WouldFit(request.terms(schedule.cluster().rating()), customer);
            return instead(schedule, others, would, now);
        });
    }

    /** Returns what would fit on this cluster in place of terms, as {@link Broker#remedies(Broker.RejectedTerms)}. */
    Counteroffer remedy(Broker.RejectedTerms rejected) {
        var present = desks.outlook(id).orElseThrow();
        // a renegotiated reservation need not keep the minimum availability for batch jobs
        var schedule = rejected.renegotiated()
                .map(has -> present.schedule().without(has).whereAnySlotIsAvailableEnough())
                .orElse(present.schedule());
        // with slack, the reservation could stay where it is, or go elsewhere
        var others = new Alternatives(
                rejected.terms(),
                OptionalLong.empty(),
                rejected.customer(),
                0,
                rejected.renegotiated().isEmpty(),
                schedule.cluster().policy().alternativesMaxPhi(),
                Counteroffer.LIMIT);
        var would = new WouldFit(rejected.terms(), rejected.customer());
        return inTurn(rejected.by(), () -> instead(schedule, others, would, present.now()));
    }

    private Counteroffer instead(ClusterSchedule schedule, Alternatives others, WouldFit would, long now) {
        var found = others.ask(schedule, now);
        return new Counteroffer(here(found.found()), found.truncated(), would.ask(schedule, now));
    }

    /** Asks a question that may take long. If there is no time for it, the answer is that no search was made. */
    private Counteroffer beside(Request request, BiFunction<ClusterSchedule, Long, Counteroffer> question) {
        var outlook = desks.funded(id);
        if (outlook.isEmpty() || desks.closed(id).isPresent()) {
            return Counteroffer.NOT_LOOKED_FOR;
        }
        var present = outlook.get();
        if (present.schedule().obstacle(request.origin().project()).isPresent()) {
            return Counteroffer.of(List.of(), false);
        }
        return inTurn(request.origin().owner(), () -> question.apply(present.schedule(), present.now()));
    }

    private Counteroffer inTurn(AccountName account, Supplier<Counteroffer> search) {
        try {
            return desks.searches().compute(account, search);
        } catch (Gate.Overloaded | Gate.Unanswered e) {
            return Counteroffer.NOT_LOOKED_FOR;
        }
    }

    private List<AlternativePlace> here(List<Alternative> found) {
        return found.stream()
                .<AlternativePlace>map(alternative -> new AlternativePlace.Here(id, alternative))
                .toList();
    }

    /**
     * Requests the cluster's own choice without a start, as a request to that cluster would: a run that can begin at once would be too late
     * by the time the desk decides. Any other slot is requested by its start. In both cases the reservation has the requested window and is
     * as movable in it as its terms state; a chosen start is only the first place.
     */
    @Override
    public Taken take(Request request, Slot slot, OptionalLong start, Keys.Turn turn) {
        try {
            return taken(admission.admit(id, attempt(request, start), turn));
        } catch (Gate.Overloaded | Gate.Unanswered e) {
            return new Taken.Lost(TriedCluster.Obstacle.UNAVAILABLE);
        }
    }

    /** Tries {@link #take} on a snapshot. Changes nothing. */
    TrialOutcome<Taken> tryToTake(Request request, OptionalLong start) {
        try {
            var trial = admission.trial(id, attempt(request, start));
            return new TrialOutcome<>(taken(trial.answer()), Optional.of(trial));
        } catch (Gate.Overloaded | Gate.Unanswered e) {
            return TrialOutcome.without(new Taken.Lost(TriedCluster.Obstacle.UNAVAILABLE));
        }
    }

    /** Holds a part of a co-allocation. One that must be approved is refused, because the other parts cannot wait for that. */
    @Override
    public Taken hold(Request part, long start) {
        return withoutApproval(AnyCluster.super.hold(part, start), held -> {
            var asked = new Approvals(desks.funded(id).orElseThrow()).asked(held);
            if (!asked.isEmpty()) {
                giveUp(held.id());
            }
            return asked;
        });
    }

    private static Taken withoutApproval(Taken taken, Function<Reservation, List<Ask>> asked) {
        var asks = taken instanceof Taken.Granted(BookedReservation.Here(var reservation))
                ? asked.apply(reservation)
                : List.<Ask>of();
        return asks.isEmpty() ? taken : new Taken.Ended(new Answer.Refused(new Rejection.NeedsApproval(asks)));
    }

    /**
     * Tries {@link #hold} and the confirmation on a snapshot. Changes nothing.
     *
     * @param earlier the trials of the other parts so far
     */
    TrialOutcome<Taken> tryToHold(Request part, long start, List<Trial> earlier) {
        try {
            var trial = admission.trial(id, attempt(part.finalAt(start), OptionalLong.of(start)), earlier);
            var taken = withoutApproval(
                    taken(trial.answer()),
                    granted -> granted.status().approval().map(Approval::asked).orElse(List.of()));
            return new TrialOutcome<>(taken, Optional.of(trial));
        } catch (Gate.Overloaded | Gate.Unanswered e) {
            return TrialOutcome.without(new Taken.Lost(TriedCluster.Obstacle.UNAVAILABLE));
        }
    }

    private static Booking attempt(Request request, OptionalLong start) {
        return Booking.attempt(request.origin().owner(), request.limits(), reserve(request, start));
    }

    private static Reserve reserve(Request request, OptionalLong start) {
        return new Reserve(request.id(), request.origin(), request.terms(), start, request.hold());
    }

    private static Taken taken(Answer answer) {
        return switch (answer) {
            case Answer.Done done ->
                done.reservation()
                        .<Taken>map(granted -> new Taken.Granted(new BookedReservation.Here(granted)))
                        .orElseGet(() -> new Taken.Ended(answer));
            case Answer.Refused(Rejection.LimitExceeded _), Answer.Refused(Rejection.BudgetExceeded _) ->
                new Taken.Ended(answer);
            case Answer.Refused(Rejection.OverBudget _) -> new Taken.Lost(TriedCluster.Obstacle.OVER_BUDGET);
            case Answer.Refused _ -> new Taken.Lost(TriedCluster.Obstacle.TAKEN);
            case Answer.NotDecided _ -> new Taken.Lost(TriedCluster.Obstacle.UNAVAILABLE);
            case Answer.KeyReused _, Answer.OutcomeUnknown _, Answer.Declined _ -> new Taken.Ended(answer);
        };
    }

    @Override
    public void countRefusal(Request request, Rejection reason) {
        desks.countRefusal(id, reserve(request, request.start()), reason);
    }

    @Override
    public boolean isRemote() {
        return false;
    }

    @Override
    public long leadTime() {
        return LEAD_TIME;
    }

    @Override
    public long holdTime() {
        return holds.here();
    }

    @Override
    public Confirmation confirm(ReservationId part) {
        return switch (state(part)) {
            case HELD -> confirmed(decide(part, Confirm::new), part);
            case PENDING, CONFIRMED, RUNNING, COMPLETED -> Confirmation.DONE;
            case CANCELLED, EXPIRED, FAILED -> Confirmation.GONE;
        };
    }

    private Confirmation confirmed(Answer answer, ReservationId part) {
        return switch (answer) {
            case Answer.Done _ -> Confirmation.DONE;
            case Answer.Refused _, Answer.Declined _ -> state(part).isLive() ? Confirmation.DONE : Confirmation.GONE;
            case Answer.NotDecided _, Answer.OutcomeUnknown _, Answer.KeyReused _ -> Confirmation.UNKNOWN;
        };
    }

    /** A part that was never recorded is gone. */
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
            case Answer.Done _, Answer.Refused _, Answer.Declined _, Answer.KeyReused _ -> true;
            case Answer.NotDecided _, Answer.OutcomeUnknown _ -> false;
        };
    }
}
