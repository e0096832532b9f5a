package berth.availability;

import static org.assertj.core.api.Assertions.assertThat;

import berth.Seeds;
import berth.availability.Load.Booked;
import berth.time.Slot;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Checks that the workloads are as described, and that every structure gives the same answers under them. */
class LoadTest {

    private static final long SEED = 1;

    @Test
    void aSpreadLoadUsesSeventyPercentOfThePes() {
        var booked = SteadyState.of(Load.SPREAD, 10_000, new Structure.Profile(), SEED)
                .booked();
        long[] starts =
                booked.stream().mapToLong(one -> one.slot().start()).sorted().toArray();

        assertThat(utilisation(booked, new Slot(starts[1000], starts[9000]))).isBetween(0.67, 0.73);
    }

    @Test
    void aBacklogIsPacked() {
        var booked = SteadyState.of(Load.BACKLOG, 10_000, new Structure.Profile(), SEED)
                .booked();
        long from = booked.stream().mapToLong(one -> one.slot().start()).min().orElseThrow();
        long to = booked.stream().mapToLong(one -> one.slot().end()).max().orElseThrow();

        assertThat(utilisation(booked, new Slot(from, to))).isGreaterThan(0.97);
    }

    private static double utilisation(List<Booked> booked, Slot slot) {
        double area = 0;
        for (var one : booked) {
            long from = Math.max(slot.start(), one.slot().start());
            long to = Math.min(slot.end(), one.slot().end());
            area += (double) one.pes() * Math.max(0, to - from);
        }
        return area / ((double) Load.PES * slot.duration());
    }

    @ParameterizedTest
    @EnumSource
    void theProfileMatchesATreeMap(Load load) {
        answerAlike(load, 1000, Seeds.of(100_000), new Structure.Profile(), new Structure.Tree());
    }

    @ParameterizedTest
    @EnumSource
    void theCalendarMatchesTheListOfThePaper(Load load) {
        answerAlike(load, 30, Seeds.of(100_000), new Structure.Calendar(), new Structure.PaperList());
    }

    private static void answerAlike(Load load, int live, int answers, Structure one, Structure other) {
        var first = SteadyState.of(load, live, one, SEED);
        var second = SteadyState.of(load, live, other, SEED);
        for (int i = 0; i < answers; i++) {
            assertThat(second.step()).as("answer %d", i).isEqualTo(first.step());
        }
    }
}
