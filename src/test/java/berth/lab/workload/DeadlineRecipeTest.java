package berth.lab.workload;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import org.junit.jupiter.api.Test;

class DeadlineRecipeTest {
    private static final LublinFeitelson MODEL = LublinFeitelson.connectionMachine(7);
    private static final int MANY = 20_000;

    @Test
    void snapsRunTimesToTheNearestByRatio() {
        assertThat(List.of(1L, 134L, 135L, 1_272L, 1_273L, 6_235L, 6_236L, 162_754L).stream()
                        .map(DeadlineRecipe::snapped))
                .containsExactly(60L, 60L, 300L, 900L, 1800L, 3600L, 10_800L, 10_800L);
        assertThat(new DeadlineRecipe(MODEL, 1, 3, 3).requests(1, MANY))
                .extracting(ReservationRequest::duration)
                .containsOnly(60L, 300L, 900L, 1800L, 3600L, 10_800L);
    }

    @Test
    void spreadsReadyTimesAndDeadlinesUniformlyUpToTheirFactors() {
        List<ReservationRequest> requests = new DeadlineRecipe(MODEL, 1, 2, 4).requests(7, MANY);
        List<Double> leads = requests.stream()
                .map(each -> (each.readyTime() - each.submit()) / (double) each.duration())
                .toList();
        List<Double> slacks = requests.stream()
                .map(each -> (each.deadline() - each.readyTime()) / (double) each.duration() - 1)
                .toList();

        // the dropped fractions of a second cost a run of a minute up to a sixtieth of it
        assertThat(leads).allSatisfy(lead -> assertThat(lead).isBetween(0.0, 2.0));
        assertThat(mean(leads)).isCloseTo(1, within(0.02));
        assertThat(slacks).allSatisfy(slack -> assertThat(slack).isBetween(0.0, 4.0));
        assertThat(mean(slacks)).isCloseTo(2, within(0.04));
    }

    private static double mean(List<Double> values) {
        return values.stream().mapToDouble(Double::doubleValue).average().orElseThrow();
    }

    @Test
    void makesDeadlinesImmediateAtAFactorOfZero() {
        assertThat(new DeadlineRecipe(MODEL, 1, 0, 0).requests(1, 1000)).allSatisfy(each -> {
            assertThat(each.readyTime()).isEqualTo(each.submit());
            assertThat(each.deadline()).isEqualTo(each.readyTime() + each.duration());
        });
    }

    @Test
    void dividesTheTimesOfSubmissionByTheArrivalFactor() {
        List<ReservationRequest> once = new DeadlineRecipe(MODEL, 1, 3, 3).requests(1, 1000);
        List<ReservationRequest> twice = new DeadlineRecipe(MODEL, 2, 3, 3).requests(1, 1000);
        for (int i = 0; i < once.size(); i++) {
            assertThat((double) twice.get(i).submit()).isCloseTo(once.get(i).submit() / 2.0, within(1.0));
            assertThat(twice.get(i).duration()).isEqualTo(once.get(i).duration());
            assertThat(twice.get(i).pes()).isEqualTo(once.get(i).pes());
        }
    }

    @Test
    void drawsTheSameJobsForAllFactors() {
        List<ReservationRequest> rigid = new DeadlineRecipe(MODEL, 1, 1, 1).requests(3, 1000);
        List<ReservationRequest> loose = new DeadlineRecipe(MODEL, 1, 5, 5).requests(3, 1000);
        for (int i = 0; i < rigid.size(); i++) {
            assertThat(loose.get(i).submit()).isEqualTo(rigid.get(i).submit());
            assertThat(loose.get(i).duration()).isEqualTo(rigid.get(i).duration());
            assertThat(loose.get(i).deadline())
                    .isGreaterThanOrEqualTo(rigid.get(i).deadline());
        }
    }

    @Test
    void offersTheLoadThatTheMeanGapIsMadeFor() {
        double gap = DeadlineRecipe.meanArea(MODEL) / (1024 * 0.8);
        List<ReservationRequest> requests = new DeadlineRecipe(MODEL.withMeanGap(gap), 1, 3, 3).requests(11, 20 * MANY);
        double area = requests.stream().mapToDouble(ReservationRequest::area).sum();

        // gaps are so uneven that even the sum of 400,000 of them varies by some percent
        assertThat(area / (1024.0 * requests.getLast().submit())).isCloseTo(0.8, within(0.04));
    }

    @Test
    void refusesFactorsOutOfRange() {
        assertThatThrownBy(() -> new DeadlineRecipe(MODEL, 0, 1, 1)).hasMessageContaining("(0.0)");
        assertThatThrownBy(() -> new DeadlineRecipe(MODEL, 1, -1, 1)).hasMessageContaining("-1.0");
    }
}
