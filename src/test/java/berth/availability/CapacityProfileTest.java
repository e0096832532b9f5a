package berth.availability;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import berth.time.Slot;
import berth.time.Window;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class CapacityProfileTest {

    private static final long FIRST = Long.MIN_VALUE;
    private static final long LAST = Long.MAX_VALUE;

    private final CapacityProfile eight = CapacityProfile.of(8);

    @Test
    void beginsWithAllPesFreeForever() {
        assertThat(eight.capacity()).isEqualTo(8);
        assertThat(eight.free(FIRST)).isEqualTo(8);
        assertThat(eight.free(LAST)).isEqualTo(8);
        assertThat(eight.fewestFree(new Slot(FIRST, LAST))).isEqualTo(8);
        assertThat(eight.steps(new Slot(-3, 4))).containsExactly(new Step(-3, 8));
    }

    @Test
    void takesPesOnlyInTheSlot() {
        CapacityProfile profile = eight.take(new Slot(10, 20), 3);

        assertThat(profile.free(9)).isEqualTo(8);
        assertThat(profile.free(10)).isEqualTo(5);
        assertThat(profile.free(19)).isEqualTo(5);
        assertThat(profile.free(20)).isEqualTo(8);
    }

    @Test
    void findsTheFewestFreePesOnlyInTheSlot() {
        CapacityProfile profile = eight.take(new Slot(10, 20), 3).take(new Slot(15, 30), 4);

        assertThat(profile.fewestFree(new Slot(0, 10))).isEqualTo(8);
        assertThat(profile.fewestFree(new Slot(0, 11))).isEqualTo(5);
        assertThat(profile.fewestFree(new Slot(14, 16))).isEqualTo(1);
        assertThat(profile.fewestFree(new Slot(20, 99))).isEqualTo(4);
        assertThat(profile.fewestFree(new Slot(30, 99))).isEqualTo(8);
    }

    @Test
    void mergesEqualNeighbours() {
        CapacityProfile profile = eight.take(new Slot(10, 20), 3).take(new Slot(20, 30), 3);

        assertThat(profile.steps(new Slot(0, 40))).containsExactly(new Step(0, 8), new Step(10, 5), new Step(30, 8));
        assertThat(profile).isEqualTo(eight.take(new Slot(10, 30), 3));
    }

    @Test
    void givesPesBackInOtherPiecesThanTaken() {
        CapacityProfile profile = eight.take(new Slot(10, 20), 3)
                .giveBack(new Slot(10, 15), 1)
                .giveBack(new Slot(15, 20), 3)
                .giveBack(new Slot(10, 15), 2);

        assertThat(profile).isEqualTo(eight);
    }

    @Test
    void refusesToTakeMorePesThanAreFree() {
        Slot slot = new Slot(0, 20);
        CapacityProfile profile = eight.take(new Slot(19, 30), 3);

        assertThat(profile.take(slot, 5).fewestFree(slot)).isZero();
        assertThatIllegalStateException()
                .isThrownBy(() -> profile.take(slot, 6))
                .withMessage("Cannot take 6 PEs over Slot[start=0, end=20]: only 5 are free all that time.");
    }

    @Test
    void refusesToGiveBackMorePesThanAreTaken() {
        CapacityProfile profile = eight.take(new Slot(10, 20), 3);

        assertThatIllegalStateException()
                .isThrownBy(() -> profile.giveBack(new Slot(15, 21), 1))
                .withMessage(
                        "Cannot give back 1 PEs over Slot[start=15, end=21]: up to 8 of 8 are already free in that time.");
        assertThatIllegalStateException()
                .isThrownBy(() -> profile.giveBack(new Slot(10, 20), 4))
                .withMessageContaining("up to 5 of 8");
    }

    @Test
    void refusesHugeNumbersOfPesWithoutOverflow() {
        CapacityProfile huge = CapacityProfile.of(Integer.MAX_VALUE);
        Slot slot = new Slot(0, 1);

        assertThat(huge.take(slot, Integer.MAX_VALUE).giveBack(slot, Integer.MAX_VALUE))
                .isEqualTo(huge);
        assertThatIllegalStateException().isThrownBy(() -> huge.giveBack(slot, Integer.MAX_VALUE));
        assertThatIllegalStateException().isThrownBy(() -> eight.take(slot, Integer.MAX_VALUE));
    }

    @Test
    void refusesArgumentsThatAreNotPositive() {
        Slot slot = new Slot(0, 1);
        Window window = new Window(0, 9);

        assertThatIllegalArgumentException()
                .isThrownBy(() -> CapacityProfile.of(0))
                .withMessage("The capacity (0) must be positive.");
        assertThatIllegalArgumentException().isThrownBy(() -> eight.take(slot, 0));
        assertThatIllegalArgumentException().isThrownBy(() -> eight.giveBack(slot, -1));
        assertThatIllegalArgumentException().isThrownBy(() -> eight.earliestFit(window, 1, 0));
        assertThatIllegalArgumentException().isThrownBy(() -> eight.earliestFit(window, 0, 1));
        assertThatIllegalArgumentException().isThrownBy(() -> eight.fitStarts(window, 1, 1, -1));
    }

    @Test
    void fitsAtTheReadyTimeIfFreeThen() {
        assertThat(eight.earliestFit(new Window(5, 9), 4, 8)).hasValue(5);
    }

    @Test
    void fitsNowhereIfTheWindowIsTooShort() {
        assertThat(eight.earliestFit(new Window(5, 9), 5, 8)).isEmpty();
        assertThat(eight.earliestFit(new Window(5, 9), LAST, 8)).isEmpty();
    }

    @Test
    void fitsNowhereIfTheClusterIsTooSmall() {
        assertThat(eight.earliestFit(new Window(0, LAST), 1, 9)).isEmpty();
    }

    @Test
    void passesOverGapsThatAreTooShort() {
        CapacityProfile profile =
                eight.take(new Slot(0, 10), 5).take(new Slot(13, 20), 5).take(new Slot(24, 30), 5);

        assertThat(profile.earliestFit(new Window(0, 99), 3, 4)).hasValue(10);
        assertThat(profile.earliestFit(new Window(0, 99), 4, 4)).hasValue(20);
        assertThat(profile.earliestFit(new Window(0, 99), 5, 4)).hasValue(30);
        assertThat(profile.earliestFit(new Window(0, 99), 5, 3)).hasValue(0);
    }

    @Test
    void fitsUpToTheDeadlineAndNotBeyond() {
        CapacityProfile profile = eight.take(new Slot(0, 10), 5);

        assertThat(profile.earliestFit(new Window(0, 14), 4, 4)).hasValue(10);
        assertThat(profile.earliestFit(new Window(0, 13), 4, 4)).isEmpty();
    }

    @Test
    void returnsTheFirstStartOfEachGap() {
        CapacityProfile profile =
                eight.take(new Slot(0, 10), 5).take(new Slot(13, 20), 5).take(new Slot(24, 30), 5);

        assertThat(profile.fitStarts(new Window(11, 99), 2, 4, 9)).containsExactly(11, 20, 30);
        assertThat(profile.fitStarts(new Window(11, 99), 3, 4, 9)).containsExactly(20, 30);
        assertThat(profile.fitStarts(new Window(11, 99), 2, 4, 2)).containsExactly(11, 20);
        assertThat(profile.fitStarts(new Window(11, 22), 2, 4, 9)).containsExactly(11, 20);
        assertThat(profile.fitStarts(new Window(11, 21), 2, 4, 9)).containsExactly(11);
        assertThat(profile.fitStarts(new Window(11, 99), 2, 3, 9)).containsExactly(11);
        assertThat(profile.fitStarts(new Window(11, 99), 2, 4, 0)).isEmpty();
    }

    @Test
    void returnsMoreStartsThanItFirstHasRoomFor() {
        CapacityProfile profile = comb(100);

        long[] starts = profile.fitStarts(new Window(0, LAST), 1, 8, Integer.MAX_VALUE);

        assertThat(starts).hasSize(100).startsWith(1, 3, 5).endsWith(197, 199);
    }

    @Test
    void readsTheFreePesAtTheReadyTimeFromAnEarlierLeaf() {
        // Points at 0, 1, 10, 11, 20 and so on, in several leaves: there are ready times between any two points.
        CapacityProfile profile = eight;
        for (int i = 0; i < 1_000; i++) {
            profile = profile.take(Slot.of(10L * i, 1), 8);
        }
        assertThat(profile.checkInvariants()).isGreaterThan(1);

        for (long booked = 0; booked < 9_990; booked += 10) {
            long next = booked + 10;
            assertThat(profile.earliestFit(new Window(booked, LAST), 1, 8)).hasValue(booked + 1);
            for (long ready = booked + 1; ready < next; ready++) {
                assertThat(profile.earliestFit(new Window(ready, LAST), next - ready, 8))
                        .hasValue(ready);
                assertThat(profile.free(ready)).isEqualTo(8);
                assertThat(profile.fewestFree(new Slot(ready, next))).isEqualTo(8);
            }
        }
    }

    @Test
    void reachesFromTheBeginningToTheEndOfAllTime() {
        CapacityProfile profile = eight.take(new Slot(FIRST, LAST), 8);

        assertThat(profile.free(FIRST)).isZero();
        assertThat(profile.free(LAST - 1)).isZero();
        assertThat(profile.free(LAST)).isEqualTo(8);
        assertThat(profile.earliestFit(new Window(FIRST, LAST), 1, 1)).isEmpty();
        assertThat(profile.giveBack(new Slot(FIRST, LAST), 8)).isEqualTo(eight);
    }

    @Test
    void searchesFromTheBeginningToTheEndOfAllTime() {
        CapacityProfile profile = eight.take(new Slot(0, 10), 8);

        assertThat(profile.earliestFit(new Window(FIRST, LAST), LAST, 1)).hasValue(FIRST);
        assertThat(profile.earliestFit(new Window(-5, LAST), LAST - 10, 1)).hasValue(10);
        assertThat(profile.earliestFit(new Window(-5, LAST), LAST - 9, 1)).isEmpty();
        assertThat(profile.earliestFit(new Window(LAST - 1, LAST), 1, 8)).hasValue(LAST - 1);
        assertThat(profile.earliestFit(new Window(FIRST, FIRST + 5), 6, 1)).isEmpty();
        assertThat(profile.fitStarts(new Window(FIRST, LAST), 1, 1, 9)).containsExactly(FIRST, 10);
    }

    @Test
    void takingPesUpdatesWholeSubtrees() {
        CapacityProfile comb = eight;
        for (int i = 0; i < 6_000; i++) {
            comb = comb.take(Slot.of(2L * i, 1), 5);
        }
        assertThat(comb.checkInvariants()).isEqualTo(3);
        Slot most = new Slot(101, 11_900);
        List<Step> before = comb.steps(most);

        CapacityProfile taken = comb.take(most, 2);

        taken.checkInvariants();
        assertThat(taken.steps(most))
                .isEqualTo(before.stream()
                        .map(step -> new Step(step.start(), step.free() - 2))
                        .toList());
        assertThat(taken.fewestFree(most)).isEqualTo(1);
        assertThat(taken.earliestFit(new Window(101, LAST), 1, 7)).hasValue(11_901);
        assertThat(comb.steps(most)).isEqualTo(before);
        comb.checkInvariants();
        assertThat(taken.giveBack(most, 2)).isEqualTo(comb);
    }

    @Test
    void profilesWithTheSameFreePesAreEqual() {
        List<Slot> slots = new ArrayList<>();
        for (int i = 0; i < 2_000; i++) {
            slots.add(Slot.of(2L * i, 1 + i % 7));
        }
        CapacityProfile inOrder = takeAll(slots);
        Collections.shuffle(slots, new Random(3));
        CapacityProfile shuffled = takeAll(slots);

        assertThat(shuffled).isEqualTo(inOrder).hasSameHashCodeAs(inOrder);
        assertThat(shuffled.giveBack(slots.getFirst(), 1)).isNotEqualTo(inOrder);
        assertThat(CapacityProfile.of(7)).isNotEqualTo(eight);
        assertThat(CapacityProfile.of(9).take(new Slot(FIRST, LAST), 1)).isNotEqualTo(eight);
    }

    @Test
    void showsItsRangeAndSize() {
        assertThat(eight.take(new Slot(0, 2), 3)).hasToString("CapacityProfile[5..8 of 8 PEs free, 3 points]");
    }

    private CapacityProfile takeAll(List<Slot> slots) {
        CapacityProfile profile = eight;
        for (Slot slot : slots) {
            profile = profile.take(slot, 1);
        }
        return profile;
    }

    /** Returns a profile with all PEs taken in the first {@code teeth} even seconds. */
    private CapacityProfile comb(int teeth) {
        CapacityProfile profile = eight;
        for (int i = 0; i < teeth; i++) {
            profile = profile.take(Slot.of(2L * i, 1), 8);
        }
        return profile;
    }
}
