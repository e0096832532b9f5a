package berth.reservation;

import static berth.reservation.AgendaItem.What.CLAIM_LAPSES;
import static berth.reservation.AgendaItem.What.HOLD_EXPIRES;
import static berth.reservation.AgendaItem.What.OUTAGE_ENDS;
import static berth.reservation.AgendaItem.What.RUN_ENDS;
import static berth.reservation.AgendaItem.What.RUN_STARTS;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.UUID;
import org.junit.jupiter.api.Test;

class AgendaItemTest {

    @Test
    void isOrderedByTimeWithReturnsOfPesBeforeStarts() {
        var inOrder = List.of(
                due(-5, RUN_STARTS, 9),
                due(10, RUN_STARTS, 8),
                due(20, RUN_ENDS, 4),
                due(20, HOLD_EXPIRES, 5),
                due(20, OUTAGE_ENDS, 6),
                due(20, CLAIM_LAPSES, 7),
                due(20, RUN_STARTS, 1),
                due(20, RUN_STARTS, 2),
                due(21, RUN_ENDS, 3),
                due(Long.MAX_VALUE, HOLD_EXPIRES, 4));
        var random = new Random(1);
        for (int i = 0; i < 50; i++) {
            var shuffled = new ArrayList<>(inOrder);
            Collections.shuffle(shuffled, random);

            assertThat(shuffled.stream().sorted()).isEqualTo(inOrder);
        }
    }

    @Test
    void isEqualOnlyForTheSameActionOnTheSameReservation() {
        var due = due(20, RUN_ENDS, 1);

        assertThat(due).isEqualByComparingTo(due(20, RUN_ENDS, 1));
        assertThat(due).isNotEqualByComparingTo(due(20, RUN_ENDS, 2));
        assertThat(due).isNotEqualByComparingTo(due(20, CLAIM_LAPSES, 1));
    }

    private static AgendaItem due(long at, AgendaItem.What what, int subject) {
        return new AgendaItem(at, what, new UUID(0, subject));
    }
}
