package berth.booking;

import berth.booking.Broker.Outcome;
import berth.booking.BrokerRounds.Withdrawal;
import berth.cluster.IntakeOrder;
import berth.cluster.Unit;
import berth.engine.AdmissionControl;
import berth.engine.Answer;
import berth.engine.Booking;
import berth.engine.Desks;
import berth.engine.KeyUse;
import berth.engine.Keys;
import berth.engine.Records;
import berth.engine.Records.FirstResult.KeyResult;
import berth.engine.Records.RecordedEvent;
import berth.engine.Records.Whose;
import berth.engine.Rounds;
import berth.intake.IntakeRequest;
import berth.peers.Mirror;
import berth.peers.Peer;
import berth.peers.Peers;
import berth.reservation.ClusterId;
import berth.reservation.Reservation;
import berth.reservation.ReservationId;
import berth.reservation.ReservationState;
import berth.scheduling.Rejection;
import berth.scheduling.Target;
import berth.scheduling.commands.ChangeUsers;
import berth.scheduling.commands.Collect;
import berth.scheduling.commands.Command;
import berth.scheduling.commands.Fix.Wish;
import berth.scheduling.commands.Reserve;
import berth.scheduling.commands.Transfer;
import berth.scheduling.commands.WaitForRoom;
import berth.scheduling.commands.Withdraw;
import berth.sla.AccountLimits;
import berth.sla.AccountName;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.function.Function;
import java.util.function.Predicate;
import tools.jackson.databind.JsonNode;

/**
 * Finds and changes reservations on clusters of this Berth and of others, and requests that are collected or wait for room. Thread-safe.
 */
public final class Reservations {

    private static final Answer BEING_DECIDED =
            new Answer.NotDecided("The reservation is being decided; repeat this request in a moment.");

    private static final Outcome CHOOSES_ITSELF = new Outcome.Ended(
            new Answer.Refused(
                    Rejection.InvalidTerms.of(
                            "orderBy",
                            "does not apply to a cluster that collects requests, because it decides them by its policy; leave it out")));

    private final Desks desks;
    private final AdmissionControl admission;
    private final Records records;
    private final Mirrors mirrors;
    private final Peers peers;
    private final Broker broker;
    private final BrokerIntake intake;
    private final Rounds rounds;
    private final BrokerRounds brokerRounds;

    public Reservations(
            Desks desks,
            AdmissionControl admission,
            Records records,
            Mirrors mirrors,
            Peers peers,
            Broker broker,
            BrokerIntake intake,
            Rounds rounds,
            BrokerRounds brokerRounds) {
        this.desks = desks;
        this.admission = admission;
        this.records = records;
        this.mirrors = mirrors;
        this.peers = peers;
        this.broker = broker;
        this.intake = intake;
        this.rounds = rounds;
        this.brokerRounds = brokerRounds;
    }

    /**
     * Reserves on one cluster, which chooses by its policy, or collects the request. A cluster of another Berth is asked for its best slot;
     * requests do not wait for room there.
     *
     * @param cluster a known cluster
     * @param priority the priority of the account, 10 the highest
     * @param waitUntil the time until which it waits for room if there is none, in seconds since the epoch; empty if it does not wait
     */
    public Outcome reserve(
            ClusterId cluster, Request request, int priority, OptionalLong waitUntil, Optional<KeyUse> key) {
        return once(
                request,
                key,
                turn -> peers.find(cluster).isPresent()
                        ? broker.reserve(request, turn)
                        : outcome(reserveHere(cluster, request, priority, waitUntil, turn)));
    }

    private Answer reserveHere(
            ClusterId cluster, Request request, int priority, OptionalLong waitUntil, Keys.Turn turn) {
        return isCollected(cluster, request)
                ? admission.admitAtDesk(cluster, collection(request, priority, waitUntil), turn)
                : admission.admit(cluster, booking(request, priority, waitUntil), turn);
    }

    private static Booking collection(Request request, int priority, OptionalLong waitUntil) {
        return new Booking(
                request.origin().owner(),
                request.limits(),
                new Collect(
                        request.id(),
                        request.origin(),
                        priority,
                        request.terms(),
                        request.start(),
                        request.leeway(),
                        waitUntil));
    }

