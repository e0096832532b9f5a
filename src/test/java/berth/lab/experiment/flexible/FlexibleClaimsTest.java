package berth.lab.experiment.flexible;

import static berth.cluster.ReplanOrder.EARLIEST_DEADLINE_FIRST;
import static berth.lab.experiment.Verdict.NOT_CHECKABLE;
import static berth.lab.experiment.Verdict.NOT_REPRODUCED;
import static berth.lab.experiment.Verdict.PARTLY;
import static berth.lab.experiment.Verdict.REPRODUCED;
import static org.assertj.core.api.Assertions.assertThat;

import berth.cluster.ReplanOrder;
import berth.lab.experiment.PaperClaim;
import berth.lab.experiment.Sample;
import berth.lab.experiment.Verdict;
import java.util.List;
import java.util.Optional;
import java.util.function.ToDoubleFunction;
import org.junit.jupiter.api.Test;

/** Judges utilisations of the paper's shape, made by hand, and utilisations that deviate from it. */
class FlexibleClaimsTest {
    private ToDoubleFunction<Scenario> used = FlexibleClaimsTest::asInThePaper;
    private ToDoubleFunction<Scenario> phi =
            scenario -> 0.9 * scenario.suggested().percent();
    private int windows = 3;

    private static double asInThePaper(Scenario scenario) {
        double level = scenario.load() == 1 ? 46.8 : scenario.load() == 1.25 ? 50.9 : 54.7;
        double flexible = scenario.interval().percent() / 25.0;
        double order =
                scenario.interval() == Interval.FIXED ? 0 : scenario.order().ordinal() / 10.0;
        double overestimated = scenario.runTimes() == RunTimes.OVERESTIMATED ? flexible / 2 - 5 : 0;
        double fixed = (scenario.fixedAt().ordinal() - 4) / 10.0;
        double suggested = scenario.suggested().percent() / 50.0;
        double best = scenario.order() == EARLIEST_DEADLINE_FIRST && flexible > 0 ? 0.5 : 0;
        return level + flexible + order + best + overestimated + fixed + suggested;
    }

    @Test
    void reproducesEveryClaimFromFiguresOfThePapersShape() {
        assertThat(claims()).extracting(PaperClaim::verdict).containsOnly(REPRODUCED);
        assertThat(claims())
                .extracting(PaperClaim::id)
                .containsExactly("000-C1", "000-C2", "000-C3", "000-C4", "000-C5", "000-C6", "000-C7", "000-C8");
    }

    @Test
    void saysTheFiguresOfEachClaimInShort() {
        assertThat(claims())
                .extracting(PaperClaim::ours)
                .containsExactly(
                        "EDF 0.80 to 0.80 points above Shuffle",
                        "EDF > LFF > BJF > Shuffle > FIFO at all 9 points",
                        "46.8, 50.9, 54.7 %",
                        "long above fixed: +4.9, +4.9, +4.9 points",
                        "mean gain 4.40, 4.40, 4.40 points, with exact run times 3.23, 3.23, 3.23",
                        "75 % of the wait 0.30 to 0.30 points above acceptance",
                        "alternatives 0.50 to 2.00 points above none, flexible intervals 1.90 to 4.90",
                        "mean |φ| 0.90 to 0.90 of the threshold");
        assertThat(claim("000-C3").paper()).isEqualTo("46.8, 50.9, 54.7 %");
        assertThat(claims().stream().filter(claim -> claim.inquiry().isPresent()))
                .extracting(PaperClaim::id)
                .containsExactly("000-C3", "000-C5", "000-C7", "000-C8");
    }

    @Test
    void reproducesNothingButTheRankingFromFiguresThatGoTheOtherWay() {
        used = scenario -> 100 - asInThePaper(scenario);
        phi = scenario -> 0.7 * scenario.suggested().percent();

        assertThat(claims().stream().filter(claim -> claim.verdict() != NOT_REPRODUCED))
                .extracting(PaperClaim::id)
                .containsExactly("000-C2");
    }

    @Test
    void missesARankingThatTurnsWithTheLoad() {
        used = scenario -> scenario.load() == 1.5 && scenario.order() == ReplanOrder.FIFO
                ? asInThePaper(scenario) + 3
                : asInThePaper(scenario);

        assertThat(verdict("000-C1")).isEqualTo(PARTLY);
        assertThat(verdict("000-C2")).isEqualTo(NOT_REPRODUCED);
    }

    @Test
    void missesAUtilisationOutsideThePapersInterval() {
        used = scenario -> asInThePaper(scenario) + 3.4;

        assertThat(verdict("000-C3")).isEqualTo(PARTLY);
        assertThat(claim("000-C3").failing())
                .singleElement()
                .satisfies(check -> assertThat(check.figures()).isEqualTo("50.200"));
    }

    @Test
    void missesAlternativesThatDoAsWellAsFlexibility() {
        used = scenario -> asInThePaper(scenario) + scenario.suggested().percent() / 25.0;

        assertThat(verdict("000-C7")).isEqualTo(PARTLY);
    }

    @Test
    void missesAlternativesThatNobodyTook() {
        phi = scenario -> Double.NaN;

        assertThat(claim("000-C8").failing())
                .hasSize(9)
                .allSatisfy(check -> assertThat(check.figures()).isEqualTo("none was taken"));
    }

    @Test
    void checksNothingOnASingleWindow() {
        windows = 1;

        assertThat(claims()).extracting(PaperClaim::verdict).containsOnly(NOT_CHECKABLE);
    }

    private Verdict verdict(String id) {
        return claim(id).verdict();
    }

    private PaperClaim claim(String id) {
        return claims().stream()
                .filter(claim -> claim.id().equals(id))
                .findAny()
                .orElseThrow();
    }

    private List<PaperClaim> claims() {
        return FlexibleClaims.of(
                new FlexibleEvidence(
                        scenario -> sample(used.applyAsDouble(scenario)),
                        scenario -> Optional.of(phi.applyAsDouble(scenario))
                                .filter(Double::isFinite)
                                .map(this::sample),
                        windows),
                List.of(Experiment.values()));
    }

    /** Returns a sample in which windows differ, but equally in every scenario. */
    private Sample sample(double mean) {
        return new Sample(List.of(mean - 0.1, mean, mean + 0.1).subList(0, windows));
    }
}
