package berth.engine;

import static org.assertj.core.api.Assertions.assertThat;

import berth.runtime.Threads;
import berth.scheduling.ClusterSchedule;
import berth.scheduling.Event;
import berth.scheduling.places.WaitingPass;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Commands that are decided together. */
class DraftTest {

    private static final ClusterSchedule EMPTY = ClusterSchedule.empty(DeskSituation.TINY);

    private static final Event DUE = new Event.ClusterEvent(DeskSituation.TINY, DeskSituation.NOW);

    private final Draft draft = draft(List.of());
    private final Pending first = new Pending(DeskSituation.reserveAtOne(2, 60), Optional.empty());
    private final Pending second = new Pending(DeskSituation.reserveAtOne(2, 60), Optional.empty());

    private static Draft draft(List<Event> due) {
        var allowances = new Allowances(_ -> Optional.of(BookingLimits.Entered.UNLIMITED));
        return new Draft(
                EMPTY,
                EMPTY,
                due,
                WaitingPass.BEGINNING,
                allowances,
                _ -> 0,
                new Purse(NoBudgets.none()),
                Threads.OF_THE_JVM);
    }

    private int decide(Duration enough) {
        return draft.decide(List.of(first, second), enough, DeskSituation.NOW, 0);
    }

    @Test
    void decidesAllWaitingCommands() {
        assertThat(decide(Duration.ofDays(1))).isEqualTo(2);

        assertThat(draft.size()).isEqualTo(2);
        assertThat(draft.events()).hasSize(2);
    }

    @Test
    void leavesTheOtherCommandsUnclaimedWhenItsTimeIsUp() {
        assertThat(decide(Duration.ZERO)).isEqualTo(1);

        assertThat(draft.events()).hasSize(1);
        assertThat(second.await(Threads.OF_THE_JVM, Duration.ofMillis(1))).isInstanceOf(Answer.NotDecided.class);
    }

    @Test
    void leavesCommandsForTheNextBatchWhenItHasEnoughEvents() {
        var late = draft(Collections.nCopies(Draft.ENOUGH_EVENTS, DUE));

        assertThat(late.decide(List.of(first, second), Duration.ofDays(1), DeskSituation.NOW, 0))
                .isEqualTo(1);
    }

    @Test
    void passesOverCommandsWhoseCallersHaveGivenUp() {
        first.await(Threads.OF_THE_JVM, Duration.ofMillis(1));

        assertThat(decide(Duration.ZERO)).isEqualTo(2);
        assertThat(draft.size()).isEqualTo(1);
        assertThat(second.claim()).isFalse();
    }
}