    /** Returns what {@link #reserve} would do on a cluster. Changes nothing. Requests for clusters of other Berths cannot be tried. */
    public TrialOutcome<Outcome> tryToReserve(
            ClusterId cluster, Request request, int priority, OptionalLong waitUntil) {
        if (peers.find(cluster).isPresent()) {
            return TrialOutcome.without(new Outcome.Ended(Broker.notHere(cluster)));
        }
        var trial = admission.trial(
                cluster,
                isCollected(cluster, request)
                        ? collection(request, priority, waitUntil)
                        : booking(request, priority, waitUntil));
        return new TrialOutcome<>(outcome(trial.answer()), Optional.of(trial));
    }

    private Outcome once(Request request, Optional<KeyUse> key, Function<Keys.Turn, Outcome> work) {
        return desks.keys().once(key, first -> again(first, request), Outcome.Ended::new, work);
    }

    /** Returns the earlier answer for the key. */
    private Optional<Outcome> again(KeyResult first, Request request) {
        return switch (first) {
            case KeyResult.Happened(var event) -> Optional.of(outcome(new Answer.Done(List.of(event))));
            case KeyResult.Created() -> Optional.of(new Outcome.Ended(new Answer.KeyReused()));
            case KeyResult.Filed(var id) ->
                records.collected(new ReservationId(id))
                        .<Outcome>map(Outcome.Collected::new)
                        .or(() -> mirrors.known(new ReservationId(id)).flatMap(mirror -> again(mirror, request)));
        };
    }

    private Optional<Outcome> again(Mirror known, Request request) {
        var mirror = mirrors.confirmed(known);
        // a reservation that the client did not ask to hold, but that expired, was never granted
        if (request.hold().isEmpty() && mirror.state() == ReservationState.EXPIRED) {
            mirrors.forget(mirror);
            return Optional.empty();
        }
        return Optional.of(
                mirror.owed() == Mirror.Owed.CONFIRMATION
                        ? new Outcome.Ended(RemoteCluster.UNKNOWN)
                        : new Outcome.Granted(new BookedReservation.There(mirror)));
    }

    private static Outcome outcome(Answer answer) {
        return switch (answer) {
            case Answer.Done done ->
                done.request()
                        .<Outcome>map(Outcome.Collected::new)
                        .or(() -> done.reservation()
                                .map(BookedReservation.Here::new)
                                .map(Outcome.Granted::new))
                        .orElseGet(() -> new Outcome.Ended(answer));
            case Answer other -> new Outcome.Ended(other);
        };
    }

    private static Booking booking(Request request, int priority, OptionalLong waitUntil) {
        var reserve = new Reserve(request.id(), request.origin(), request.terms(), request.start(), request.hold());
        var booking = new Booking(request.origin().owner(), request.limits(), reserve);
        var waiting = waitUntil.stream()
                .mapToObj(until -> new WaitForRoom(
                        request.id(), request.origin(), priority, request.terms(), request.start(), until))
                .findAny();
        return request.leeway().isEmpty() && waiting.isEmpty()
                ? booking
                : booking.orElse(new Booking.Fallback(reserve, request.leeway(), waiting));
    }

    /** Whether a cluster collects a request. A hold needs an answer now, so it is not collected. */
    private boolean isCollected(ClusterId cluster, Request request) {
        return request.hold().isEmpty()
                && desks.schedule(cluster)
                        .filter(schedule -> schedule.cluster().intake().order() == IntakeOrder.DPSAR)
                        .isPresent();
    }

    /**
     * Reserves the best slot of one cluster by the client's preference. A cluster that collects requests decides them by its policy alone.
     *
     * @param cluster a known cluster
     */
    public Outcome reserveBest(ClusterId cluster, Request request, Optional<KeyUse> key) {
        return once(request, key, turn -> reserveBest(cluster, request, turn));
    }

    private Outcome reserveBest(ClusterId cluster, Request request, Keys.Turn turn) {
        return isCollected(cluster, request) ? CHOOSES_ITSELF : broker.reserve(request, turn);
    }

    /** Returns what {@link #reserveBest} would do. Changes nothing. */
    public TrialOutcome<Outcome> tryToReserveBest(ClusterId cluster, Request request) {
        return isCollected(cluster, request) ? TrialOutcome.without(CHOOSES_ITSELF) : broker.tryToReserve(request);
    }

    /**
     * Reserves the best slot of all clusters by the client's preference; in a round if the installation collects such requests.
     *
     * @param priority the priority of the account, 10 the highest
     */
    public Outcome reserveAnywhere(Request request, int priority, Optional<KeyUse> key) {
        return once(
                request,
                key,
                turn -> intake.take(request, priority, turn).orElseGet(() -> broker.reserve(request, turn)));
    }

