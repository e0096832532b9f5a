package berth.booking.web;

import berth.accounts.Account;
import berth.accounts.Role;
import berth.approval.Approval.Ask;
import berth.approval.Side;
import berth.booking.ReservationOrRequest;
import berth.booking.Reservations.ActionOutcome;
import berth.booking.policy.PolicyHook.Verdict;
import berth.engine.Answer;
import berth.http.EntityTag;
import berth.http.Problem;
import berth.http.Problem.FieldError;
import berth.http.ProblemCode;
import berth.http.ProblemHandler;
import berth.http.RequestFields;
import berth.http.Texts;
import berth.outcome.Outcome;
import berth.peers.Mirror;
import berth.reservation.ClusterId;
import berth.scheduling.Rejection;
import berth.sla.Violation;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import tools.jackson.databind.JsonNode;

/** Translates a desk's decisions into problems of the contract. */
public final class Refusals {

    /** The most clusters whose limits a problem names. */
    private static final int NEAREST = 3;

    private Refusals() {}

    /**
     * Returns the result of a command that the desk carried out.
     *
     * @throws Problem if the desk did not carry out the command
     */
    public static Answer.Done granted(Answer answer, RequestFields sent) {
        if (answer instanceof Answer.Done done) {
            return done;
        }
        throw refused(answer, sent);
    }

    /**
     * Returns the result of a call.
     *
     * @throws Problem if it was not carried out
     */
    public static <T> T done(Outcome<T, Answer> outcome, RequestFields sent) {
        return switch (outcome) {
            case Outcome.Done(var value) -> value;
            case Outcome.NotDone(var answer) -> throw refused(answer, sent);
        };
    }

    /**
     * Checks that a request may go on that cannot wait for an approval.
     *
     * @param by the account that sent it; an administrator approves it by sending it
     * @throws Problem as {@link #allowed}, or if the site's policy wants a person to approve it
     */
    public static void requireAllowed(Verdict verdict, Account by) {
        allowed(verdict).filter(_ -> by.role() != Role.ADMIN).ifPresent(why -> {
            throw new Problem(
                    ProblemCode.NEEDS_APPROVAL,
                    "The site's policy wants a person to approve this, but only a single reservation can wait for that. Ask an administrator to do it. The policy says: %s"
                            .formatted(why));
        });
    }

    /**
     * Checks that a request may go on.
     *
     * @return why the site's policy wants a person to approve it; empty if it does not
     * @throws Problem if the site's policy denies the request, if it did not answer, or if it is too busy to be asked
     */
    static Optional<String> allowed(Verdict verdict) {
        return switch (verdict) {
            case Verdict.Allowed() -> Optional.empty();
            case Verdict.Asks(var why) -> Optional.of(why);
            case Verdict.Denied(var reason) ->
                throw new Problem(ProblemCode.FORBIDDEN, "The site's policy does not allow this: " + reason);
            case Verdict.Unanswered(var _) ->
                throw new Problem(
                        ProblemCode.UNAVAILABLE,
                        "The site's policy service does not respond. Nothing has been decided. Try again later.");
            case Verdict.Busy() ->
                throw ProblemHandler.tooMany("The site's policy service is busy with other requests.");
        };
    }

    /** Returns the problem of a command that was not carried out. */
    public static Problem refused(Answer answer, RequestFields sent) {
        return switch (answer) {
            case Answer.Done done -> throw new IllegalArgumentException("The command was not refused: " + done);
            case Answer.Refused(var reason) -> problem(reason, sent);
            case Answer.Declined(var why) -> Problem.of(why);
            case Answer.KeyReused() ->
                new Problem(
                        ProblemCode.KEY_REUSED,
                        "Use a new Idempotency-Key for a new request, and the old one only to repeat the old request.");
            case Answer.NotDecided(var why) -> new Problem(ProblemCode.UNAVAILABLE, "Nothing has changed. " + why);
            case Answer.OutcomeUnknown(var why) ->
                new Problem(
                        ProblemCode.UNAVAILABLE,
                        why
                                + " It is not known yet whether the change was recorded. Repeat the request with the same"
                                + " Idempotency-Key, or look for the reservation, before you try anything else.");
        };
    }

