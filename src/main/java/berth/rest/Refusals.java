package berth.rest;

import berth.desk.Answer;
import berth.reservation.Reservation;
import berth.rest.Problem.FieldError;
import berth.scheduling.Rejection;
import berth.sla.Violation;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/** What a desk answered, as the contract says it. */
final class Refusals {

    private Refusals() {}

    /**
     * The reservation, if the command was granted.
     *
     * @param sent the value that was sent in a field, by the field's name in the core
     * @throws Problem if it was not
     */
    static Reservation granted(Answer answer, Function<String, SentField> sent) {
        return switch (answer) {
            case Answer.Done done -> done.reservation();
            case Answer.Refused(var reason) -> throw problem(reason, sent);
            case Answer.KeyReused() ->
                throw new Problem(
                        ProblemCode.KEY_REUSED,
                        "Use a new Idempotency-Key for a new request, and the old one only to repeat the old request.");
            case Answer.NotDecided(var why) ->
                throw new Problem(ProblemCode.UNAVAILABLE, "Nothing has changed. " + why);
            case Answer.OutcomeUnknown(var why) ->
                throw new Problem(
                        ProblemCode.UNAVAILABLE,
                        why
                                + " Whether this is recorded is not known yet: repeat the request with the same"
                                + " Idempotency-Key, or look for the reservation, before trying anything else.");
        };
    }

    /** A field as the client knows it. */
    record SentField(String path, Optional<Object> value) {

        /** For calls without a body. */
        static SentField none(String field) {
            return new SentField(field, Optional.empty());
        }
    }

    static Problem problem(Rejection reason, Function<String, SentField> sent) {
        return switch (reason) {
            case Rejection.InvalidTerms(var violations) ->
                new Problem(
                        ProblemCode.INVALID_TERMS,
                        "Correct the fields named in errors and send the request again.",
                        violations.stream()
                                .map(violation -> error(violation, sent))
                                .toList());
            case Rejection.NeverFits(int asked, int pes) ->
                new Problem(
                        ProblemCode.NEVER_FITS,
                        "Ask for at most %d PEs, or choose a larger cluster.".formatted(pes),
                        List.of(new FieldError(
                                sent.apply("pes").path(), asked, "exceeds the cluster's %d PEs".formatted(pes))));
            case Rejection.NoSlot() ->
                new Problem(
                        ProblemCode.NO_SLOT,
                        "Loosen the window, shorten the run or ask for fewer PEs; a probe shows what would fit.");
            case Rejection.OverBudget(var price, var budget) ->
                new Problem(
                        ProblemCode.OVER_BUDGET,
                        "The first slot that fits costs %s, the budget is %s. Raise the budget, or allow a later start."
                                .formatted(price, budget));
            case Rejection.WrongState(var state) -> wrongState(state.name());
            case Rejection.NotLive(var id) ->
                new Problem(ProblemCode.WRONG_STATE, "Reservation %s has ended; read it to see how.".formatted(id));
        };
    }

    static Problem wrongState(String state) {
        return new Problem(
                ProblemCode.WRONG_STATE,
                "The reservation is %s, which does not allow this; read it to see what has happened.".formatted(state));
    }

    private static FieldError error(Violation violation, Function<String, SentField> sent) {
        var field = sent.apply(violation.field());
        return new FieldError(field.path(), field.value().orElse(null), violation.message());
    }
}