    /** Returns what {@link #reserveAnywhere} would do. Changes nothing. */
    public TrialOutcome<Outcome> tryToReserveAnywhere(Request request, int priority) {
        return intake.tryToTake(request, priority)
                .map(TrialOutcome::without)
                .orElseGet(() -> broker.tryToReserve(request));
    }

    /** Returns what a collected request has become, once it is decided or that time is over. */
    public ReservationOrRequest await(IntakeRequest collected, Duration most) {
        collected
                .cluster()
                .ifPresentOrElse(
                        cluster -> rounds.await(cluster, collected.id(), most),
                        () -> brokerRounds.await(collected.id(), most));
        return find(collected.id(), _ -> true).orElseGet(() -> new ReservationOrRequest.Collected(collected));
    }

    /**
     * Returns a recorded reservation or collected request. For one at another Berth it asks there; without an answer it returns the last
     * known state.
     *
     * @param isShown whether the caller may see it
     */
    public Optional<ReservationOrRequest> find(ReservationId id, Predicate<ReservationOrRequest> isShown) {
        return desks.live(id)
                .or(() -> records.find(id))
                .<ReservationOrRequest>map(BookedReservation.Here::new)
                .or(() -> mirrors.known(id).map(BookedReservation.There::new))
                .or(() -> records.collected(id).flatMap(this::asItStands))
                .filter(isShown)
                .map(known -> known instanceof BookedReservation.There(var mirror)
                        ? new BookedReservation.There(mirrors.refreshed(mirror))
                        : known);
    }

    /** Returns the present state; the request may have been granted since the reservation was searched for. */
    private Optional<ReservationOrRequest> asItStands(IntakeRequest request) {
        if (request.state() != IntakeRequest.State.GRANTED) {
            return Optional.of(new ReservationOrRequest.Collected(request));
        }
        return records.find(request.id())
                .<ReservationOrRequest>map(BookedReservation.Here::new)
                .or(() -> mirrors.known(request.id()).map(BookedReservation.There::new));
    }

    /** The result of an action. */
    public sealed interface ActionOutcome {

        /** It was done; this is the new state. */
        record Done(ReservationOrRequest after) implements ActionOutcome {}

        /** The state does not allow it. */
        record WrongState(String state) implements ActionOutcome {}

        /** The desk of its cluster refused it or did not decide it. */
        record NotDone(Answer answer) implements ActionOutcome {}

        /** Another Berth refused it with this problem. */
        record RefusedThere(JsonNode problem) implements ActionOutcome {}

        /** The other Berth did not answer. The call that it still has to get will be sent later. */
        record Silent(Mirror mirror, String why) implements ActionOutcome {}
    }

    /**
     * Performs an action on a reservation. A collected request can be withdrawn; if it has been granted meanwhile, the reservation is
     * cancelled. A repetition with the same key gets the same answer.
     *
     * @param version the required version; empty for any
     * @param by the account that acts
     */
    public ActionOutcome act(
            ReservationOrRequest known, Action action, OptionalInt version, AccountName by, Optional<KeyUse> key) {
        return desks.keys()
                .once(
                        key,
                        this::actedBefore,
                        ActionOutcome.NotDone::new,
                        turn -> act(known, action, version, by, turn));
    }

    private Optional<ActionOutcome> actedBefore(KeyResult first) {
        return switch (first) {
            case KeyResult.Happened(var event) -> {
                var done = new Answer.Done(List.of(event));
                yield done.request()
                        .<ReservationOrRequest>map(ReservationOrRequest.Collected::new)
                        .or(() -> done.reservation().map(BookedReservation.Here::new))
                        .map(ActionOutcome.Done::new);
            }
            case KeyResult.Created() -> Optional.of(new ActionOutcome.NotDone(new Answer.KeyReused()));
            case KeyResult.Filed(var id) ->
                find(new ReservationId(id), _ -> true).map(ActionOutcome.Done::new);
        };
    }

    private ActionOutcome act(
            ReservationOrRequest known, Action action, OptionalInt version, AccountName by, Keys.Turn turn) {
        return switch (known) {
            case BookedReservation.Here(var reservation) -> act(reservation, action, version, by, turn);
            case BookedReservation.There(var mirror) -> act(mirror, action, version, turn);
            case ReservationOrRequest.Collected(var request) ->
                stale(version, request.version())
                        .orElseGet(() -> action == Action.CANCEL && request.isOpen()
                                ? withdraw(request, version, by, turn)
                                : new ActionOutcome.WrongState(request.state().name()));
        };
    }

