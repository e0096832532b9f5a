package berth.reservation;

import static berth.reservation.ReservationState.COMPLETED;
import static berth.reservation.ReservationState.EXPIRED;
import static berth.reservation.ReservationState.RUNNING;
import static berth.reservation.SampleReservations.id;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class DueTest {

    @Test
    void comesByTimeAndAtOneInstantEndsAndExpiringHoldsBeforeStarts() {
        var inOrder = List.of(
                new Due(-5, RUNNING, id(9)),
                new Due(10, RUNNING, id(8)),
                new Due(20, COMPLETED, id(5)),
                new Due(20, EXPIRED, id(6)),
                new Due(20, COMPLETED, id(7)),
                new Due(20, RUNNING, id(1)),
                new Due(20, RUNNING, id(2)),
                new Due(21, COMPLETED, id(3)),
                new Due(Long.MAX_VALUE, EXPIRED, id(4)));
        var random = new Random(1);
        for (int i = 0; i < 50; i++) {
            var shuffled = new ArrayList<>(inOrder);
            Collections.shuffle(shuffled, random);

            assertThat(shuffled.stream().sorted()).isEqualTo(inOrder);
        }
    }

    @Test
    void isTheSameOnlyIfItConcernsTheSameReservation() {
        var due = new Due(20, COMPLETED, id(1));

        assertThat(due).isEqualByComparingTo(new Due(20, COMPLETED, id(1)));
        assertThat(due).isNotEqualByComparingTo(new Due(20, COMPLETED, id(2)));
    }
}
