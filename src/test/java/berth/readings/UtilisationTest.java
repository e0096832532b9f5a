package berth.readings;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import berth.readings.Utilisation.Share;
import berth.time.Slot;
import java.util.OptionalDouble;
import java.util.Random;
import org.junit.jupiter.api.Test;

class UtilisationTest {

    @Test
    void aStepCountsThePartsOfSlotsInsideIt() {
        var utilisation = new Utilisation(new Slot(100, 125), 10, 4);

        utilisation.add(new Slot(0, 105), 4);
        utilisation.add(new Slot(105, 300), 2);

        assertThat(utilisation.shares())
                .containsExactly(
                        share(new Slot(100, 110), 0.75),
                        share(new Slot(110, 120), 0.5),
                        share(new Slot(120, 125), 0.5));
        assertThat(utilisation.mean().booked()).isEqualTo(0.6);
    }

    @Test
    void aStepSaysHowMuchOfThePesInServiceIsBooked() {
        var utilisation = new Utilisation(new Slot(100, 130), 10, 4);

        utilisation.add(new Slot(100, 120), 2);
        utilisation.lose(new Slot(105, 120), 2);
        utilisation.lose(new Slot(120, Long.MAX_VALUE), 4);

        assertThat(utilisation.shares())
                .containsExactly(
                        new Share(new Slot(100, 110), 0.5, OptionalDouble.of(0.666667)),
                        new Share(new Slot(110, 120), 0.5, OptionalDouble.of(1)),
                        new Share(new Slot(120, 130), 0, OptionalDouble.empty()));
        assertThat(utilisation.mean()).isEqualTo(new Share(new Slot(100, 130), 0.333333, OptionalDouble.of(0.8)));
    }

    @Test
    void aStepMayBeLongerThanAnyTime() {
        var range = new Slot(100, 125);
        var utilisation = new Utilisation(range, Long.MAX_VALUE, 4);

        utilisation.add(new Slot(0, 300), 2);

        assertThat(utilisation.shares()).containsExactly(share(range, 0.5));
    }

    @Test
    void utilisationIsTheSumOfItsSeconds() {
        for (int seed = 0; seed < 200; seed++) {
            var random = new Random(seed);
            var range = Slot.of(random.nextInt(20), 1 + random.nextInt(60));
            var utilisation = new Utilisation(range, 1 + random.nextInt(15), 10);
            var taken = new int[200];
            for (int i = 0; i < 10; i++) {
                var slot = Slot.of(random.nextInt(80), 1 + random.nextInt(80));
                if (slot.overlaps(range)) {
                    int pes = 1 + random.nextInt(3);
                    utilisation.add(slot, pes);
                    for (long second = slot.start(); second < slot.end(); second++) {
                        taken[(int) second] += pes;
                    }
                }
            }
            for (var share : utilisation.shares()) {
                assertThat(share.booked()).isCloseTo(mean(taken, share.step()), within(1e-6));
            }
            assertThat(utilisation.mean().booked()).isCloseTo(mean(taken, range), within(1e-6));
        }
    }

    /** Returns a share where all PEs are in service. */
    private static Share share(Slot step, double booked) {
        return new Share(step, booked, OptionalDouble.of(booked));
    }

    private static double mean(int[] taken, Slot slot) {
        double sum = 0;
        for (long second = slot.start(); second < slot.end(); second++) {
            sum += taken[(int) second];
        }
        return sum / slot.duration() / 10;
    }
}
