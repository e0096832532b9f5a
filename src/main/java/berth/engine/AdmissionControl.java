package berth.engine;

import berth.budget.Funds;
import berth.cluster.Juggling;
import berth.engine.Booking.IfRefused;
import berth.engine.Pending.Reach;
import berth.outcome.Outcome;
import berth.reservation.ClusterId;
import berth.runtime.Gate;
import berth.scheduling.Basis;
import berth.scheduling.Decision;
import berth.scheduling.Event.ReservationEvent;
import berth.scheduling.Rejection;
import berth.scheduling.commands.Command;
import berth.scheduling.places.Probe;
import berth.sla.AccountName;
import berth.sla.Part;
import java.util.List;
import java.util.Optional;

/**
 * Admits bookings, the commands by which accounts reserve more, within the limits of the accounts. The desk of the cluster decides each
 * booking; searches that would delay other commands run on a snapshot beside the desk before. Thread-safe.
 */
public final class AdmissionControl {

    /** How often another alternative is searched for if the last one was taken meanwhile. */
    private static final int ATTEMPTS = 3;

    /** The most looks that a desk does itself, about ten milliseconds. */
    private static final long MAX_LOOKS = 30_000;

    private final Desks desks;

    public AdmissionControl(Desks desks) {
        this.desks = desks;
    }

    /**
     * Decides a booking on a cluster, which must exist, and waits until it is recorded. If there is room without moves, the desk alone
     * decides. Otherwise a search beside the desk first examines a snapshot for whether other reservations can make room, and the desk
     * decides only if the booking may be granted. A booking that was granted before under the same key gets the same answer.
     *
     * @throws Gate.Overloaded if too many computations wait; nothing has changed
     * @throws Gate.Unanswered if the search did not finish in time; nothing has changed
     */
    public Answer admit(ClusterId cluster, Booking booking, Optional<KeyUse> key) {
        return desks.keys().once(key, turn -> admit(cluster, booking, turn));
    }

    /** Decides as {@link #admit(ClusterId, Booking, Optional)}, in the turn of a key. */
    public Answer admit(ClusterId cluster, Booking booking, Keys.Turn turn) {
        return admitWithoutSearch(cluster, booking, turn).orElseGet(() -> admitAfterSearch(cluster, booking, turn));
    }

    /** Decides a booking as {@link #admit(ClusterId, Booking, Optional)}, but never searches beside the desk. */
    public Answer admitAtDesk(ClusterId cluster, Booking booking, Optional<KeyUse> key) {
        return desks.keys().once(key, turn -> admitAtDesk(cluster, booking, turn));
    }

    /** Decides as {@link #admitAtDesk(ClusterId, Booking, Optional)}, in the turn of a key. */
    public Answer admitAtDesk(ClusterId cluster, Booking booking, Keys.Turn turn) {
        return desks.await(submit(cluster, booking, Reach.ALL, turn));
    }

    /** Returns the answer if the desk can decide alone; empty if a search beside the desk must first look for room. */
    private Optional<Answer> admitWithoutSearch(ClusterId cluster, Booking booking, Keys.Turn turn) {
        var desk = desks.desk(cluster);
        var outlook = desk.outlook();
        if (!isShortSearch(outlook, booking.command()) && desk.closed().isEmpty()) {
            return Optional.empty();
        }
        boolean isAll = desk.schedule().cluster().policy().juggling() == Juggling.NEVER
                && booking.fallback().isEmpty();
        var pending = submit(cluster, booking, isAll ? Reach.ALL : Reach.AS_OTHERS_LIE, turn);
        var answer = desks.await(pending);
        return pending.isLeft() ? Optional.empty() : Optional.of(answer);
    }

    private Answer admitAfterSearch(ClusterId cluster, Booking booking, Keys.Turn turn) {
        for (int attempt = 1; ; attempt++) {
            switch (search(cluster, booking)) {
                case Outcome.NotDone(var reason) -> {
                    return new Answer.Refused(reason);
                }
                case Outcome.Done(Hopeful(var wanted, var place)) -> {
                    boolean isLast = attempt == ATTEMPTS;
                    var submitted = isLast
                            ? wanted
                            : place.map(parts -> wanted.by(wanted.command().at(parts)))
                                    .orElse(wanted);
                    var answer = admitAtDesk(cluster, submitted, turn);
                    boolean wasTaken = answer instanceof Answer.Refused(var reason)
                            && reason.lacksRoom()
                            && (booking.fallback().isPresent() || place.isPresent());
                    if (!wasTaken || isLast) {
                        return answer;
                    }
                }
            }
        }
    }

    /** Submits a booking to the desk once the results of the account's earlier bookings are known. */
    Pending submit(ClusterId cluster, Booking booking, Reach reach, Keys.Turn turn) {
        return desks.limits().submit(cluster, booking.owner(), booking.limits(), allowance -> {
            var pending = new Pending(booking.command(), turn.use(), allowance, booking.ifRefused(), reach);
            return turn.lastsFor(desks.desk(cluster).submit(pending));
        });
    }

    /**
     * A booking that may be granted.
     *
     * @param place the place that was found, if searching for it again would take long
     */
    private record Hopeful(Booking booking, Optional<List<Part>> place) {}

