package berth.rest;

import berth.broker.BookedReservation;
import berth.broker.Broker;
import berth.broker.Broker.Outcome;
import berth.broker.Coallocations;
import berth.broker.Counteroffer;
import berth.broker.ReservationOrRequest;
import berth.desk.Answer;
import berth.desk.Desks;
import berth.desk.SideDesk;
import berth.reservation.ClusterId;
import berth.reservation.RefusalCode;
import berth.reservation.ReservationId;
import berth.rest.ReserveRequests.Asked;
import berth.scheduling.Alternatives;
import berth.scheduling.Rejection;
import berth.scheduling.WouldFit;
import berth.security.Account;
import berth.sla.RequestedTerms;
import berth.sla.ServiceClass;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;

/** Tells whoever is refused for want of room what would fit instead. Found on a snapshot: it is no promise. */
@Component
class Remedies {

    /** The most alternatives to name, unless a client asks for another number. */
    static final int LIMIT = Counteroffer.LIMIT;

    private final Desks desks;
    private final Broker broker;
    private final Coallocations coallocations;

    Remedies(Desks desks, Broker broker, Coallocations coallocations) {
        this.desks = desks;
        this.broker = broker;
        this.coallocations = coallocations;
    }

    /**
     * What was asked for.
     *
     * @param account who asks
     * @param serviceClass that its prices are made for
     * @param renegotiated the reservation that has other terms so far; empty for a new one
     */
    record Wanted(
            Account account,
            ServiceClass serviceClass,
            ClusterId cluster,
            RequestedTerms terms,
            Optional<ReservationId> renegotiated) {}

    /**
     * By how much a request must give way.
     *
     * @param deadline the earliest that would do; null if none was found
     * @param pes the most that would be admitted; null if none were found, and where the request leaves its shape open
     * @param duration the longest that would be admitted; null as for the PEs
     */
    record WouldFitBody(
            @Nullable Instant deadline,
            @Nullable Integer pes,
            @Nullable String duration) {

        private static WouldFitBody of(WouldFit.Answer would) {
            return new WouldFitBody(
                    Texts.instant(would.deadline()),
                    would.pes().isPresent() ? would.pes().getAsInt() : null,
                    Texts.duration(would.duration()));
        }
    }

    /** What would fit instead. */
    record Remedy(List<SlotBody> alternatives, boolean truncated, WouldFitBody wouldFit) {

        /** Nobody had the time to look. */
        static final Remedy NOT_LOOKED_FOR = new Remedy(List.of(), true, new WouldFitBody(null, null, null));
    }

    /**
     * Why a command was not granted, with what would fit instead if there was no room.
     *
     * @param wanted what was asked for
     */
    Problem refused(Answer answer, RequestFields sent, Supplier<Wanted> wanted) {
        var problem = Refusals.refused(answer, sent);
        return answer instanceof Answer.Refused(var reason) && reason.lacksRoom()
                ? problem.offering(offered(wanted.get()))
                : problem;
    }

    /**
     * What a request has come to.
     *
     * @throws Problem if it was refused, with what would fit instead if there was no room
     */
    ReservationOrRequest granted(Outcome outcome, Asked asked) {
        return switch (outcome) {
            case Outcome.Granted(var booked) -> booked;
            case Outcome.Collected(var request) -> new ReservationOrRequest.Collected(request);
            case Outcome.NeverFits(var reasons) -> throw Refusals.nowhere(reasons, asked.sent());
            case Outcome.NoSlot(var tried, var reason) ->
                throw Refusals.problem(reason, asked.sent())
                        .offering(anywhere(asked))
                        .after(tried.stream().map(TriedBody::of).toList());
            case Outcome.Ended(Answer.Refused(var reason))
            when reason.lacksRoom() ->
                throw Refusals.problem(reason, asked.sent()).offering(anywhere(asked));
            case Outcome.Ended(var answer) ->
                new BookedReservation.Here(
                        Refusals.granted(answer, asked.sent()).reservation().orElseThrow());
        };
    }