    private static Optional<ActionOutcome> stale(OptionalInt version, int present) {
        return version.isPresent() && version.getAsInt() != present
                ? Optional.of(new ActionOutcome.NotDone(new Answer.Refused(new Rejection.StaleVersion(present))))
                : Optional.empty();
    }

    private ActionOutcome act(
            Reservation reservation, Action action, OptionalInt version, AccountName by, Keys.Turn turn) {
        return hindrance(reservation, version).orElseGet(() -> {
            var command = action.on(new Target(reservation.id(), version), wish(reservation, by));
            return done(desks.decide(reservation.cluster(), command, turn), reservation);
        });
    }

    /** Returns why a reservation cannot be changed in its present state; empty if it can. */
    private static Optional<ActionOutcome> hindrance(Reservation reservation, OptionalInt version) {
        return reservation.state().isLive()
                ? Optional.empty()
                : stale(version, reservation.version())
                        .or(() -> Optional.of(
                                new ActionOutcome.WrongState(reservation.state().name())));
    }

    /**
     * Changes who may run jobs in a reservation.
     *
     * @param version the required version; empty for any
     */
    public ActionOutcome changeUsers(Reservation reservation, OptionalInt version, List<String> users) {
        return hindrance(reservation, version).orElseGet(() -> {
            var command = new ChangeUsers(new Target(reservation.id(), version), users);
            return done(desks.decide(reservation.cluster(), command), reservation);
        });
    }

    /**
     * Hands a reservation over to another account.
     *
     * @param version the required version; empty for any
     * @param limits the limits of the new owner
     * @param by the account that hands it over
     */
    public ActionOutcome transfer(
            Reservation reservation,
            OptionalInt version,
            AccountName to,
            AccountLimits limits,
            AccountName by,
            Optional<KeyUse> key) {
        return hindrance(reservation, version).orElseGet(() -> {
            var command = new Transfer(new Target(reservation.id(), version), to, by);
            return done(
                    admission.admitAtDesk(reservation.cluster(), new Booking(to, limits, command), key), reservation);
        });
    }

    /**
     * Approves or declines a reservation. A repetition with the same key gets the same answer.
     *
     * @param version the required version; empty for any
     * @param answer returns the command for the reservation
     */
    public ActionOutcome answer(
            Reservation reservation, OptionalInt version, Function<Target, Command> answer, Optional<KeyUse> key) {
        return desks.keys()
                .once(
                        key,
                        this::actedBefore,
                        ActionOutcome.NotDone::new,
                        turn -> hindrance(reservation, version).orElseGet(() -> {
                            var command = answer.apply(new Target(reservation.id(), version));
                            return done(desks.decide(reservation.cluster(), command, turn), reservation);
                        }));
    }

    private ActionOutcome done(Answer answer, Reservation before) {
        return answer instanceof Answer.Done done
                // even if there was nothing to change, the reservation may have changed since it was found
                ? new ActionOutcome.Done(new BookedReservation.Here(done.reservation()
                        .or(() -> desks.live(before.id()))
                        .or(() -> records.find(before.id()))
                        .orElse(before)))
                : new ActionOutcome.NotDone(answer);
    }

    private static Wish wish(Reservation reservation, AccountName by) {
        return reservation.origin().owner().equals(by) ? Wish.OWNERS : Wish.PROVIDERS;
    }

    private ActionOutcome act(Mirror mirror, Action action, OptionalInt version, Keys.Turn turn) {
        // an end there is final, so there is no need to ask or send anything
        return stale(version, mirror.version())
                .orElseGet(() -> mirror.state().isLive()
                        ? mirrors.act(mirror, action, version, turn.use())
                        : new ActionOutcome.WrongState(mirror.state().name()));
    }

    private ActionOutcome withdraw(IntakeRequest request, OptionalInt version, AccountName by, Keys.Turn turn) {
        var cluster = request.cluster();
        if (cluster.isEmpty()) {
            return switch (brokerRounds.withdraw(request.id(), turn.use())) {
                case Withdrawal.Withdrawn(var given) ->
                    new ActionOutcome.Done(new ReservationOrRequest.Collected(given));
                case Withdrawal.Decided() -> cancelGranted(request, version, by, turn);
                case Withdrawal.UnderWay() -> new ActionOutcome.NotDone(BEING_DECIDED);
            };
        }
        return switch (desks.decide(cluster.get(), new Withdraw(request.id()), turn)) {
            case Answer.Done done ->
                new ActionOutcome.Done(
                        new ReservationOrRequest.Collected(done.request().orElse(request)));
            case Answer.Refused(Rejection.NotLive _) -> cancelGranted(request, version, by, turn);
            case Answer answer -> new ActionOutcome.NotDone(answer);
        };
    }

