package berth.lab.experiment.whatif;

import static org.assertj.core.api.Assertions.assertThat;

import berth.cluster.AvailabilityMethod;
import berth.lab.experiment.Figured;
import berth.lab.experiment.Paper;
import berth.lab.experiment.Paper.Variation;
import berth.lab.workload.BatchLog;
import berth.lab.workload.BatchLog.Soundness;
import berth.lab.workload.MixedWorkload.Refused;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class WhatIfStudyTest {
    private static final BatchLog LOG = BatchLog.modelled(1, 60);
    private static final WhatIfStudy SMALL = new WhatIfStudy("001", LOG, 1, 2, SlotRules.AS_READ, Refused.GONE);

    @Test
    void writesTheSameTablesWithOneThreadAndWithTwo() {
        WhatIfResults one = new WhatIfResults(SMALL, Figured.of(SMALL, 1));
        WhatIfResults two = new WhatIfResults(SMALL, Figured.of(SMALL, 2));

        assertThat(two.runs().lines()).isEqualTo(one.runs().lines()).hasSize(1 + 2 * 2 * 42);
        assertThat(two.delays().lines()).isEqualTo(one.delays().lines()).hasSizeGreaterThan(5);
        assertThat(two.paperFigures()).isEqualTo(one.paperFigures());
        assertThat(two.findings().claims()).isEqualTo(one.findings().claims());
        assertThat(two.findings().readings())
                .isEqualTo(one.findings().readings())
                .hasSize(3);
    }

    @Test
    void runsEverySettingOfThePaper() {
        // both methods, 36 settings and 6 of small jobs
        assertThat(SMALL.runs()).hasSize(2 * 2 * (36 + 6)).doesNotHaveDuplicates();
        assertThat(WhatIfSetting.tight(AvailabilityMethod.LOAD, Variant.STANDARD))
                .hasSize(6);
    }

    @Test
    void makesRequestsOfTheSameJobsInEverySettingOfARepetition() {
        var one = SMALL.workload(new WhatIfRun(WhatIfSetting.of(AvailabilityMethod.LOAD, 0, 0), 1));
        var other = SMALL.workload(new WhatIfRun(WhatIfSetting.of(AvailabilityMethod.WHAT_IF, 24, 30), 1));
        var next = SMALL.workload(new WhatIfRun(WhatIfSetting.of(AvailabilityMethod.LOAD, 0, 0), 2));

        assertThat(other.jobs()).isEqualTo(one.jobs()).isNotEqualTo(next.jobs());
        assertThat(other.requests().getFirst().readyTime())
                .isEqualTo(one.requests().getFirst().readyTime() + 24 * 3600);
    }

    @Test
    void observesEverySlotWithOneThreadAsWithTwo() {
        var study = new CalibrationStudy(LOG, 1, 2);
        var one = new CalibrationResults(study, Figured.of(study, 1)).findings();
        var two = new CalibrationResults(study, Figured.of(study, 2)).findings();

        assertThat(two.runs().lines()).isEqualTo(one.runs().lines()).hasSizeGreaterThan(20);
        assertThat(two.figures()).isEqualTo(one.figures());
        assertThat(one.claims()).isEmpty();
    }

    @Test
    void variesTheReadingsOfThePaperAndShowsTheCalibration() {
        Paper alone = WhatIfPaper.of(new QueueJobs(LOG, Optional.empty(), Map.of()), 20, 1);
        Paper paper = WhatIfPaper.of(
                new QueueJobs(
                        LOG,
                        Optional.of(BatchLog.modelled(2, 60)),
                        Map.of(
                                Soundness.IN_TIME, BatchLog.modelled(3, 60),
                                Soundness.COMPLETED, BatchLog.modelled(4, 60))),
                20,
                1);

        assertThat(paper.variations())
                .extracting(variation -> variation.study().name())
                .containsExactly(
                        "001-few-slots",
                        "001-many-slots",
                        "001-makespan",
                        "001-completion",
                        "001-threshold",
                        "001-exact-estimates",
                        "001-refused-queued",
                        "001-eight-days",
                        "001-in-time",
                        "001-completed",
                        "001-completed-eight-days",
                        "001-later-jobs",
                        "001-more-choices",
                        "001-calibration");
        assertThat(paper.variations()).extracting(Variation::study).doesNotHaveDuplicates();
        assertThat(alone.variations())
                .extracting(variation -> variation.study().name())
                .contains("001-eight-days")
                .doesNotContain("001-later-jobs", "001-in-time", "001-completed", "001-completed-eight-days");
        assertThat(paper.variations().getFirst().study().runs()).hasSize(10 * 2 * 42);
    }
}
