package berth.booking.web;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import berth.booking.policy.PolicyHook.Verdict;
import berth.http.Problem;
import berth.http.ProblemCode;
import berth.http.RequestFields;
import berth.reservation.ClusterId;
import berth.reservation.RefusalCode;
import berth.scheduling.Rejection;
import berth.sla.Violation;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

class RefusalsTest {

    @ParameterizedTest
    @EnumSource
    void aProblemHasTheCodeOfTheRecordedRefusal(RefusalCode code) {
        assertThat(ProblemCode.valueOf(code.name()).word()).isEqualTo(code.word());
    }

    @ParameterizedTest
    @MethodSource
    void aRequestThatThePolicyDoesNotAllowIsAProblem(Verdict verdict, ProblemCode code, String detail) {
        assertThatThrownBy(() -> Refusals.allowed(verdict))
                .isInstanceOfSatisfying(
                        Problem.class, problem -> assertThat(problem.code()).isEqualTo(code))
                .hasMessageContaining(detail);
    }

    static Stream<Arguments> aRequestThatThePolicyDoesNotAllowIsAProblem() {
        return Stream.of(
                Arguments.of(
                        new Verdict.Denied("Sign the usage policy first."),
                        ProblemCode.FORBIDDEN,
                        ": Sign the usage policy first."),
                Arguments.of(new Verdict.Unanswered("status 500"), ProblemCode.UNAVAILABLE, "does not respond"),
                Arguments.of(new Verdict.Busy(), ProblemCode.TOO_MANY_REQUESTS, "busy"));
    }

    @Test
    void aRejectionByAllClustersNamesTheBoundsOfTheNearestThree() {
        var reasons = new HashMap<ClusterId, Rejection>();
        for (int i = 10; i < 40; i++) {
            reasons.put(new ClusterId("small-" + i), tooSmall(i));
            reasons.put(
                    new ClusterId("other-" + i),
                    new Rejection.NeverFits(new Violation("requires", "the cluster does not carry gpu=a100")));
        }
        reasons.put(
                new ClusterId("short"),
                new Rejection.InvalidTerms(List.of(new Violation("duration", "takes 30 s", 1.5))));

        var problem = Refusals.nowhere(reasons, RequestFields.nothing());

        assertThat(problem.errors())
                .extracting(Problem.FieldError::message)
                .containsExactly(
                        "on short: takes 30 s", "on small-39: exceeds the 39 PEs", "on small-38: exceeds the 38 PEs");
        assertThat(problem)
                .hasMessage(
                        "No cluster could ever hold this. Ask for less: the errors name the limits of the nearest 3 clusters; 58 more are further from it.");
    }

    @Test
    void aRejectionByAFewClustersNamesTheBoundsOfEach() {
        var problem = Refusals.nowhere(
                Map.of(new ClusterId("a"), tooSmall(4), new ClusterId("b"), tooSmall(8)), RequestFields.nothing());

        assertThat(problem.errors())
                .extracting(Problem.FieldError::message)
                .containsExactly("on b: exceeds the 8 PEs", "on a: exceeds the 4 PEs");
        assertThat(problem).hasMessageEndingWith("the errors name the limit of each cluster.");
    }

    /** Returns the rejection of a request for 100 PEs. */
    private static Rejection tooSmall(int pes) {
        return new Rejection.NeverFits(new Violation("pes", "exceeds the %d PEs".formatted(pes), 100.0 / pes));
    }
}
