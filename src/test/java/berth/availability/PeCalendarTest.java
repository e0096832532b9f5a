package berth.availability;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import berth.time.Slot;
import berth.time.Window;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PeCalendarTest {

    /** The example of paper 004, figure 1: two running jobs and a reserved one, with our own figures. */
    @Nested
    class TheExampleOfThePaper {

        private static final Allocation JOB_1 = allocation(0, 40, "0-3");
        private static final Allocation JOB_2 = allocation(0, 20, "4-5");
        private static final Allocation JOB_3 = allocation(100, 140, "0-4");
        private static final Demand REQUEST = new Demand(new Window(30, 105), 30, 4, 0);

        private final PeCalendar calendar =
                PeCalendar.of(9).addAllocation(JOB_1).addAllocation(JOB_2).addAllocation(JOB_3);

        @Test
        void hasARecordWhereverThePEsChange() {
            assertThat(calendar.records())
                    .isEqualTo(Map.of(
                            0L, PeSet.parse("0-5"),
                            20L, PeSet.parse("0-3"),
                            40L, PeSet.NONE,
                            100L, PeSet.parse("0-4"),
                            140L, PeSet.NONE));
        }

        @Test
        void hasFourCandidates() {
            assertThat(calendar.rectangles(REQUEST, 9))
                    .containsExactly(
                            new Rectangle(30, 5, 20, 100),
                            new Rectangle(40, 9, 40, 100),
                            new Rectangle(70, 9, 40, 100),
                            new Rectangle(75, 4, 20, Long.MAX_VALUE));
        }

        @ParameterizedTest
        @CsvSource({
            "FIRST_FIT, 30, 4-7",
            "PE_BEST_FIT, 75, 5-8",
            "PE_WORST_FIT, 40, 0-3",
            "DURATION_BEST_FIT, 40, 0-3",
            "DURATION_WORST_FIT, 75, 5-8",
            "PE_DURATION_BEST_FIT, 75, 5-8",
            "PE_DURATION_WORST_FIT, 40, 0-3",
        })
        void eachPolicyChoosesOne(PlacementPolicy policy, long start, String pes) {
            assertThat(calendar.findAllocation(REQUEST, 9, policy)).contains(allocation(start, start + 30, pes));
        }

        @Test
        void cleansRedundantRecords() {
            var found = calendar.findAllocation(REQUEST, 9, PlacementPolicy.PE_WORST_FIT)
                    .orElseThrow();

            var added = calendar.addAllocation(found);
            assertThat(added.records())
                    .as("the record of 40 says what that of 20 does")
                    .isEqualTo(Map.of(
                            0L, PeSet.parse("0-5"),
                            20L, PeSet.parse("0-3"),
                            70L, PeSet.NONE,
                            100L, PeSet.parse("0-4"),
                            140L, PeSet.NONE));

            assertThat(added.deleteAllocation(JOB_2).records())
                    .as("job 2 has finished: the record of 20 says what that of 0 does")
                    .isEqualTo(Map.of(
                            0L, PeSet.parse("0-3"), 70L, PeSet.NONE, 100L, PeSet.parse("0-4"), 140L, PeSet.NONE));
        }
    }

    @Test
    void nothingIsFreeBeforeThePresent() {
        var calendar = PeCalendar.of(2);
        assertThat(calendar.rectangles(new Demand(new Window(10, 20), 10, 1, 7), 2))
                .containsExactly(new Rectangle(10, 2, 7, Long.MAX_VALUE));
        var busy = calendar.addAllocation(allocation(0, 8, "0"));
        assertThat(busy.rectangles(new Demand(new Window(10, 20), 10, 1, 7), 2))
                .containsExactly(new Rectangle(10, 2, 8, Long.MAX_VALUE));
        assertThat(busy.rectangles(new Demand(new Window(10, 20), 10, 1, 9), 2))
                .containsExactly(new Rectangle(10, 2, 9, Long.MAX_VALUE));
    }

    @Test
    void aRunMayTouchItsNeighbours() {
        var calendar = PeCalendar.of(1).addAllocation(allocation(0, 10, "0")).addAllocation(allocation(20, 30, "0"));
        assertThat(find(calendar, new Window(0, 30), 10, 1)).isEqualTo(allocation(10, 20, "0"));
        assertThat(calendar.findAllocation(demand(new Window(0, 30), 11, 1), 1, PlacementPolicy.FIRST_FIT))
                .isEmpty();
        assertThat(calendar.addAllocation(allocation(10, 20, "0")))
                .isEqualTo(PeCalendar.of(1).addAllocation(allocation(0, 30, "0")));
    }

    @Test
    void onlyPesThatAreFreeThroughoutTheSlotFit() {
        var calendar = PeCalendar.of(2).addAllocation(allocation(0, 10, "0")).addAllocation(allocation(10, 20, "1"));
        assertThat(calendar.freeThroughout(new Slot(0, 20))).isEqualTo(PeSet.NONE);
        assertThat(calendar.freeThroughout(new Slot(0, 10))).isEqualTo(PeSet.of(1));
        assertThat(calendar.freeThroughout(new Slot(10, 11))).isEqualTo(PeSet.of(0));
        assertThat(find(calendar, new Window(5, 100), 10, 1)).isEqualTo(allocation(10, 20, "0"));
    }

    @Test
    void findsPlacesOnlyAmongTheLowestPes() {
        var calendar = PeCalendar.of(4).addAllocation(allocation(0, 10, "0-1"));
        var demand = demand(new Window(0, 12), 2, 2);
        assertThat(calendar.findAllocation(demand, 4, PlacementPolicy.FIRST_FIT))
                .contains(allocation(0, 2, "2-3"));
        assertThat(calendar.findAllocation(demand, 3, PlacementPolicy.FIRST_FIT))
                .contains(allocation(10, 12, "0-1"));
        assertThat(calendar.fitStarts(demand, 3, 9)).containsExactly(10);
        assertThat(calendar.rectangles(demand, 3)).containsExactly(new Rectangle(10, 3, 10, Long.MAX_VALUE));
        assertThat(calendar.findAllocation(demand, 1, PlacementPolicy.FIRST_FIT))
                .isEmpty();
        assertThat(calendar.findAllocation(demand, 1, PlacementPolicy.PE_WORST_FIT))
                .isEmpty();
        assertThat(calendar.findAllocation(demand, 0, PlacementPolicy.FIRST_FIT))
                .isEmpty();
    }

    @Test
    void ignoresPesThatTheClusterDoesNotHave() {
        var demand = demand(new Window(0, 12), 2, 2);
        var calendar = PeCalendar.of(4);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> calendar.rectangles(demand, 5))
                .withMessage("The PEs to search (5) must lie between 0 and the 4 PEs of the calendar.");
        assertThatIllegalArgumentException().isThrownBy(() -> calendar.fitStarts(demand, -1, 1));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> calendar.findAllocation(demand, 5, PlacementPolicy.FIRST_FIT));
    }

    @Test
    void returnsAsManyStartsAsRequested() {
        var calendar = PeCalendar.of(2);
        for (int i = 0; i < 50; i++) {
            calendar = calendar.addAllocation(allocation(10 * i + 5, 10 * i + 10, "0"));
        }
        var demand = demand(new Window(0, 500), 5, 2);
        assertThat(calendar.fitStarts(demand, 2, 0)).isEmpty();
        assertThat(calendar.fitStarts(demand, 2, 3)).containsExactly(0, 10, 20);
        assertThat(calendar.fitStarts(demand, 2, 49)).hasSize(49);
        assertThat(calendar.fitStarts(demand, 2, Integer.MAX_VALUE)).hasSize(50).endsWith(490);
        var all = calendar;
        assertThatIllegalArgumentException()
                .isThrownBy(() -> all.fitStarts(demand, 2, -1))
                .withMessage("The limit (-1) must not be negative.");
    }

    @Test
    void nothingFitsAWindowThatIsTooShort() {
        var calendar = PeCalendar.of(1);
        for (var window : List.of(new Window(0, 4), new Window(Long.MIN_VALUE, Long.MIN_VALUE + 4))) {
            var demand = new Demand(window, 5, 1, window.readyTime());
            assertThat(calendar.rectangles(demand, 1)).isEmpty();
            assertThat(calendar.fitStarts(demand, 1, 1)).isEmpty();
            assertThat(calendar.findAllocation(demand, 1, PlacementPolicy.FIRST_FIT))
                    .isEmpty();
        }
    }

    @Test
    void refusesToAllocatePesThatAreBusy() {
        var calendar = PeCalendar.of(70).addAllocation(allocation(10, 20, "5,66"));
        for (var taken : List.of(
                allocation(0, 11, "66"),
                allocation(19, 30, "4-5"),
                allocation(10, 20, "0-69"),
                allocation(12, 13, "5"),
                allocation(0, 100, "66"))) {
            assertThatIllegalStateException().isThrownBy(() -> calendar.addAllocation(taken));
        }
        assertThatIllegalStateException()
                .isThrownBy(() -> calendar.addAllocation(allocation(0, 100, "4-5")))
                .withMessage("Some of the PEs 4-5 are already busy at 10 or soon after, in [0, 100).");
        assertThatIllegalStateException()
                .isThrownBy(() -> calendar.addAllocation(allocation(0, 1, "70")))
                .withMessage("The PEs 70 are not all in the calendar, which has 70 PEs, numbered from 0.");
        assertThat(calendar).isEqualTo(PeCalendar.of(70).addAllocation(allocation(10, 20, "5,66")));
    }

    @Test
    void refusesToFreePesThatAreFree() {
        var calendar = PeCalendar.of(70).addAllocation(allocation(10, 20, "5,66"));
        for (var freed : List.of(
                allocation(9, 20, "5"),
                allocation(10, 21, "5,66"),
                allocation(12, 13, "5-6"),
                allocation(30, 31, "66"),
                allocation(10, 20, "66,70"))) {
            assertThatIllegalStateException().isThrownBy(() -> calendar.deleteAllocation(freed));
        }
        assertThatIllegalStateException()
                .isThrownBy(() -> calendar.deleteAllocation(allocation(10, 30, "5")))
                .withMessage("Some of the PEs 5 are already free at 20 or soon after, in [10, 30).");
        assertThat(calendar).isEqualTo(PeCalendar.of(70).addAllocation(allocation(10, 20, "5,66")));
    }

    @Test
    void refusesAmongManyRecordsAsAmongFew() {
        var few = PeCalendar.of(100);
        for (int i = 0; i < 300; i++) {
            few = few.addAllocation(allocation(10 * i, 10 * i + 5, Integer.toString(i % 50)));
        }
        var calendar = few;
        assertThat(calendar.checkInvariants()).isGreaterThan(1);
        assertThatIllegalStateException().isThrownBy(() -> calendar.addAllocation(allocation(1, 2999, "49")));
        assertThatIllegalStateException().isThrownBy(() -> calendar.deleteAllocation(allocation(1, 2999, "49")));

        var long60 = allocation(1, 2999, "60");
        var busy = calendar.addAllocation(long60);
        assertThat(busy.freeThroughout(new Slot(0, 3000))).isEqualTo(PeSet.parse("50-59,61-99"));
        assertThatIllegalStateException().isThrownBy(() -> busy.addAllocation(long60));
        assertThatIllegalStateException().isThrownBy(() -> busy.deleteAllocation(allocation(1, 2999, "60-61")));
        assertThatIllegalStateException().isThrownBy(() -> calendar.deleteAllocation(long60));
        busy.checkInvariants();
        assertThat(busy.deleteAllocation(long60)).isEqualTo(calendar);
    }

    @Test
    void aPartOfAnAllocationMayBeFreed() {
        var calendar = PeCalendar.of(8).addAllocation(allocation(10, 20, "2-5"));
        assertThat(calendar.deleteAllocation(allocation(12, 15, "3-4")).records())
                .isEqualTo(Map.of(
                        10L, PeSet.parse("2-5"),
                        12L, PeSet.parse("2,5"),
                        15L, PeSet.parse("2-5"),
                        20L, PeSet.NONE));
    }

    @Test
    void anAllocationWithoutPesChangesNothing() {
        var calendar = PeCalendar.of(8).addAllocation(allocation(10, 20, "2-5"));
        assertThat(calendar.addAllocation(allocation(12, 15, ""))).isSameAs(calendar);
        assertThat(calendar.deleteAllocation(allocation(0, 15, ""))).isSameAs(calendar);
    }

    @Test
    void aClusterHasPEs() {
        assertThat(PeCalendar.of(1).pes()).isEqualTo(1);
        assertThat(PeCalendar.of(100_000).freeThroughout(new Slot(0, 1))).isEqualTo(PeSet.range(0, 100_000));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> PeCalendar.of(0))
                .withMessage("The number of PEs (0) must be positive.");
    }

    @Test
    void coversAllTime() {
        var always = allocation(Long.MIN_VALUE, Long.MAX_VALUE, "1");
        var calendar = PeCalendar.of(2).addAllocation(always);
        assertThat(calendar.records()).isEqualTo(Map.of(Long.MIN_VALUE, PeSet.of(1), Long.MAX_VALUE, PeSet.NONE));
        assertThat(calendar.freeThroughout(new Slot(Long.MIN_VALUE, 0))).isEqualTo(PeSet.of(0));
        assertThat(calendar.deleteAllocation(always)).isEqualTo(PeCalendar.of(2));
        assertThat(calendar.rectangles(new Demand(new Window(Long.MIN_VALUE, 0), 10, 1, Long.MIN_VALUE), 2))
                .containsExactly(
                        new Rectangle(Long.MIN_VALUE, 1, Long.MIN_VALUE, Long.MAX_VALUE),
                        new Rectangle(-10, 1, Long.MIN_VALUE, Long.MAX_VALUE));
    }

    @Test
    void calendarsWithTheSameAllocationsAreEqual() {
        var random = new Random(3);
        var some = new ArrayList<Allocation>();
        var calendar = PeCalendar.of(100);
        for (int i = 0; i < 400; i++) {
            var demand =
                    demand(new Window(random.nextInt(1000), 5000), 1 + random.nextInt(100), 1 + random.nextInt(40));
            var found = calendar.findAllocation(demand, 100, PlacementPolicy.values()[i % 7]);
            some.add(found.orElseThrow());
            calendar = calendar.addAllocation(found.orElseThrow());
        }
        var last = some.getLast();
        assertThat(calendar.checkInvariants()).isGreaterThan(1);
        for (int i = 0; i < 3; i++) {
            Collections.shuffle(some, random);
            var other = PeCalendar.of(100);
            for (var allocation : some) {
                other = other.addAllocation(allocation);
            }
            assertThat(other).isEqualTo(calendar).hasSameHashCodeAs(calendar).hasToString(calendar.toString());
        }
        var without = calendar.deleteAllocation(last);
        assertThat(without).isNotEqualTo(calendar).doesNotHaveSameHashCodeAs(calendar);
        assertThat(without.addAllocation(last)).isEqualTo(calendar);
    }

    @Test
    void calendarsDifferInPEsTimesAndSize() {
        var calendar = PeCalendar.of(4).addAllocation(allocation(1, 5, "2"));
        assertThat(calendar)
                .isNotEqualTo(PeCalendar.of(4))
                .isNotEqualTo(PeCalendar.of(4).addAllocation(allocation(1, 5, "3")))
                .isNotEqualTo(PeCalendar.of(4).addAllocation(allocation(1, 6, "2")))
                .isNotEqualTo(PeCalendar.of(5).addAllocation(allocation(1, 5, "2")))
                .isNotEqualTo("calendar")
                .hasToString("PeCalendar[4 PEs, 3 points]");
        assertThat(PeCalendar.of(4)).isNotEqualTo(PeCalendar.of(5)).doesNotHaveSameHashCodeAs(PeCalendar.of(5));
    }

    @Test
    void growsToSeveralLevelsAndShrinksBackToOnePoint() {
        var random = new Random(5);
        var calendar = PeCalendar.of(1000);
        var live = new ArrayList<Allocation>();
        for (int i = 0; i < 2500; i++) {
            var window = new Window(random.nextInt(100_000), 1_000_000);
            var found = find(calendar, window, 1 + random.nextInt(3000), 1 + random.nextInt(60));
            calendar = calendar.addAllocation(found);
            live.add(found);
        }
        assertThat(calendar.checkInvariants()).isEqualTo(3);
        while (!live.isEmpty()) {
            calendar = calendar.deleteAllocation(live.remove(random.nextInt(live.size())));
            if (live.size() % 100 == 0) {
                calendar.checkInvariants();
            }
        }
        assertThat(calendar).isEqualTo(PeCalendar.of(1000)).hasToString("PeCalendar[1000 PEs, 1 points]");
        assertThat(calendar.checkInvariants()).isEqualTo(1);
    }

    @Test
    void olderVersionsDoNotChange() {
        var random = new Random(7);
        var versions = new ArrayList<PeCalendar>();
        var recordsThen = new ArrayList<Map<Long, PeSet>>();
        var live = new ArrayList<Allocation>();
        var calendar = PeCalendar.of(130);
        for (int i = 0; i < 600; i++) {
            versions.add(calendar);
            recordsThen.add(calendar.records());
            if (random.nextInt(3) == 0 && !live.isEmpty()) {
                calendar = calendar.deleteAllocation(live.remove(random.nextInt(live.size())));
            } else {
                var window = new Window(random.nextInt(2000), 100_000);
                var found = find(calendar, window, 1 + random.nextInt(900), 1 + random.nextInt(30));
                calendar = calendar.addAllocation(found);
                live.add(found);
            }
        }
        for (int i = 0; i < versions.size(); i++) {
            versions.get(i).checkInvariants();
            assertThat(versions.get(i).records()).isEqualTo(recordsThen.get(i));
        }
    }

    private static Allocation find(PeCalendar calendar, Window window, long duration, int pes) {
        return calendar.findAllocation(demand(window, duration, pes), calendar.pes(), PlacementPolicy.FIRST_FIT)
                .orElseThrow();
    }

    private static Demand demand(Window window, long duration, int pes) {
        return new Demand(window, duration, pes, window.readyTime());
    }

    private static Allocation allocation(long start, long end, String pes) {
        return new Allocation(new Slot(start, end), PeSet.parse(pes));
    }
}
