package berth.lab.workload;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import berth.lab.workload.AdaptiveRequestRecipe.Deadline;
import berth.outcome.Outcome;
import berth.sla.Preemption;
import berth.sla.ServiceClass;
import berth.sla.Shape;
import java.math.BigDecimal;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class AdaptiveRequestRecipeTest {
    private static final long THREE_DAYS = 3 * 86_400;

    @Test
    void givesAFifthOfTheRequestsTheHighPriceAndTheShortDeadline() {
        var made = requests(new AdaptiveRequestRecipe(128, 1, true, 0.6), 10_000, 100, 4);

        var premium = made.stream()
                .filter(one -> one.serviceClass() == ServiceClass.PREMIUM)
                .toList();
        assertThat(premium.size() / 10_000.0).isCloseTo(0.2, within(0.015));
        assertThat(premium)
                .allSatisfy(one -> assertThat(one.request().deadline()).isEqualTo(7 + 500));
        assertThat(made)
                .filteredOn(one -> one.serviceClass() == ServiceClass.STANDARD)
                .allSatisfy(one -> assertThat(one.request().deadline()).isEqualTo(7 + 500 + THREE_DAYS));
        assertThat(made).allSatisfy(one -> assertThat(one.request().readyTime()).isEqualTo(7));
    }

    @Test
    void countsTheDeadlineFromTheEndOfTheRunInThatReading() {
        var recipe = new AdaptiveRequestRecipe(128, 1, true, 0.6, Deadline.FIVE_AFTER_THE_RUN);

        assertThat(requests(recipe, 1_000, 100, 4))
                .extracting(one -> one.request().deadline())
                .containsOnly(7 + 600L, 7 + 600 + THREE_DAYS);
    }

    @Test
    void moldsJobsOfMoreThanTenPesDownToFourFifths() {
        var eleven =
                requests(new AdaptiveRequestRecipe(128, 1, true, 0), 1, 900, 11).getFirst();

        // R^min = ceil(8.8) = 9, T^max = 900 * 11 / 9 = 1100
        assertThat(eleven.moldability().orElseThrow().shapes(900))
                .containsExactly(new Shape(11, 900), new Shape(10, 1000), new Shape(9, 1100));
        assertThat(requests(new AdaptiveRequestRecipe(128, 1, true, 0), 1, 900, 10)
                        .getFirst()
                        .moldability())
                .isEmpty();
        assertThat(requests(new AdaptiveRequestRecipe(128, 1, false, 0), 1, 900, 11)
                        .getFirst()
                        .moldability())
                .isEmpty();
    }

    @Test
    void splitsTheShareOfTheRequestsThatRunForAnHourOrLonger() {
        var some = requests(new AdaptiveRequestRecipe(128, 1, false, 0.2), 10_000, 3600, 4);
        var more = requests(new AdaptiveRequestRecipe(128, 1, false, 0.6), 10_000, 3600, 4);

        assertThat(share(some)).isCloseTo(0.2, within(0.015));
        assertThat(share(more)).isCloseTo(0.6, within(0.015));
        assertThat(IntStream.range(0, 10_000).filter(i -> maySplit(some.get(i)) && !maySplit(more.get(i))))
                .isEmpty();
        assertThat(more)
                .extracting(AdaptiveRequest::preemption)
                .contains(Optional.of(new Preemption(OptionalInt.of(10), new BigDecimal("0.1"), true)));
        assertThat(share(requests(new AdaptiveRequestRecipe(128, 1, false, 1), 1000, 3599, 4)))
                .isZero();
    }

    @Test
    void drawsTheSameClassesFromTheSameSeedForEveryType() {
        var rigid = requests(new AdaptiveRequestRecipe(128, 3, false, 0), 1000, 3600, 20);
        var both = requests(new AdaptiveRequestRecipe(128, 3, true, 0.6), 1000, 3600, 20);

        assertThat(both)
                .extracting(AdaptiveRequest::request)
                .isEqualTo(rigid.stream().map(AdaptiveRequest::request).toList());
        assertThat(requests(new AdaptiveRequestRecipe(128, 4, false, 0), 1000, 3600, 20))
                .isNotEqualTo(rigid);
    }

    @Test
    void leavesOutJobsThatAreShortHaveNoPesOrAreTooLarge() {
        var draws = new AdaptiveRequestRecipe(128, 1, true, 0.2).draws();

        assertThat(draws.requestOf(job(59, 4))).isEqualTo(new Outcome.NotDone<>(SkipReason.SHORT));
        assertThat(draws.requestOf(job(60, 0))).isEqualTo(new Outcome.NotDone<>(SkipReason.NO_PES));
        assertThat(draws.requestOf(job(60, 129))).isEqualTo(new Outcome.NotDone<>(SkipReason.TOO_LARGE));
        assertThatThrownBy(() -> new AdaptiveRequestRecipe(128, 1, true, 1.5))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("1.5");
    }

    private static List<AdaptiveRequest> requests(AdaptiveRequestRecipe recipe, int count, long runTime, long pes) {
        var draws = recipe.draws();
        return IntStream.range(0, count)
                .mapToObj(i -> ((Outcome.Done<AdaptiveRequest, ?>) draws.requestOf(job(runTime, pes))).value())
                .toList();
    }

    private static double share(List<AdaptiveRequest> requests) {
        return (double) requests.stream()
                        .filter(AdaptiveRequestRecipeTest::maySplit)
                        .count()
                / requests.size();
    }

    private static boolean maySplit(AdaptiveRequest request) {
        return request.preemption().isPresent();
    }

    private static SwfJob job(long runTime, long pes) {
        return new SwfJob(1, 7, runTime, pes, pes, runTime, 1);
    }
}
