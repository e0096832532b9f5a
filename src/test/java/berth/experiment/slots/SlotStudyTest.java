package berth.experiment.slots;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import berth.cluster.Binding;
import berth.experiment.Curves;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class SlotStudyTest {
    private static final SlotStudy SMALL = new SlotStudy(1, 2, 40, 0.8, Binding.EARLY);

    @Test
    void writesTheSameTablesWithOneThreadAndWithTwo() {
        SlotResults one = SMALL.results(1, () -> {});
        SlotResults two = SMALL.results(2, () -> {});

        assertThat(two.runs().lines()).isEqualTo(one.runs().lines());
        assertThat(two.means().lines()).isEqualTo(one.means().lines());
        assertThat(two.claims()).isEqualTo(one.claims());
    }

    @Test
    void runsEverySettingOnceThoughTheDefaultBelongsToThreeSweeps() {
        assertThat(SMALL.runs()).hasSize(13 * 7 * 2).doesNotHaveDuplicates();

        var done = new AtomicInteger();
        SlotResults results = SMALL.results(2, done::incrementAndGet);
        assertThat(done).hasValue(13 * 7 * 2);
        assertThat(results.runs().lines()).hasSize(1 + 13 * 7 * 2);
        assertThat(results.means().lines()).hasSize(1 + 3 * 5 * 7 * 2);
        assertThat(List.of(Sweep.values()))
                .allSatisfy(sweep -> assertThat(sweep.settings()).contains(Setting.DEFAULT));
    }

    @Test
    void givesEveryPolicyTheSameRequests() {
        SlotResults results = SMALL.results(2, () -> {});

        for (SlotRun run : SMALL.runs()) {
            var firstFits = new SlotRun(run.setting(), SlotPolicy.FF, run.repetition());
            assertThat(results.of(run).offeredLoad())
                    .isEqualTo(results.of(firstFits).offeredLoad());
        }
    }

    /** The paper's main results, with a generous bar for a small seeded study. */
    @Test
    void acceptsMostByTheMostFreePesAndByTheShortestRectangleAndStartsSoonestByFirstFit() {
        SlotResults results = new SlotStudy(1, 2, 500, 0.8, Binding.EARLY).results(2, () -> {});
        Curves<SlotPolicy> accepted = results.curves(Sweep.SIZES, Measure.ACCEPTANCE);
        Curves<SlotPolicy> waited = results.curves(Sweep.SIZES, Measure.SLOWDOWN);

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
        // 1024 PEs at 80 % have 819.2 PE-seconds a second to give
        assertThat(SMALL.meanGap()).isCloseTo(717.5, within(7.0));
        assertThat(new SlotStudy(1, 2, 100, 0.4, Binding.EARLY).meanGap()).isCloseTo(2 * SMALL.meanGap(), within(1e-6));
    }

    @Test
    void drawsEachRepetitionFromASeedOfItsOwn() {
        assertThat(SMALL.seedOf(1)).isNotEqualTo(SMALL.seedOf(2));
        assertThat(new SlotStudy(1, 9, 5, 0.5, Binding.LATE).seedOf(2)).isEqualTo(SMALL.seedOf(2));
        assertThat(new SlotStudy(2, 2, 100, 0.8, Binding.EARLY).seedOf(1)).isNotEqualTo(SMALL.seedOf(1));
    }
}