    private ActionOutcome cancelGranted(IntakeRequest request, OptionalInt version, AccountName by, Keys.Turn turn) {
        var present = find(request.id(), _ -> true).orElseThrow();
        return present instanceof ReservationOrRequest.Collected(var decided)
                ? new ActionOutcome.WrongState(decided.state().name())
                : act(present, Action.CANCEL, version, by, turn);
    }

    /** Returns what {@link #act} would do. Changes nothing. What belongs to another Berth cannot be tried. */
    public TrialOutcome<ActionOutcome> tryToAct(
            ReservationOrRequest known, Action action, OptionalInt version, AccountName by) {
        return switch (known) {
            case BookedReservation.Here(var reservation) ->
                hindrance(reservation, version)
                        .map(TrialOutcome::without)
                        .orElseGet(() -> tryToAct(reservation, action, version, by));
            case BookedReservation.There(var mirror) ->
                TrialOutcome.without(new ActionOutcome.NotDone(Broker.notHere(mirror.cluster())));
            case ReservationOrRequest.Collected(var request) ->
                stale(version, request.version())
                        .map(TrialOutcome::without)
                        .orElseGet(() -> action == Action.CANCEL && request.isOpen()
                                ? tryToWithdraw(request, version, by)
                                : TrialOutcome.without(new ActionOutcome.WrongState(
                                        request.state().name())));
        };
    }

    private TrialOutcome<ActionOutcome> tryToAct(
            Reservation reservation, Action action, OptionalInt version, AccountName by) {
        var command = action.on(new Target(reservation.id(), version), wish(reservation, by));
        var trial = desks.trial(reservation.cluster(), by, command);
        return new TrialOutcome<>(done(trial.answer(), reservation), Optional.of(trial));
    }

    private TrialOutcome<ActionOutcome> tryToWithdraw(IntakeRequest request, OptionalInt version, AccountName by) {
        var cluster = request.cluster();
        if (cluster.isEmpty()) {
            return switch (brokerRounds.tryToWithdraw(request.id())) {
                case Withdrawal.Withdrawn(var given) ->
                    TrialOutcome.without(new ActionOutcome.Done(new ReservationOrRequest.Collected(given)));
                case Withdrawal.Decided(), Withdrawal.UnderWay() -> tryToCancelGranted(request, version, by);
            };
        }
        var trial = desks.trial(cluster.get(), by, new Withdraw(request.id()));
        return switch (trial.answer()) {
            case Answer.Done done ->
                new TrialOutcome<>(
                        new ActionOutcome.Done(new ReservationOrRequest.Collected(
                                done.request().orElse(request))),
                        Optional.of(trial));
            case Answer.Refused(Rejection.NotLive _) -> tryToCancelGranted(request, version, by);
            case Answer answer -> TrialOutcome.without(new ActionOutcome.NotDone(answer));
        };
    }

    private TrialOutcome<ActionOutcome> tryToCancelGranted(IntakeRequest request, OptionalInt version, AccountName by) {
        var present = find(request.id(), _ -> true).orElseThrow();
        return present instanceof ReservationOrRequest.Collected(var decided)
                ? TrialOutcome.without(
                        new ActionOutcome.WrongState(decided.state().name()))
                : tryToAct(present, Action.CANCEL, version, by);
    }

    /**
     * A summary of changes: two equal summaries describe the same reservations. It holds the last event on each cluster here and a number
     * for those at other Berths.
     */
    public record Changes(Map<ClusterId, Long> here, long there) {}

    /**
     * Returns the summary.
     *
     * @param from ignores reservations at other Berths that ended before this time, in seconds since the epoch
     */
    public Changes changes(Whose whose, long from) {
        return new Changes(records.lastSequences(whose), mirrors.digest(whose, from));
    }

    /** Returns the word for one PE of a reservation's cluster. */
    public Unit unit(BookedReservation booked) {
        return (switch (booked) {
                    case BookedReservation.Here(var reservation) ->
                        desks.schedule(reservation.cluster()).map(schedule -> Unit.of(schedule.cluster()));
                    case BookedReservation.There(var mirror) ->
                        peers.find(mirror.cluster()).map(Peer::unit);
                })
                .orElse(Unit.PE);
    }

    /** Returns the events of a reservation of this Berth, or of the request for it, after {@code sequence}, in order. */
    public List<RecordedEvent> events(ReservationId id, long sequence, int limit) {
        return records.events(id, sequence, limit);
    }
}
