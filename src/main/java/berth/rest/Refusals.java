package berth.rest;

import berth.broker.Mirror;
import berth.broker.ReservationOrRequest;
import berth.broker.Reservations.Acted;
import berth.desk.Answer;
import berth.reservation.ClusterId;
import berth.rest.Problem.FieldError;
import berth.scheduling.Rejection;
import berth.sla.Violation;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import tools.jackson.databind.JsonNode;

/** What a desk answered, as the contract says it. */
final class Refusals {

    private Refusals() {}

    /**
     * What was done, if the command was granted.
     *
     * @throws Problem if it was not
     */
    static Answer.Done granted(Answer answer, RequestFields sent) {
        if (answer instanceof Answer.Done done) {
            return done;
        }
        throw refused(answer, sent);
    }

    /** Why a command was not granted. */
    static Problem refused(Answer answer, RequestFields sent) {
        return switch (answer) {
            case Answer.Done done -> throw new IllegalArgumentException("What was done is not refused: " + done);
            case Answer.Refused(var reason) -> problem(reason, sent);
            case Answer.KeyReused() ->
                new Problem(
                        ProblemCode.KEY_REUSED,
                        "Use a new Idempotency-Key for a new request, and the old one only to repeat the old request.");
            case Answer.NotDecided(var why) -> new Problem(ProblemCode.UNAVAILABLE, "Nothing has changed. " + why);
            case Answer.OutcomeUnknown(var why) ->
                new Problem(
                        ProblemCode.UNAVAILABLE,
                        why
                                + " Whether this is recorded is not known yet: repeat the request with the same"
                                + " Idempotency-Key, or look for the reservation, before trying anything else.");
        };
    }

    /**
     * No cluster could ever hold it. Where all say the same, the mistake lies in the terms themselves.
     *
     * @param reasons by cluster
     */
    static Problem nowhere(Map<ClusterId, Rejection> reasons, RequestFields sent) {
        if (reasons.isEmpty()) {
            return new Problem(ProblemCode.NO_SLOT, "There are no clusters to ask.");
        }
        var said = Set.copyOf(reasons.values());
        if (said.size() == 1 && said.iterator().next() instanceof Rejection.InvalidTerms everywhere) {
            return problem(everywhere, sent);
        }
        return new Problem(
                ProblemCode.NEVER_FITS,
                "No cluster could ever hold this: ask for less. The errors tell what is too much where.",
                reasons.entrySet().stream()
                        .flatMap(entry -> problem(entry.getValue(), sent).errors().stream()
                                .map(error -> error.at(entry.getKey())))
                        .toList());
    }

