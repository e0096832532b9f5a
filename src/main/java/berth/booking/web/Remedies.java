package berth.booking.web;

import berth.accounts.Account;
import berth.booking.Broker;
import berth.booking.Coallocations;
import berth.booking.Counteroffer;
import berth.booking.web.ReserveRequests.ReserveRequest;
import berth.engine.Answer;
import berth.http.Problem;
import berth.http.ProblemCode;
import berth.http.RequestFields;
import berth.http.Texts;
import berth.reservation.ClusterId;
import berth.reservation.RefusalCode;
import berth.reservation.ReservationId;
import berth.scheduling.Rejection;
import berth.scheduling.places.WouldFit;
import berth.scheduling.places.WouldFit.Change;
import berth.sla.Customer;
import berth.sla.RequestedTerms;
import io.swagger.v3.oas.annotations.media.Schema;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.function.LongUnaryOperator;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;

/**
 * Makes the problems of rejected requests. If there was no room, a problem names slots and terms that would fit on a snapshot of the
 * schedule, which are no promise.
 */
@Component
public class Remedies {

    /** The largest number of alternatives that a problem names, unless the client asks for another number. */
    static final int LIMIT = Counteroffer.LIMIT;

    private final Broker broker;
    private final Coallocations coallocations;
    private final RefusedRequests refusedRequests;

    Remedies(Broker broker, Coallocations coallocations, RefusedRequests refusedRequests) {
        this.broker = broker;
        this.coallocations = coallocations;
        this.refusedRequests = refusedRequests;
    }

    /** Returns where calls note the requests that they refuse. */
    public RefusedRequests refusedRequests() {
        return refusedRequests;
    }

    /**
     * The rejected request.
     *
     * @param account the account that sent the request
     * @param customer the account that would pay
     * @param renegotiated the reservation whose terms the request would change; empty for a new reservation
     */
    public record Wanted(
            Account account,
            Customer customer,
            ClusterId cluster,
            RequestedTerms terms,
            Optional<ReservationId> renegotiated) {}

    /**
     * The changes that would make a request fit, each on its own.
     *
     * @param deadline the earliest deadline that would do; null if none was found
     * @param pes the largest number of PEs that would fit; null if none was found, or if the request leaves its shape open
     * @param duration the longest duration that would fit; null if none was found, or if the request leaves its shape open
     * @param slack the smallest {@code window.slack} of a series that would do, in place of the deadline; null for other requests
     * @param effects the cost of each change for others
     */
    public record WouldFitBody(
            @Nullable Instant deadline,
            @Nullable Integer pes,
            @Nullable String duration,
            @Nullable String slack,
            ChangeEffectsBody effects) {

        static final WouldFitBody NOTHING = new WouldFitBody(null, null, null, null, ChangeEffectsBody.NONE);

        private static WouldFitBody of(WouldFit.Answer would) {
            return new WouldFitBody(
                    Texts.orNull(would.deadline().map(change -> Texts.instant(change.figure()))),
                    Texts.orNull(would.pes().map(change -> Math.toIntExact(change.figure()))),
                    Texts.orNull(would.duration().map(change -> Texts.duration(change.figure()))),
                    null,
                    new ChangeEffectsBody(effects(would.deadline()), effects(would.pes()), effects(would.duration())));
        }

        private static @Nullable EffectsBody effects(Optional<Change> change) {
            return Texts.orNull(change.map(one -> EffectsBody.of(one.effects())));
        }

        /** Returns the same changes for a request with an exact start, which a later deadline does not help. */
        private WouldFitBody withoutDeadline() {
            return new WouldFitBody(
                    null, pes, duration, slack, new ChangeEffectsBody(null, effects.pes, effects.duration));
        }
    }

    /**
     * The cost for others of each change that would make a request fit. A cost is null if there is no such change or it is not known.
     *
     * @param deadline the cost of the later deadline, or of the slack of a series
     * @param pes the cost of fewer PEs
     * @param duration the cost of the shorter duration
     */
    @Schema(name = "ChangeEffects")
    record ChangeEffectsBody(
            @Nullable EffectsBody deadline,
            @Nullable EffectsBody pes,
            @Nullable EffectsBody duration) {

        private static final ChangeEffectsBody NONE = new ChangeEffectsBody(null, null, null);
    }

    /** Slots and terms that would fit. */
    record Remedy(List<SlotBody> alternatives, boolean truncated, WouldFitBody wouldFit) {

        private static Remedy of(Counteroffer found, Account account) {
            return new Remedy(
                    found.places().stream()
                            .map(place -> SlotBody.of(place, account))
                            .toList(),
                    found.isTruncated(),
                    WouldFitBody.of(found.would()));
        }
    }

    /**
     * Returns the problem of a command that was not carried out. If there was no room, it includes slots and terms that would fit.
     *
     * @param wanted the rejected request; called only if there was no room
     */
    Problem refused(Answer answer, RequestFields sent, Supplier<Wanted> wanted) {
        var problem = Refusals.refused(answer, sent);
        return answer instanceof Answer.Refused(var reason) && reason.lacksRoom()
                ? NoRoom.offering(problem, offered(wanted.get()))
                : problem;
    }

