package berth.booking;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.OptionalLong;
import java.util.Random;
import java.util.function.LongFunction;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class CommonStartTest {

    /** Returns a part that can begin at these seconds. */
    private static LongFunction<OptionalLong> part(BitSet starts) {
        return time -> {
            int next = starts.nextSetBit((int) time);
            return next < 0 ? OptionalLong.empty() : OptionalLong.of(next);
        };
    }

    private static BitSet starts(int... seconds) {
        var starts = new BitSet();
        for (int second : seconds) {
            starts.set(second);
        }
        return starts;
    }

    @Test
    void isTheFirstStartThatAllPartsHave() {
        var parts = List.of(part(starts(1, 4, 7, 9)), part(starts(2, 4, 9)), part(starts(0, 7, 9)));

        assertThat(CommonStart.find(0, parts)).hasValue(9);
        assertThat(CommonStart.find(0, parts.subList(0, 2))).hasValue(4);
        assertThat(CommonStart.find(5, parts.subList(0, 2))).hasValue(9);
    }

    @Test
    void isEmptyIfPartsNeverMeet() {
        assertThat(CommonStart.find(0, List.of(part(starts(1, 3)), part(starts(2, 4)))))
                .isEmpty();
        assertThat(CommonStart.find(0, List.of(part(starts(1)), part(starts()))))
                .isEmpty();
    }

    @Test
    void givesUpIfPartsDelayEachOtherForever() {
        LongFunction<OptionalLong> even = time -> OptionalLong.of(time + time % 2);
        LongFunction<OptionalLong> odd = time -> OptionalLong.of(time + (time + 1) % 2);

        assertThat(CommonStart.find(0, List.of(even, odd))).isEmpty();
    }

    @Test
    void matchesATrialOfEverySecond() {
        var random = new Random(20260916);
        for (int round = 0; round < 500; round++) {
            var starts = new ArrayList<BitSet>();
            for (int part = 0; part < 2 + random.nextInt(4); part++) {
                var own = new BitSet();
                double share = 0.2 + random.nextDouble() * 0.7;
                for (int second = 0; second < 100; second++) {
                    own.set(second, random.nextDouble() < share);
                }
                starts.add(own);
            }
            long from = random.nextInt(50);
            var expected = LongStream.range(from, 100)
                    .filter(second -> starts.stream().allMatch(own -> own.get((int) second)))
                    .findFirst();

            assertThat(CommonStart.find(
                            from, starts.stream().map(CommonStartTest::part).toList()))
                    .isEqualTo(expected);
        }
    }
}