    private Outcome<Hopeful, Rejection> search(ClusterId cluster, Booking booking) {
        var desk = desks.desk(cluster);
        var outlook = desk.outlook();
        var basis = outlook.funded(desks.budgets().funds(outlook.now()))
                .within(desks.limits().allowance(cluster, booking.owner(), booking.limits()));
        var schedule = basis.schedule();
        var command = booking.command();
        // if every newcomer causes replanning, one that fits without moves is granted whatever the replanning gives
        boolean isHopeful = schedule.cluster().policy().juggling() == Juggling.ALWAYS
                && !schedule.needsPlans()
                && command.looks(schedule, basis.now()) <= MAX_LOOKS
                && !lacksRoom(command.decideAsOthersLie(basis));
        return isHopeful
                ? new Outcome.Done<>(new Hopeful(booking, Optional.empty()))
                : desks.searches().compute(booking.owner(), () -> search(desk, basis, booking));
    }

    private static Outcome<Hopeful, Rejection> search(Desk desk, Basis basis, Booking booking) {
        var command = booking.command();
        var decision = command.decide(basis);
        if (!(decision instanceof Decision.Rejected(var reason))) {
            return new Outcome.Done<>(new Hopeful(
                    booking,
                    command.looks(basis.schedule(), basis.now()) > MAX_LOOKS ? place(decision) : Optional.empty()));
        }
        var instead = reason.lacksRoom()
                ? booking.fallback().flatMap(fallback -> fallback.instead(basis))
                : Optional.<Command>empty();
        if (instead.isEmpty() && booking.ifRefused() == IfRefused.THE_CLIENT_IS) {
            desk.countRefusal(command, reason, basis.now());
        }
        return instead.<Outcome<Hopeful, Rejection>>map(other -> new Outcome.Done<>(
                        new Hopeful(new Booking(booking.owner(), booking.limits(), other), Optional.empty())))
                .orElseGet(() -> new Outcome.NotDone<>(reason));
    }

    /** Returns the place of a reservation for which nothing has moved; empty if something else happened too. */
    private static Optional<List<Part>> place(Decision decision) {
        return decision instanceof Decision.Accepted(var events, var _)
                        && events.size() == 1
                        && events.getFirst() instanceof ReservationEvent happened
                ? Optional.of(happened.reservation().parts())
                : Optional.empty();
    }

    /** Whether a desk itself looks for a place without moves; otherwise the search may take longer than other commands should wait. */
    private static boolean isShortSearch(Basis basis, Command command) {
        var schedule = basis.schedule();
        return schedule.cluster().policy().juggling() != Juggling.ALWAYS
                && !schedule.needsPlans()
                && command.looks(schedule, basis.now()) <= MAX_LOOKS;
    }

    private static boolean lacksRoom(Decision decision) {
        return decision instanceof Decision.Rejected(var reason) && reason.lacksRoom();
    }

    /**
     * Decides a booking on a snapshot, as {@link #admit(ClusterId, Booking, Optional)} would now: within the limits of its account, with the
     * present funds of its project, and with its fallback if there is no room. Changes nothing.
     *
     * @throws Gate.Overloaded if too many computations wait
     * @throws Gate.Unanswered if there is no result in time
     */
    public Trial trial(ClusterId cluster, Booking booking) {
        return trial(cluster, booking, List.of());
    }

    /**
     * Decides a booking on a snapshot, as if other bookings of the account on other clusters had been carried out.
     *
     * @param earlier the trials of the other bookings, each after those before it
     */
    public Trial trial(ClusterId cluster, Booking booking, List<Trial> earlier) {
        var others = earlier.stream().map(Trial::after).toList();
        var allowance = desks.limits().allowance(cluster, booking.owner(), booking.limits(), others);
        var funds = others.isEmpty()
                ? Optional.<Funds>empty()
                : Optional.of(others.getLast().funds());
        return desks.trial(cluster, booking.owner(), funds, basis -> decision(booking, basis.within(allowance)));
    }

    private static Decision decision(Booking booking, Basis basis) {
        var command = booking.command();
        if (isShortSearch(basis, command)) {
            // a desk may grant less than the account asked for before others move for the rest
            var asOthersLie = command.decideAsOthersLie(basis);
            if (!lacksRoom(asOthersLie)) {
                return asOthersLie;
            }
        }
        var decision = command.decide(basis);
        return lacksRoom(decision)
                ? booking.fallback()
                        .flatMap(fallback -> fallback.instead(basis))
                        .map(instead -> instead.decide(basis))
                        .orElse(decision)
                : decision;
    }

    /**
     * Returns what would fit. Searches that involve moves, and plans of the batch queue, may take long and run when it is the account's turn.
     *
     * @throws Gate.Overloaded if too many computations wait
     * @throws Gate.Unanswered if there is no result in time
     */
    public Outcome<Probe.Offers, Rejection> offers(AccountName account, Probe probe, Basis outlook) {
        var schedule = outlook.schedule();
        long now = outlook.now();
        if (!schedule.jobs().isEmpty() || probe.looks(schedule, now) > MAX_LOOKS) {
            return desks.searches().compute(account, () -> probe.ask(schedule, now));
        }
        var plain = probe.ask(schedule.whereNobodyMoves(), now);
        boolean isEnough = switch (schedule.cluster().policy().juggling()) {
            case NEVER -> true;
            case ON_CONFLICT, LEAST_MOVES -> !(plain instanceof Outcome.NotDone(var why) && why.lacksRoom());
            case ALWAYS -> false;
        };
        return isEnough ? plain : desks.searches().compute(account, () -> probe.ask(schedule, now));
    }
}