    /**
     * Returns the problem of a request that no cluster could ever hold. If all clusters find the same mistake in the terms, the problem is
     * that mistake. Otherwise it has the errors of the nearest clusters, those whose bounds the request exceeds least.
     *
     * @param reasons the reason of each cluster
     */
    static Problem nowhere(Map<ClusterId, Rejection> reasons, RequestFields sent) {
        if (reasons.isEmpty()) {
            return new Problem(ProblemCode.NO_SLOT, "There is no cluster that could take the request.");
        }
        var distinct = Set.copyOf(reasons.values());
        if (distinct.size() == 1 && distinct.iterator().next() instanceof Rejection.InvalidTerms everywhere) {
            return problem(everywhere, sent);
        }
        var nearest = reasons.entrySet().stream()
                .sorted(Comparator.<Map.Entry<ClusterId, Rejection>>comparingDouble(each -> excess(each.getValue()))
                        .thenComparing(each -> each.getKey().value()))
                .limit(NEAREST)
                .toList();
        return new Problem(
                ProblemCode.NEVER_FITS,
                reasons.size() == nearest.size()
                        ? "No cluster could ever hold this. Ask for less: the errors name the limit of each cluster."
                        : "No cluster could ever hold this. Ask for less: the errors name the limits of the nearest %d clusters; %d more are further from it."
                                .formatted(nearest.size(), reasons.size() - nearest.size()),
                nearest.stream()
                        .flatMap(entry -> problem(entry.getValue(), sent).errors().stream()
                                .map(error -> error.at(entry.getKey())))
                        .toList());
    }

    /** Returns how many times the bound of a cluster was requested; infinite if asking for less would not help. */
    private static double excess(Rejection reason) {
        return switch (reason) {
            case Rejection.NeverFits(var violation) -> violation.excess();
            case Rejection.InvalidTerms(var violations) ->
                violations.stream().mapToDouble(Violation::excess).max().orElse(Double.POSITIVE_INFINITY);
            default -> Double.POSITIVE_INFINITY;
        };
    }