    static Problem problem(Rejection reason, RequestFields sent) {
        return switch (reason) {
            case Rejection.InvalidTerms(var violations) ->
                new Problem(
                        ProblemCode.INVALID_TERMS,
                        "Correct the fields named in errors and send the request again.",
                        violations.stream()
                                .map(violation -> error(violation, sent))
                                .toList());
            case Rejection.NeverFits(var violation) ->
                new Problem(
                        ProblemCode.NEVER_FITS,
                        "Ask for less, or choose another cluster; waiting does not help.",
                        List.of(error(violation, sent)));
            case Rejection.LimitExceeded(var violation) ->
                new Problem(
                        ProblemCode.LIMIT_EXCEEDED,
                        "The account has a limit on what it may have booked; end something, book less, or ask an"
                                + " administrator for a higher limit.",
                        List.of(new FieldError(violation.field(), null, violation.message())));
            case Rejection.BudgetExceeded(var shortage) ->
                new Problem(
                        ProblemCode.BUDGET_EXCEEDED,
                        "The project has %s available, and this needs %s. Ask for less or for a cheaper time, give something up, or ask an administrator for a grant."
                                .formatted(
                                        shortage.unit().text(shortage.available()),
                                        shortage.unit().text(shortage.needed())),
                        List.of(new FieldError(
                                "project",
                                shortage.project(),
                                "has %s available, and %s is needed"
                                        .formatted(
                                                shortage.unit().text(shortage.available()),
                                                shortage.unit().text(shortage.needed())))));
            case Rejection.Closed() ->
                new Problem(
                        ProblemCode.NO_SLOT,
                        "The cluster takes nothing new at the moment; ask another one, or try again later.");
            case Rejection.BookedAhead(int ahead, int runs, var share) ->
                new Problem(
                        ProblemCode.NO_SLOT,
                        "The cluster books at most %s of its runs ahead, and %d of %d lie ahead already. Ask for a start at once, ask another cluster, or try again later."
                                .formatted(share.toPlainString(), ahead, runs));
            case Rejection.TooFewOccurrences(int granted, int atLeast, var first) -> {
                var why = problem(first, sent);
                yield new Problem(
                        why.code(),
                        "%d of the occurrences can be booked, of %d at least; take fewer (onConflict, atLeast), or change the days or the time. Of the first that cannot: %s"
                                .formatted(granted, atLeast, why.getMessage()),
                        why.errors());
            }
            case Rejection.NoSlot() ->
                new Problem(
                        ProblemCode.NO_SLOT,
                        "Loosen the window, shorten the run or ask for fewer PEs; a probe shows what would fit.");
            case Rejection.TooBusy(double availability, var least) ->
                new Problem(
                        ProblemCode.NO_SLOT,
                        "There is room, but it would delay the batch jobs too much: the availability is %.3f at best, and must be %s. Choose no start, or loosen the window."
                                .formatted(
                                        Math.floor(availability * 1000) / 1000,
                                        least.signum() == 0 ? "above 0" : "at least " + least.toPlainString()));
            case Rejection.OverBudget(var price, var budget) ->
                new Problem(
                        ProblemCode.OVER_BUDGET,
                        "The first slot that fits costs %s, the budget is %s. Raise the budget, or allow a later start."
                                .formatted(price, budget));
            case Rejection.WrongState(var state) -> wrongState(state.name());
            case Rejection.NotLive(var id) ->
                new Problem(ProblemCode.WRONG_STATE, "Reservation %s has ended; read it to see how.".formatted(id));
            case Rejection.ProposalOpen(int number, long expiresAt) ->
                new Problem(
                        ProblemCode.WRONG_STATE,
                        "Proposal %d waits for the owner's answer until %s; propose again after that."
                                .formatted(number, Texts.instant(expiresAt)));
            case Rejection.ProposalOver(int number) ->
                new Problem(
                        ProblemCode.WRONG_STATE,
                        "Proposal %d is answered, withdrawn or expired; list the renegotiations to see what is agreed."
                                .formatted(number));
            case Rejection.OutageOver(var id) ->
                new Problem(ProblemCode.WRONG_STATE, "Outage %s is over; its PEs are back.".formatted(id));
            case Rejection.InUse(var field) ->
                new Problem(
                        ProblemCode.WRONG_STATE,
                        "Close the cluster, wait until nothing is reserved and, for its binding, end its outages; or"
                                + " leave the field as it is.",
                        List.of(new FieldError(field, sent.value(field), "cannot change while the cluster is in use")));
            case Rejection.JobNotLive(var id) ->
                new Problem(ProblemCode.WRONG_STATE, "Job %s neither waits nor runs any more.".formatted(id));
            case Rejection.WrongJobState(var state) ->
                new Problem(ProblemCode.WRONG_STATE, "The job is %s, which does not allow this.".formatted(state));
            case Rejection.OtherSource(var source) ->
                new Problem(
                        ProblemCode.WRONG_STATE,
                        switch (source) {
                            case OUTSIDE ->
                                "The jobs of this cluster are those of an outside batch system; submit, end and cancel"
                                        + " them there.";
                            case BERTH ->
                                "The queue of this cluster is Berth's own. Where an outside batch system has one, say"
                                        + " so in policy.jobs: OUTSIDE, and let Berth's jobs end or cancel them.";
                        });
            case Rejection.StaleVersion(int present) -> EntityTag.stale(present);
        };
    }

    /**
     * What an action has led to.
     *
     * @throws Problem if it was not done
     */
    static ReservationOrRequest done(Acted acted) {
        return switch (acted) {
            case Acted.Done(var after) -> after;
            case Acted.WrongState(var state) -> throw wrongState(state);
            case Acted.NotDone(var answer) -> throw refused(answer, RequestFields.nothing());
            case Acted.RefusedThere(var problem) -> throw elsewhere(problem);
            case Acted.Silent(var after, var why) -> throw unheard(after, why);
        };
    }

    /** What another Berth refused, as that said it. */
    private static Problem elsewhere(JsonNode problem) {
        var word = problem.path("code").asString("");
        var code = Arrays.stream(ProblemCode.values())
                .filter(each -> each.word().equals(word))
                .filter(each -> each != ProblemCode.UNAUTHORIZED && each != ProblemCode.FORBIDDEN)
                .findAny()
                .orElse(ProblemCode.UNAVAILABLE);
        return new Problem(
                code,
                "The other Berth says: " + Texts.shown(problem.path("detail").asString("nothing")));
    }

    /** What another Berth may not have heard. */
    private static Problem unheard(Mirror mirror, String why) {
        var then = mirror.owed() == Mirror.Owed.CANCELLATION
                ? "The cancellation is kept, and is told to it as soon as it answers."
                : "Whether it has heard the request is not known: read the reservation before trying again.";
        return new Problem(ProblemCode.UNAVAILABLE, "The other Berth was asked, but %s. %s".formatted(why, then));
    }

    static Problem wrongState(String state) {
        return new Problem(
                ProblemCode.WRONG_STATE,
                "The reservation is %s, which does not allow this; read it to see what has happened.".formatted(state));
    }

    private static FieldError error(Violation violation, RequestFields sent) {
        return new FieldError(sent.path(violation.field()), sent.value(violation.field()), violation.message());
    }
}
