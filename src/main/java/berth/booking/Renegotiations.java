package berth.booking;

import berth.engine.AdmissionControl;
import berth.engine.Answer;
import berth.engine.Booking;
import berth.engine.Desks;
import berth.engine.KeyUse;
import berth.engine.Keys;
import berth.engine.Records;
import berth.engine.Records.FirstResult.KeyResult;
import berth.engine.Records.Renegotiation;
import berth.engine.Trial;
import berth.reservation.Reservation;
import berth.reservation.ReservationId;
import berth.scheduling.Event;
import berth.scheduling.Rejection;
import berth.scheduling.Target;
import berth.scheduling.commands.AcceptProposal;
import berth.scheduling.commands.DeclineProposal;
import berth.scheduling.commands.Extend;
import berth.scheduling.commands.Propose;
import berth.scheduling.commands.Renegotiate;
import berth.sla.AccountLimits;
import berth.sla.AccountName;
import berth.sla.Money;
import berth.sla.RequestedTerms;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.function.Function;

/** Changes the terms of reservations of this Berth. Thread-safe. */
public final class Renegotiations {

    /** How often a change is repeated if the reservation changes at the same time. */
    private static final int ATTEMPTS = 5;

    private final Desks desks;
    private final AdmissionControl admission;
    private final Records records;

    Renegotiations(Desks desks, AdmissionControl admission, Records records) {
        this.desks = desks;
        this.admission = admission;
        this.records = records;
    }

    /** A change of the terms of a reservation. */
    public sealed interface Change {

        /** Terms that the owner wants. */
        record Wish(AccountName owner, AccountLimits limits, RequestedTerms terms, AccountName caller)
                implements Change {}

        /**
         * A longer run.
         *
         * @param by the wanted extension in seconds
         * @param atLeast the shortest useful extension in seconds
         */
        record Extension(AccountName owner, AccountLimits limits, long by, long atLeast, AccountName caller)
                implements Change {}

        /**
         * Terms that the provider offers to the owner.
         *
         * @param by the name of the administrator's account
         * @param expiresAt the time until which the owner can accept, in seconds since the epoch
         */
        record Offer(AccountName by, RequestedTerms terms, Money incentive, long expiresAt) implements Change {}

        private Booking booking(Target meant) {
            return switch (this) {
                case Wish(var owner, var limits, var terms, var caller) ->
                    new Booking(owner, limits, new Renegotiate(meant, terms, Optional.empty(), Optional.of(caller)));
                case Extension(var owner, var limits, long by, long atLeast, var caller) ->
                    new Booking(owner, limits, new Extend(meant, by, atLeast, Optional.of(caller)));
                case Offer(var by, var terms, var incentive, long expiresAt) -> {
                    var proposal = new Propose(meant, terms, incentive, by, expiresAt);
                    // reserves nothing for the account; long computations run in the turn of the account that proposes
                    yield new Booking(by, AccountLimits.NONE, proposal);
                }
            };
        }
    }

    /** The owner's answer to a proposal. */
    public sealed interface Reply {

        /** Accepts the terms, within the account's limits. */
        record Accept(AccountLimits limits) implements Reply {}

        /** Keeps the old terms. */
        record Decline() implements Reply {}
    }

    /** The result of a change. */
    public sealed interface Outcome {

        /** It is recorded. */
        record Recorded(Renegotiation renegotiation, Reservation after) implements Outcome {}

        /** There was nothing to change. */
        record Unchanged(Reservation reservation) implements Outcome {}

        /** The reservation as it would be; the change was only tried. */
        record Supposed(Reservation before, Reservation after, Trial trial) implements Outcome {}

        /** The state of the reservation does not allow it. */
        record WrongState(String state) implements Outcome {}

        /** The desk of its cluster refused it or did not decide it, for the reservation in that state. */
        record NotDone(Reservation before, Answer answer) implements Outcome {}

        /** The reservation kept changing at the same time. */
        record Busy() implements Outcome {}
    }

    /**
     * Changes the terms of a reservation or offers other terms to its owner. A repetition with the same key gets the same answer.
     *
     * @param found the reservation as it was found
     * @param version the required version; empty for the one at the time of the decision
     * @param change returns the change for the reservation in its present state
     */
    public Outcome change(
            Reservation found, OptionalInt version, Function<Reservation, Change> change, Optional<KeyUse> key) {
        return once(found, key, turn -> change(found, version, change, turn));
    }

    private Outcome once(Reservation found, Optional<KeyUse> key, Function<Keys.Turn, Outcome> work) {
        return desks.keys()
                .once(key, first -> Optional.of(recorded(first)), answer -> new Outcome.NotDone(found, answer), work);
    }

