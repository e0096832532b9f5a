package berth.store;

import static org.assertj.core.api.Assertions.assertThat;

import berth.reservation.ReservationState;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class ReservationRowTest {

    @Test
    void theConditionInSqlNamesTheLiveStates() {
        assertThat(ReservationRow.LIVE)
                .isEqualTo(Stream.of(ReservationState.values())
                        .filter(ReservationState::isLive)
                        .map(state -> "'" + state + "'")
                        .collect(Collectors.joining(", ", "in (", ")")));
    }
}
