package berth.lab.experiment.slots;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import berth.cluster.Binding;
import berth.lab.experiment.Curves;
import berth.lab.experiment.Extent;
import berth.lab.experiment.Figured;
import berth.lab.experiment.Paper;
import berth.lab.experiment.PaperFigure;
import java.util.List;
import org.junit.jupiter.api.Test;

class SlotStudyTest {
    private static final SlotStudy SMALL = study(1, 2, 40, 0.8);

    private static SlotStudy study(long seed, int repetitions, int jobs, double load) {
        return SlotStudy.of("004", seed, repetitions, jobs, SlotRecipe.of(load, Binding.EARLY));
    }

    private static SlotResults results(SlotStudy study, int threads) {
        return new SlotResults(study, Figured.of(study, threads));
    }

    @Test
    void writesTheSameTablesWithOneThreadAndWithTwo() {
        SlotResults one = results(SMALL, 1);
        SlotResults two = results(SMALL, 2);

        assertThat(two.runs().lines()).isEqualTo(one.runs().lines());
        assertThat(two.paperFigures()).isEqualTo(one.paperFigures());
        assertThat(two.claims()).isEqualTo(one.claims());
    }

    @Test
    void runsEverySettingOnceThoughTheDefaultBelongsToThreeSweeps() {
        assertThat(SMALL.runs()).hasSize(13 * 7 * 2).doesNotHaveDuplicates();

        SlotResults results = results(SMALL, 2);
        assertThat(results.runs().lines()).hasSize(1 + 13 * 7 * 2);
        assertThat(results.paperFigures())
                .extracting(PaperFigure::name)
                .containsExactly(
                        "acceptance-sizes",
                        "slowdown-sizes",
                        "acceptance-arrivals",
                        "slowdown-arrivals",
                        "acceptance-flexibility",
                        "slowdown-flexibility");
        assertThat(List.of(SlotSweep.values()))
                .allSatisfy(sweep ->
                        assertThat(sweep.settings(Pairs.EQUAL)).contains(new SlotSetting(7, 1, new Pair(3, 3))));
    }

    @Test
    void givesEveryPolicyTheSameRequests() {
        SlotResults results = results(SMALL, 2);

        for (SlotRun run : SMALL.runs()) {
            var firstFits = new SlotRun(run.setting(), SlotPolicy.FF, run.repetition());
            assertThat(results.of(run).offeredLoad())
                    .isEqualTo(results.of(firstFits).offeredLoad());
        }
    }

    /** Checks the paper's main results, with a generous tolerance for a small seeded study. */
    @Test
    void acceptsMostByTheMostFreePesAndByTheShortestRectangleAndStartsSoonestByFirstFit() {
        SlotResults results = results(study(1, 2, 500, 0.8), 2);
        Curves<SlotPolicy> accepted = results.curves(SlotSweep.SIZES, SlotMeasure.ACCEPTANCE);
        Curves<SlotPolicy> waited = results.curves(SlotSweep.SIZES, SlotMeasure.SLOWDOWN);

        for (int i = 0; i < accepted.points().size(); i++) {
            for (SlotPolicy best : List.of(SlotPolicy.PE_W, SlotPolicy.DU_B)) {
                for (SlotPolicy other : List.of(SlotPolicy.FF, SlotPolicy.PE_B, SlotPolicy.DU_W)) {
                    assertThat(accepted.at(best, i).mean())
                            .isGreaterThan(accepted.at(other, i).mean() + 1);
                }
            }
            for (SlotPolicy policy : SlotPolicy.values()) {
                assertThat(waited.at(SlotPolicy.FF, i).mean())
                        .isLessThanOrEqualTo(waited.at(policy, i).mean());
            }
        }
    }

    @Test
    void setsTheGapBetweenJobsByTheLoad() {
        // 1024 PEs at 80 % provide 819.2 PE-seconds per second
        assertThat(SMALL.meanGap()).isCloseTo(717.5, within(7.0));
        assertThat(study(1, 2, 100, 0.4).meanGap()).isCloseTo(2 * SMALL.meanGap(), within(1e-6));
    }

    @Test
    void drawsEachRepetitionFromASeedOfItsOwn() {
        assertThat(SMALL.seedOf(1)).isNotEqualTo(SMALL.seedOf(2));
        assertThat(study(1, 9, 5, 0.5).seedOf(2)).isEqualTo(SMALL.seedOf(2));
        assertThat(study(2, 2, 100, 0.8).seedOf(1)).isNotEqualTo(SMALL.seedOf(1));
    }

    @Test
    void variesOneReadingAtATime() {
        Paper paper = SlotPaper.of(Extent.QUICK, 1);

        assertThat(paper.variations().stream()
                        .map(variation -> variation.study().name()))
                .doesNotHaveDuplicates()
                .allMatch(name -> name.startsWith("004-"));
        assertThat(paper.variations().stream().map(variation -> ((SlotStudy) variation.study()).recipe()))
                .as("all but the longer one differ from the main study")
                .doesNotHaveDuplicates()
                .filteredOn(recipe -> recipe.equals(SlotRecipe.of(0.8, Binding.EARLY)))
                .hasSize(1);
    }

    @Test
    void readsThePairsInOtherWays() {
        assertThat(SlotSweep.FLEXIBILITY.settings(Pairs.ARTIME))
                .extracting(SlotSetting::pair)
                .containsExactly(new Pair(1, 3), new Pair(2, 3), new Pair(3, 3), new Pair(4, 3), new Pair(5, 3));
        assertThat(SlotSweep.SIZES.settings(Pairs.FROM_NONE))
                .extracting(SlotSetting::pair)
                .containsOnly(new Pair(2, 2));
        assertThat(SlotSweep.FLEXIBILITY.settings(Pairs.DEADLINE_AT_THE_FOURTH))
                .extracting(SlotSetting::pair)
                .containsExactly(new Pair(1, 1), new Pair(2, 2), new Pair(3, 3), new Pair(3, 4), new Pair(4, 4));
        assertThat(new Pair(0.5, 0.5).text()).isEqualTo("0.5");
        assertThat(new Pair(1, 3).text()).isEqualTo("1|3");
    }

    /** With the authors' slope, more jobs with many PEs run long. */
    @Test
    void drawsOtherJobsUnderAnotherReadingOfTheModel() {
        SlotRecipe recipe = SlotRecipe.of(0.8, Binding.EARLY);
        double usual = SlotStudy.of("004", 1, 2, 40, recipe).meanGap();

        assertThat(SlotStudy.of("004", 1, 2, 40, recipe.withLowShare(0.7)).meanGap())
                .as("larger jobs come less often")
                .isGreaterThan(usual * 1.2);
        assertThat(SlotStudy.of("004", 1, 2, 40, recipe.with(ModelRunTimes.UNSCALED))
                        .meanGap())
                .as("longer jobs come less often")
                .isGreaterThan(usual * 1.2);
    }
}