    /** What a request hears that was rejected in its round, with what would fit now, if room was missing. */
    Problem refused(RefusalCode why, Asked asked) {
        return switch (why) {
            case NO_SLOT ->
                Refusals.problem(new Rejection.NoSlot(), RequestFields.nothing())
                        .offering(anywhere(asked));
            case OVER_BUDGET ->
                new Problem(
                                ProblemCode.OVER_BUDGET,
                                "When the request was decided, every slot that fits cost more than the budget. Raise the"
                                        + " budget, or allow a later start.")
                        .offering(anywhere(asked));
            case LIMIT_EXCEEDED ->
                new Problem(
                        ProblemCode.LIMIT_EXCEEDED,
                        "When the request was decided, it would have exceeded a limit of the account; end something,"
                                + " book less, or ask an administrator for a higher limit.");
            case BUDGET_EXCEEDED ->
                new Problem(
                        ProblemCode.BUDGET_EXCEEDED,
                        "When the request was decided, its project had too little of its budget left; give something up, or ask an"
                                + " administrator for a grant.");
            case NEVER_FITS ->
                new Problem(
                        ProblemCode.NEVER_FITS,
                        "What there is has changed while the request waited; ask for less, or choose another cluster.");
            case INVALID_TERMS, WRONG_STATE, STALE_VERSION ->
                throw new IllegalStateException("No request is refused in its round as %s.".formatted(why.word()));
        };
    }

    /** By how much what was refused must give way, if there is time to find out. */
    WouldFitBody wouldFit(Wanted wanted) {
        return offered(wanted).wouldFit();
    }

    /** It is refused, whether there is time to look for what would fit or not. */
    private Remedy offered(Wanted wanted) {
        try {
            return remedy(wanted);
        } catch (SideDesk.Overloaded | SideDesk.Unanswered e) {
            return Remedy.NOT_LOOKED_FOR;
        }
    }

    private Remedy remedy(Wanted wanted) {
        var outlook = desks.outlook(wanted.cluster).orElseThrow();
        long now = outlook.now();
        var present = outlook.schedule();
        // who has an agreement is not asked how much other terms delay batch jobs
        var schedule = wanted.renegotiated
                .map(id -> present.without(id).whereAnySlotIsAvailableEnough())
                .orElse(present);
        var maxPhi = schedule.cluster().policy().alternativesMaxPhi();
        return desks.compute(wanted.account.name(), () -> {
            var found = new Alternatives(wanted.terms, wanted.serviceClass, maxPhi, LIMIT).ask(schedule, now);
            var would = new WouldFit(wanted.terms, wanted.serviceClass).ask(schedule, now);
            return new Remedy(
                    found.found().stream()
                            .map(alternative -> SlotBody.of(wanted.cluster, alternative, wanted.account))
                            .toList(),
                    found.truncated(),
                    WouldFitBody.of(would));
        });
    }

    /** What would fit instead, on all clusters that may be asked. */
    private Remedy anywhere(Asked asked) {
        var instead = broker.remedies(asked.request());
        var account = asked.account();
        return new Remedy(
                instead.places().stream()
                        .map(place -> SlotBody.of(place, account))
                        .toList(),
                instead.isTruncated(),
                WouldFitBody.of(instead.would()));
    }

    /** Other starts of all parts: a slot for each of them in their order, start after start; and the deadline that would do for all. */
    Remedy together(Coallocations.Wanted wanted, Account account) {
        var found = coallocations.remedies(wanted);
        return new Remedy(
                found.starts().stream()
                        .flatMap(start -> start.places().stream())
                        .map(place -> SlotBody.of(place, account))
                        .toList(),
                found.isTruncated(),
                new WouldFitBody(Texts.instant(found.deadline()), null, null));
    }
}