    /** Returns the problem of a request for which there was no room on the clusters that it allows, with slots and terms that would fit. */
    NoRoom refused(Rejection reason, ReserveRequest asked) {
        return NoRoom.offering(Refusals.problem(reason, asked.sent()), anywhere(asked));
    }

    /**
     * Returns the problem of a request that was rejected in its round. If there was no room, it includes slots and terms that would fit
     * now.
     */
    Problem refused(RefusalCode why, ReserveRequest asked) {
        var problem = rejected(why);
        return why == RefusalCode.NO_SLOT || why == RefusalCode.OVER_BUDGET
                ? NoRoom.offering(problem, anywhere(asked))
                : problem;
    }

    /** Returns the problem of a request that was rejected later than in the call that made it. */
    static Problem rejected(RefusalCode why) {
        return switch (why) {
            case NO_SLOT -> Refusals.problem(new Rejection.NoSlot(), RequestFields.nothing());
            case OVER_BUDGET ->
                new Problem(
                        ProblemCode.OVER_BUDGET,
                        "When the request was decided, every slot that fits cost more than the budget. Raise the"
                                + " budget, or allow a later start.");
            case LIMIT_EXCEEDED ->
                new Problem(
                        ProblemCode.LIMIT_EXCEEDED,
                        "When the request was decided, it would have exceeded a limit of the account. Cancel or end something,"
                                + " book less, or ask an administrator for a higher limit.");
            case BUDGET_EXCEEDED ->
                new Problem(
                        ProblemCode.BUDGET_EXCEEDED,
                        "When the request was decided, its project had too little of its budget left. Cancel something, or ask an"
                                + " administrator for a grant.");
            case NEEDS_APPROVAL ->
                new Problem(
                        ProblemCode.NEEDS_APPROVAL,
                        "When the request was decided, it needed an approval, but its start left no time for one. Ask for a later start.");
            case FORBIDDEN ->
                new Problem(
                        ProblemCode.FORBIDDEN,
                        "When the request was decided, the account was no member of its project. Ask an owner of the project to make"
                                + " it a member, or choose another project.");
            case NEVER_FITS ->
                new Problem(
                        ProblemCode.NEVER_FITS,
                        "The cluster changed while the request waited, and can no longer hold it. Ask for less, or choose another cluster.");
            case INVALID_TERMS ->
                new Problem(
                        ProblemCode.INVALID_TERMS,
                        "When the request was decided, its terms were against the rules of the cluster. Request it with other terms.");
            case WRONG_STATE, STALE_VERSION ->
                throw new IllegalArgumentException(
                        "A request is not rejected later with the code %s.".formatted(why.word()));
        };
    }

    /** Returns the problem of a command whose terms the caller cannot change. If there was no room, it includes slots that would fit. */
    public Problem elsewhere(Answer answer, Supplier<Wanted> wanted) {
        var problem = Refusals.refused(answer, RequestFields.nothing());
        if (!(answer instanceof Answer.Refused(var reason)) || !reason.lacksRoom()) {
            return problem;
        }
        var found = offered(wanted.get());
        return NoRoom.offering(problem, new Remedy(found.alternatives, found.truncated, WouldFitBody.NOTHING));
    }

    /**
     * Returns the changes that would make a rejected occurrence fit, if there is time to search for them.
     *
     * @param slack returns the slack that makes a deadline, in seconds
     */
    public WouldFitBody wouldFit(Wanted wanted, LongUnaryOperator slack) {
        var would = offered(wanted).wouldFit();
        return new WouldFitBody(
                null,
                would.pes,
                would.duration,
                would.deadline == null ? null : Texts.duration(slack.applyAsLong(would.deadline.getEpochSecond())),
                would.effects);
    }

    private Remedy offered(Wanted wanted) {
        var rejected = new Broker.RejectedTerms(
                wanted.account.name(), wanted.customer, wanted.cluster, wanted.terms, wanted.renegotiated);
        return Remedy.of(broker.remedies(rejected), wanted.account);
    }

    /** Returns slots and terms that would fit on any of the clusters that the request allows. */
    private Remedy anywhere(ReserveRequest asked) {
        var found = Remedy.of(broker.remedies(asked.request()), asked.caller());
        return asked.request().start().isPresent()
                ? new Remedy(found.alternatives, found.truncated, found.wouldFit.withoutDeadline())
                : found;
    }

    /**
     * Returns other starts for all parts of a co-allocation: one slot for each part in the order of the parts, start after start. Also
     * returns the deadline that would do for all parts.
     */
    Remedy together(Coallocations.Wanted wanted, Account account) {
        var found = coallocations.remedies(wanted);
        return new Remedy(
                found.starts().stream()
                        .flatMap(start -> start.places().stream())
                        .map(place -> SlotBody.of(place, account))
                        .toList(),
                found.isTruncated(),
                new WouldFitBody(Texts.instant(found.deadline()), null, null, null, ChangeEffectsBody.NONE));
    }
}
