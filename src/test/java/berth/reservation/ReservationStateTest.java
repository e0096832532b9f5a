package berth.reservation;

import static berth.reservation.ReservationState.CANCELLED;
import static berth.reservation.ReservationState.CONFIRMED;
import static berth.reservation.ReservationState.EXPIRED;
import static berth.reservation.ReservationState.FAILED;
import static berth.reservation.ReservationState.HELD;
import static berth.reservation.ReservationState.PENDING;
import static berth.reservation.ReservationState.RUNNING;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class ReservationStateTest {

    /** Whether the state of the row can become that of the column. */
    private static final String MAY_BECOME = """
            from \\ to  HELD  PENDING  CONFIRMED  RUNNING  COMPLETED  CANCELLED  EXPIRED  FAILED
            HELD        no    yes      yes        no       no         yes        yes      yes
            PENDING     no    no       yes        no       no         yes        yes      yes
            CONFIRMED   no    no       no         yes      no         yes        no       yes
            RUNNING     no    no       no         no       yes        yes        no       yes
            COMPLETED   no    no       no         no       no         no         no       no
            CANCELLED   no    no       no         no       no         no         no       no
            EXPIRED     no    no       no         no       no         no         no       no
            FAILED      no    no       no         no       no         no         no       no
            """;

    /** A cell of the table. */
    private record Transition(ReservationState from, ReservationState to, boolean isAllowed) {}

    @Test
    void aStateBecomesOnlyTheStatesInTheTable() {
        assertThat(table()).hasSize(ReservationState.values().length * ReservationState.values().length);
        for (var transition : table()) {
            assertThat(transition.from().canBecome(transition.to()))
                    .as("%s", transition)
                    .isEqualTo(transition.isAllowed());
        }
    }

    @Test
    void aReservationChangesOnlyToStatesInTheTable() {
        for (var transition : table()) {
            var before = SampleReservations.in(transition.from());
            if (transition.isAllowed()) {
                assertThat(after(before, transition.to()).state()).isEqualTo(transition.to());
            } else {
                assertThatIllegalStateException()
                        .as("%s", transition)
                        .isThrownBy(() -> before.becomes(transition.to(), 70))
                        .withMessage("A reservation cannot change from %s to %s."
                                .formatted(transition.from(), transition.to()));
            }
        }
    }

    /** Returns a reservation in its next state; it waits for approval, and is confirmed then, only together with what was asked. */
    private static Reservation after(Reservation before, ReservationState next) {
        if (next == PENDING) {
            return before.asking(SampleReservations.APPROVAL, 70);
        }
        return before.state() == PENDING && next == CONFIRMED
                ? before.approved(SampleReservations.GIVEN, 70)
                : before.becomes(next, 70);
    }

    @Test
    void oneThatWaitsForApprovalIsConfirmedOnlyWithIt() {
        var pending = SampleReservations.pending();

        assertThatIllegalArgumentException().isThrownBy(() -> pending.becomes(CONFIRMED, 70));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> SampleReservations.held().becomes(PENDING, 70));
        assertThat(pending.approved(SampleReservations.APPROVAL, 70).state()).isEqualTo(PENDING);
        assertThat(pending.approved(SampleReservations.GIVEN, 70).version()).isEqualTo(1);
        assertThat(pending.refused(SampleReservations.GIVEN, 70).status().reason())
                .contains(EndReason.DECLINED);
        assertThat(pending.refused(SampleReservations.GIVEN, 70).price().amount())
                .isZero();
    }

    @Test
    void onlyReservationsThatHaveNotEndedAreLive() {
        assertThat(ReservationState.values())
                .filteredOn(ReservationState::isLive)
                .containsExactly(HELD, PENDING, CONFIRMED, RUNNING);
    }

    @Test
    void changingTheReturnedSuccessorsDoesNotChangeTheState() {
        HELD.successors().clear();

        assertThat(HELD.successors()).containsExactly(PENDING, CONFIRMED, CANCELLED, EXPIRED, FAILED);
    }

    private static List<Transition> table() {
        var lines = MAY_BECOME.lines().map(line -> line.split(" {2,}")).toList();
        var header = lines.getFirst();
        var cells = new ArrayList<Transition>();
        for (var row : lines.subList(1, lines.size())) {
            for (int column = 1; column < row.length; column++) {
                cells.add(new Transition(
                        ReservationState.valueOf(row[0]),
                        ReservationState.valueOf(header[column]),
                        row[column].equals("yes")));
            }
        }
        return cells;
    }
}
