package berth.lab.workload;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import berth.lab.workload.AdvanceReservationRecipe.ZeroLateness;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class AdvanceReservationRecipeTest {
    private static final int MANY = 100_000;

    @Test
    void endsARigidRequestAWholeNumberOfRunTimesAfterItsSubmission() {
        for (ReservationRequest request : requests(new AdvanceReservationRecipe(128, 1, 0, 50), MANY)) {
            assertThat((request.deadline() - request.submit()) % request.duration())
                    .isZero();
            assertThat(request.deadline() - request.readyTime()).isEqualTo(request.duration());
            assertThat(request.readyTime()).isGreaterThanOrEqualTo(request.submit());
        }
    }

    @Test
    void drawsTheDeadlineFromAPoissonDistributionWithoutZero() {
        double mean = 5 / (1 - Math.exp(-5));
        double variance = mean * (1 + 5 - mean);
        List<Double> lateness = requests(new AdvanceReservationRecipe(128, 7, 0, 50), MANY).stream()
                .map(request -> (double) (request.deadline() - request.submit()) / request.duration())
                .toList();
        assertThat(mean(lateness)).isCloseTo(mean, within(0.03));
        assertThat(variance(lateness)).isCloseTo(variance, within(0.1));
        assertThat(lateness).contains(1.0).doesNotContain(0.0);
    }

    @Test
    void startsAtOnceInsteadOfBeforeTheRequestWhereZeroIsNotDrawnAgain() {
        var recipe = new AdvanceReservationRecipe(128, 7, 0, 50, ZeroLateness.STARTS_AT_ONCE);
        List<Double> lateness = requests(recipe, MANY).stream()
                .map(request -> (double) (request.deadline() - request.submit()) / request.duration())
                .toList();
        double atOnce = lateness.stream().filter(p -> p == 1).count();

        assertThat(lateness).allMatch(p -> p >= 1);
        assertThat(atOnce / MANY).isCloseTo(6 * Math.exp(-5), within(0.003));
        assertThat(mean(lateness)).isCloseTo(5 + Math.exp(-5), within(0.03));
    }

    @Test
    void extendsTheDeadlineOfTheFlexibleShareByAPoissonDistribution() {
        List<Double> percents = requests(new AdvanceReservationRecipe(128, 7, 0.5, 50), MANY).stream()
                .map(AdvanceReservationRecipeTest::slackPercent)
                .filter(percent -> percent > 0)
                .toList();
        assertThat(percents.size() / (double) MANY).isCloseTo(0.5, within(0.01));
        assertThat(mean(percents)).isCloseTo(50, within(0.3));
        assertThat(variance(percents)).isCloseTo(50, within(2.0));
    }

    @Test
    void drawsTheSameFromTheSameSeed() {
        var recipe = new AdvanceReservationRecipe(128, 42, 0.5, 50);
        assertThat(requests(recipe, 1_000)).isEqualTo(requests(recipe, 1_000));
        assertThat(requests(recipe, 1_000))
                .isNotEqualTo(requests(new AdvanceReservationRecipe(128, 43, 0.5, 50), 1_000));
    }

    @Test
    void leavesReadyTimesAloneWhenFlexibilityChanges() {
        List<ReservationRequest> rigid = requests(new AdvanceReservationRecipe(128, 3, 0, 50), 1_000);
        List<ReservationRequest> some = requests(new AdvanceReservationRecipe(128, 3, 0.3, 50), 1_000);
        List<ReservationRequest> all = requests(new AdvanceReservationRecipe(128, 3, 1, 50), 1_000);
        for (int i = 0; i < rigid.size(); i++) {
            assertThat(some.get(i).readyTime()).isEqualTo(rigid.get(i).readyTime());
            assertThat(some.get(i).deadline())
                    .isIn(rigid.get(i).deadline(), all.get(i).deadline());
        }
    }

    @Test
    void extendsNothingAtAFlexibilityOfZero() {
        assertThat(requests(new AdvanceReservationRecipe(128, 3, 1, 0), 1_000))
                .isEqualTo(requests(new AdvanceReservationRecipe(128, 3, 0, 50), 1_000));
    }

    @Test
    void leavesOutJobsThatCannotBeReserved() {
        var draws = new AdvanceReservationRecipe(128, 1, 0, 50).draws();
        assertThat(draws.requestOf(job(59, 1))).isEqualTo(SkipReason.SHORT);
        assertThat(draws.requestOf(job(-1, 1))).isEqualTo(SkipReason.SHORT);
        assertThat(draws.requestOf(job(60, 0))).isEqualTo(SkipReason.NO_PES);
        assertThat(draws.requestOf(job(60, -1))).isEqualTo(SkipReason.NO_PES);
        assertThat(draws.requestOf(job(60, 129))).isEqualTo(SkipReason.TOO_LARGE);
        assertThat(draws.requestOf(job(60, 128))).isInstanceOf(ReservationRequest.class);
    }

    @Test
    void refusesSettingsOutOfRange() {
        assertThatThrownBy(() -> new AdvanceReservationRecipe(0, 1, 0, 50)).hasMessageContaining("(0)");
        assertThatThrownBy(() -> new AdvanceReservationRecipe(1, 1, 1.5, 50)).hasMessageContaining("1.5");
        assertThatThrownBy(() -> new AdvanceReservationRecipe(1, 1, Double.NaN, 50))
                .hasMessageContaining("NaN");
        assertThatThrownBy(() -> new AdvanceReservationRecipe(1, 1, 0, -1)).hasMessageContaining("-1");
    }

    @Test
    void shiftsEveryTimeAndNothingElse() {
        assertThat(new ReservationRequest(1, 10, 20, 90, 60, 4).shiftedBy(1_000))
                .isEqualTo(new ReservationRequest(1, 1_010, 1_020, 1_090, 60, 4));
    }

    private static List<ReservationRequest> requests(AdvanceReservationRecipe recipe, int count) {
        var draws = recipe.draws();
        List<ReservationRequest> requests = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            RecipeResult drawn = draws.requestOf(new SwfJob(i, 100L * i, 600, 4, 4, -1, 1));
            requests.add((ReservationRequest) drawn);
        }
        return requests;
    }

    private static SwfJob job(long runTime, long pes) {
        return new SwfJob(1, 0, runTime, -1, pes, -1, 1);
    }

    private static double slackPercent(ReservationRequest request) {
        long slack = request.deadline() - request.readyTime() - request.duration();
        return 100.0 * slack / request.duration();
    }

    private static double mean(List<Double> values) {
        return values.stream().mapToDouble(Double::doubleValue).average().orElseThrow();
    }

    private static double variance(List<Double> values) {
        double mean = mean(values);
        return values.stream()
                .mapToDouble(value -> (value - mean) * (value - mean))
                .average()
                .orElseThrow();
    }
}
