package berth.experiment.whatif;

import static org.assertj.core.api.Assertions.assertThat;

import berth.cluster.AvailabilityMethod;
import berth.workload.BatchLog;
import org.junit.jupiter.api.Test;

class WhatIfStudyTest {
    private static final WhatIfStudy SMALL = new WhatIfStudy(BatchLog.modelled(1, 60), 1, 2, 1);

    @Test
    void writesTheSameTablesWithOneThreadAndWithTwo() {
        WhatIfResults one = SMALL.results(1, () -> {});
        WhatIfResults two = SMALL.results(2, () -> {});

        assertThat(two.runs().lines()).isEqualTo(one.runs().lines());
        assertThat(two.delays().lines()).isEqualTo(one.delays().lines());
        assertThat(two.paperFigures()).isEqualTo(one.paperFigures());
        assertThat(two.claims()).isEqualTo(one.claims());
    }

    @Test
    void runsEverySettingOfThePaperAndWhatItLeavesOpen() {
        // both methods, 36 settings and 6 of small jobs; slots for both methods, weights for one
        assertThat(SMALL.runs()).hasSize(2 * 2 * (36 + 6) + 36 * (2 * 2 + 2)).doesNotHaveDuplicates();
        assertThat(new WhatIfStudy(BatchLog.modelled(1, 60), 1, 3, 0).runs()).hasSize(3 * 2 * 42);
        assertThat(Setting.tight(AvailabilityMethod.LOAD, Variant.STANDARD)).hasSize(6);
    }

    @Test
    void makesRequestsOfTheSameJobsInEverySettingOfARepetition() {
        var one = SMALL.workload(new WhatIfRun(Setting.of(AvailabilityMethod.LOAD, 0, 0), 1));
        var other = SMALL.workload(new WhatIfRun(Setting.of(AvailabilityMethod.WHAT_IF, 24, 30), 1));
        var next = SMALL.workload(new WhatIfRun(Setting.of(AvailabilityMethod.LOAD, 0, 0), 2));

        assertThat(other.jobs()).isEqualTo(one.jobs()).isNotEqualTo(next.jobs());
        assertThat(other.requests().getFirst().readyTime())
                .isEqualTo(one.requests().getFirst().readyTime() + 24 * 3600);
    }

    @Test
    void observesEverySlotWithOneThreadAsWithTwo() {
        var study = new CalibrationStudy(BatchLog.modelled(1, 60), 1, 2);
        var results = study.results(1, () -> {});

        assertThat(study.results(2, () -> {}).slots().lines())
                .isEqualTo(results.slots().lines())
                .hasSizeGreaterThan(20);
        assertThat(results.report().figures())
                .isEqualTo(study.results(2, () -> {}).report().figures());
    }
}