    public static Problem problem(Rejection reason, RequestFields sent) {
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
                        "The account has reached one of its limits. Cancel or end something, book less, or ask an"
                                + " administrator for a higher limit.",
                        List.of(new FieldError(violation.field(), null, violation.message())));
            case Rejection.BudgetExceeded(var shortage) ->
                new Problem(
                        ProblemCode.BUDGET_EXCEEDED,
                        "The project has %s available, but this needs %s. Ask for less or for a cheaper time, cancel something, or ask an administrator for a grant."
                                .formatted(
                                        shortage.unit().text(shortage.available()),
                                        shortage.unit().text(shortage.needed())),
                        List.of(new FieldError(
                                "project",
                                shortage.project(),
                                "has %s available, but %s is needed"
                                        .formatted(
                                                shortage.unit().text(shortage.available()),
                                                shortage.unit().text(shortage.needed())))));
            case Rejection.FilingClosed(var project, var owner) ->
                new Problem(
                        ProblemCode.FORBIDDEN,
                        "%s may not file under the project, so what it has there cannot come to cost more. Ask an owner of the project to make it a member, or ask for no more than it has."
                                .formatted(owner),
                        List.of(new FieldError("project", project, "does not have %s as a member".formatted(owner))));
            case Rejection.NeedsApproval(var asked) ->
                new Problem(
                        ProblemCode.NEEDS_APPROVAL,
                        "This needs the approval of %s, for which it cannot wait. Ask for less, for a later start, or for a single reservation; or ask an administrator to do it."
                                .formatted(sides(asked.stream().map(Ask::by))));
            case Rejection.MayNotApprove(var open) ->
                new Problem(
                        ProblemCode.FORBIDDEN,
                        "The reservation waits for the approval of %s, which this account may not give."
                                .formatted(sides(open.stream())));
            case Rejection.Closed() ->
                new Problem(
                        ProblemCode.NO_SLOT,
                        "The cluster takes no new reservations at the moment. Choose another cluster, or try again later.");
            case Rejection.Retired() ->
                new Problem(ProblemCode.NO_SLOT, "The cluster is out of use. Choose another cluster.");
            case Rejection.BookedAhead(int ahead, int runs, var share) ->
                new Problem(
                        ProblemCode.NO_SLOT,
                        "The cluster allows a share of at most %s of its runs to be booked ahead, and %d of %d runs are booked ahead already. Ask for an immediate start, choose another cluster, or try again later."
                                .formatted(share.toPlainString(), ahead, runs));
            case Rejection.TooFewOccurrences(int granted, int atLeast, var first) -> {
                var why = problem(first, sent);
                yield new Problem(
                        why.code(),
                        "%d of the occurrences can be booked, but at least %d must be. Accept fewer (onConflict, atLeast), or change the days or the time. The first occurrence that cannot be booked: %s"
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
                        "There is room, but the reservation would delay the batch jobs too much: the availability is %.3f at best, and must be %s. Leave the start open, or loosen the window."
                                .formatted(
                                        Math.floor(availability * 1000) / 1000,
                                        least.signum() == 0 ? "above 0" : "at least " + least.toPlainString()));
            case Rejection.OverBudget(var price, var budget) ->
                new Problem(
                        ProblemCode.OVER_BUDGET,
                        "The first slot that fits costs %s, but the budget is %s. Raise the budget, or allow a later start."
                                .formatted(price, budget));
            case Rejection.WrongState(var state) -> wrongState(state.name());
            case Rejection.NotLive(var id) ->
                new Problem(ProblemCode.WRONG_STATE, "Reservation %s has ended; read it to see how.".formatted(id));
            case Rejection.ProposalOpen(int number, long expiresAt) ->
                new Problem(
                        ProblemCode.WRONG_STATE,
                        "Proposal %d is open until the owner answers it or it expires at %s. Propose again after that."
                                .formatted(number, Texts.instant(expiresAt)));
            case Rejection.ProposalOver(int number) ->
                new Problem(
                        ProblemCode.WRONG_STATE,
                        "Proposal %d has been answered or withdrawn, or has expired. List the renegotiations to see the current agreement."
                                .formatted(number));
            case Rejection.OutageOver(var id) ->
                new Problem(ProblemCode.WRONG_STATE, "Outage %s has ended; its PEs are back in service.".formatted(id));
            case Rejection.InUse(var field) ->
                new Problem(
                        ProblemCode.WRONG_STATE,
                        "Close the cluster and wait until nothing is reserved; to change its binding, also end its outages. Or"
                                + " leave the field as it is.",
                        List.of(new FieldError(field, sent.value(field), "cannot change while the cluster is in use")));
            case Rejection.NotAtRest activity -> notAtRest(activity, 0, 0);
            case Rejection.JobNotLive(var id) ->
                new Problem(ProblemCode.WRONG_STATE, "Job %s has ended: it neither waits nor runs.".formatted(id));
            case Rejection.WrongJobState(var state) ->
                new Problem(ProblemCode.WRONG_STATE, "The job is %s, which does not allow this.".formatted(state));
            case Rejection.OtherSource(var source) ->
                new Problem(
                        ProblemCode.WRONG_STATE,
                        switch (source) {
                            case OUTSIDE ->
                                "An outside batch system manages the jobs of this cluster. Submit, end and cancel"
                                        + " jobs there.";
                            case BERTH ->
                                "Berth manages the queue of this cluster. To let an outside batch system manage it, set"
                                        + " policy.jobs to OUTSIDE after Berth's jobs have ended or been cancelled.";
                        });
            case Rejection.StaleVersion(int present) -> EntityTag.stale(present);
        };
    }

    /**
     * Returns the reservation or request after an action.
     *
     * @throws Problem if the action was not carried out
     */
    static ReservationOrRequest done(ActionOutcome acted) {
        return switch (acted) {
            case ActionOutcome.Done(var after) -> after;
            case ActionOutcome.WrongState(var state) -> throw wrongState(state);
            case ActionOutcome.NotDone(var answer) -> throw refused(answer, RequestFields.nothing());
            case ActionOutcome.RefusedThere(var problem) -> throw refusedByPeer(problem);
            case ActionOutcome.Silent(var after, var why) -> throw unconfirmed(after, why);
        };
    }

    /** Returns the problem that another Berth reported, with its code and detail. */
    private static Problem refusedByPeer(JsonNode problem) {
        var word = problem.path("code").asString("");
        var code = Arrays.stream(ProblemCode.values())
                .filter(each -> each.word().equals(word))
                .filter(each -> each != ProblemCode.UNAUTHORIZED && each != ProblemCode.FORBIDDEN)
                .findAny()
                .orElse(ProblemCode.UNAVAILABLE);
        return new Problem(
                code,
                "The other Berth rejected the request: "
                        + Texts.shown(problem.path("detail").asString("it gave no reason.")));
    }

    /** Returns the problem of an action that another Berth may not have received. */
    private static Problem unconfirmed(Mirror mirror, String why) {
        var then = mirror.owed() == Mirror.Owed.CANCELLATION
                ? "Berth keeps the cancellation and sends it again until the other Berth confirms it."
                : "It is not known whether the other Berth received the request. Read the reservation before you try again.";
        return new Problem(
                ProblemCode.UNAVAILABLE, "The request went to the other Berth, but %s. %s".formatted(why, then));
    }

    /**
     * Returns the problem of a cluster that cannot be retired yet.
     *
     * @param series the number of series with occurrences to book
     * @param maintenances the number of maintenances with windows to record
     */
    public static Problem notAtRest(Rejection.NotAtRest activity, int series, int maintenances) {
        var rest = Stream.of(
                        counted(activity.reservations(), "live reservation", "live reservations"),
                        counted(activity.requests(), "waiting request", "waiting requests"),
                        counted(activity.jobs(), "batch job", "batch jobs"),
                        counted(activity.outages(), "announced outage", "announced outages"),
                        counted(series, "series", "series"),
                        counted(maintenances, "maintenance", "maintenances"))
                .flatMap(Optional::stream)
                .collect(Collectors.joining(", "));
        return new Problem(
                ProblemCode.WRONG_STATE,
                "The cluster still has %s. Set its admission to CLOSED, and retire it when they have ended or you have cancelled them."
                        .formatted(rest),
                List.of(new FieldError("admission", "RETIRED", "is not possible yet")));
    }

    private static Optional<String> counted(int count, String one, String many) {
        return count == 0 ? Optional.empty() : Optional.of("%d %s".formatted(count, count == 1 ? one : many));
    }

    public static Problem wrongState(String state) {
        return new Problem(
                ProblemCode.WRONG_STATE,
                "The reservation is %s, which does not allow this; read it to see what has happened.".formatted(state));
    }

    private static String sides(Stream<Side> sides) {
        return sides.map(side -> switch (side) {
                    case CLUSTER -> "an approver of the cluster";
                    case PROJECT -> "an owner of the project";
                    case POLICY -> "an approver of the cluster, by the site's policy";
                })
                .collect(Collectors.joining(" and "));
    }

    private static FieldError error(Violation violation, RequestFields sent) {
        return new FieldError(sent.path(violation.field()), sent.value(violation.field()), violation.message());
    }
}