    private Outcome recorded(KeyResult first) {
        if (!(first
                instanceof KeyResult.Happened(Event.ReservationEvent(var _, var after, var _, var _, var _, var _)))) {
            throw new IllegalStateException("A renegotiation led to an unexpected result: " + first);
        }
        return recorded(after, after.status().version());
    }

    private Outcome recorded(Reservation after, int number) {
        return new Outcome.Recorded(
                records.renegotiations(after.id(), OptionalLong.of(number + 1L), 1)
                        .getFirst(),
                after);
    }

    private Outcome change(
            Reservation found, OptionalInt version, Function<Reservation, Change> change, Keys.Turn turn) {
        var before = found;
        for (int attempt = 1; attempt <= ATTEMPTS; attempt++) {
            var hindrance = hindrance(before, version);
            if (hindrance.isPresent()) {
                return hindrance.get();
            }
            var answer = admission.admit(before.cluster(), booking(before, change), turn);
            boolean hasChanged = answer instanceof Answer.Refused(Rejection.StaleVersion(int _));
            if (!hasChanged || version.isPresent()) {
                return outcome(before, answer);
            }
            before = present(before.id());
        }
        return new Outcome.Busy();
    }

    private static Booking booking(Reservation before, Function<Reservation, Change> change) {
        var meant = new Target(before.id(), OptionalInt.of(before.version()));
        return change.apply(before).booking(meant);
    }

    /** Returns why the reservation cannot change in its present state; empty if it can. */
    private static Optional<Outcome> hindrance(Reservation before, OptionalInt version) {
        int present = before.version();
        if (version.isPresent() && version.getAsInt() != present) {
            var stale = new Answer.Refused(new Rejection.StaleVersion(present));
            return Optional.of(new Outcome.NotDone(before, stale));
        }
        return before.state().isLive()
                ? Optional.empty()
                : Optional.of(new Outcome.WrongState(before.state().name()));
    }

    private Reservation present(ReservationId id) {
        return desks.live(id).or(() -> records.find(id)).orElseThrow();
    }

    private static Outcome outcome(Reservation before, Answer answer) {
        if (!(answer instanceof Answer.Done done)) {
            return new Outcome.NotDone(before, answer);
        }
        return done.reservation()
                .<Outcome>map(after -> new Outcome.Recorded(renegotiation(before, after), after))
                .orElseGet(() -> new Outcome.Unchanged(before));
    }

    private static Renegotiation renegotiation(Reservation before, Reservation after) {
        return after.proposal().isPresent() && after.version() > before.version()
                ? new Renegotiation.Offer(after, Optional.empty())
                : new Renegotiation.Agreement(after, before.price());
    }

    /**
     * Returns what a change would result in, by deciding it on a snapshot. Changes nothing. The parameters are those of {@link #change}.
     */
    public Outcome tryChange(Reservation before, OptionalInt version, Function<Reservation, Change> change) {
        return hindrance(before, version).orElseGet(() -> tried(before, booking(before, change)));
    }

    private Outcome tried(Reservation before, Booking booking) {
        var trial = admission.trial(before.cluster(), booking);
        return switch (outcome(before, trial.answer())) {
            case Outcome.Recorded(var _, var after) -> new Outcome.Supposed(before, after, trial);
            case Outcome.Unchanged(var same) -> new Outcome.Supposed(before, same, trial);
            case Outcome other -> other;
        };
    }

    /**
     * Answers a proposal on the owner's behalf. A repetition with the same key gets the same answer.
     *
     * @param found the reservation as it was found
     * @param version the required version; empty for any
     * @param proposal the number of the proposal
     */
    public Outcome reply(Reservation found, OptionalInt version, int proposal, Reply reply, Optional<KeyUse> key) {
        return once(
                found,
                key,
                turn -> hindrance(found, version).orElseGet(() -> reply(found, version, proposal, reply, turn)));
    }

    private Outcome reply(Reservation found, OptionalInt version, int proposal, Reply reply, Keys.Turn turn) {
        var target = new Target(found.id(), version);
        var owner = found.origin().owner();
        var booking = switch (reply) {
            case Reply.Accept(var limits) -> new Booking(owner, limits, new AcceptProposal(target, proposal));
            case Reply.Decline() -> new Booking(owner, AccountLimits.NONE, new DeclineProposal(target, proposal));
        };
        return switch (admission.admit(found.cluster(), booking, turn)) {
            case Answer.Done done -> recorded(done.reservation().orElse(found), proposal);
            case Answer answer -> new Outcome.NotDone(found, answer);
        };
    }

    /**
     * Returns the renegotiations and proposals of a reservation, newest first.
     *
     * @param olderThan only those with a lower number
     */
    public List<Renegotiation> list(ReservationId reservation, OptionalLong olderThan, int limit) {
        return records.renegotiations(reservation, olderThan, limit);
    }
}
