package berth.contract;

import berth.approval.Approval.Ask;
import berth.booking.web.ClusterLookup;
import berth.booking.web.Refusals;
import berth.budget.BudgetUnit;
import berth.budget.Funds.Shortage;
import berth.http.BodyLimit;
import berth.http.EntityTag;
import berth.http.Problem;
import berth.http.ProblemCode;
import berth.http.ProblemHandler;
import berth.http.RequestFields;
import berth.reservation.ClusterId;
import berth.scheduling.Rejection;
import berth.service.Preconditions;
import berth.service.RestConfiguration;
import berth.sla.Money;
import berth.sla.Violation;
import java.math.BigDecimal;
import java.util.Currency;
import java.util.List;
import java.util.Map;

/** An example problem for every code, for the OpenAPI document. */
public final class ProblemExamples {

    private static final Object REQUEST = Map.of("terms", Map.of("duration", "PT2H", "pes", 256));

    private ProblemExamples() {}

    public static Problem of(ProblemCode code) {
        return switch (code) {
            case MALFORMED ->
                Problem.field(
                        code,
                        "terms.duration",
                        "2 hours",
                        "must be an ISO 8601 duration in days, hours, minutes and seconds, such as PT1H30M");
            case UNAUTHORIZED -> RestConfiguration.UNAUTHORIZED;
            case FORBIDDEN -> Preconditions.FORBIDDEN;
            case LIMIT_EXCEEDED ->
                refused(new Rejection.LimitExceeded(
                        new Violation("limits.pes", "allows 64 PEs at a time; this would make it 96")));
            case BUDGET_EXCEEDED ->
                refused(new Rejection.BudgetExceeded(new Shortage(
                        "climate", BudgetUnit.of("USD"), new BigDecimal("12.50"), new BigDecimal("64.00"))));
            case NOT_FOUND -> Problem.notFound("reservation", "01987e4c-2f6b-7a51-9c3e-5d0f8a7b6c21");
            case METHOD_NOT_ALLOWED -> new Problem(code, "Use one of [GET, POST].");
            case NOT_ACCEPTABLE -> ProblemHandler.notAcceptable(List.of());
            case UNSUPPORTED_MEDIA_TYPE -> ProblemHandler.UNSUPPORTED_MEDIA_TYPE;
            case NO_SLOT -> refused(new Rejection.NoSlot());
            case OVER_BUDGET -> refused(new Rejection.OverBudget(dollars("64.00"), dollars("50.00")));
            case NEEDS_APPROVAL ->
                refused(new Rejection.NeedsApproval(List.of(Ask.ofPolicy("More than a tenth of the cluster"))));
            case WRONG_STATE -> Refusals.wrongState("CANCELLED");
            case EXISTS -> Problem.field(code, "id", "demo", "is taken");
            case ELSEWHERE -> ClusterLookup.elsewhere(new ClusterId("partner"));
            case STALE_VERSION -> EntityTag.stale(4);
            case TOO_LARGE -> BodyLimit.problem(BodyLimit.MAX);
            case INVALID_TERMS ->
                refused(new Rejection.InvalidTerms(List.of(new Violation(
                        "duration",
                        "is longer than the time from ready time to deadline; shorten it or loosen the deadline"))));
            case NEVER_FITS -> refused(new Rejection.NeverFits(new Violation("pes", "exceeds the cluster's 128 PEs")));
            case KEY_REUSED ->
                new Problem(
                        code,
                        "Use a new Idempotency-Key for a new request, and the old one only to repeat the old request.");
            case TOO_MANY_REQUESTS ->
                ProblemHandler.tooMany("This account has 64 slow requests waiting; send them one after the other.");
            case UNAVAILABLE -> new Problem(code, "The service is starting; try again in a moment.");
            case INTERNAL -> ProblemHandler.INTERNAL;
        };
    }

    private static Problem refused(Rejection reason) {
        return Refusals.problem(reason, RequestFields.terms(REQUEST));
    }

    private static Money dollars(String amount) {
        return new Money(new BigDecimal(amount), Currency.getInstance("USD"));
    }
}
