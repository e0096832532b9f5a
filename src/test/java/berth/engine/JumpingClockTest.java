package berth.engine;

import static berth.engine.DeskSituation.NOON;
import static berth.engine.DeskSituation.TINY;
import static berth.engine.DeskSituation.reserveAtOne;
import static org.assertj.core.api.Assertions.assertThat;

import berth.runtime.Threads;
import berth.runtime.Timekeeper;
import berth.scheduling.Event;
import berth.scheduling.Leads;
import berth.scheduling.commands.Command;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** A cluster's writer, turn by turn, with a clock that jumps, and with a time that runs faster. */
class JumpingClockTest {

    private final SettableClock clock = new SettableClock(NOON);
    private Duration up = Duration.ofDays(3);
    private final Timekeeper timekeeper = new Timekeeper(clock, () -> up.toNanos(), () -> up);
    private final MemoryLedger ledger = new MemoryLedger(TINY);
    private final ClusterWriter writer = new ClusterWriter(
            ledger.takeOver(TINY.id()),
            ledger,
            Threads.OF_THE_JVM,
            timekeeper,
            () -> Leads.Requests.NOTHING,
            () -> {},
            _ -> {},
            new RefusalCounts(),
            new DeskMeters(new SimpleMeterRegistry(), TINY.id()),
            _ -> Optional.of(BookingLimits.Entered.UNLIMITED),
            _ -> 0,
            NoBudgets.none());

    @Test
    void reservationsStartAtTheirTimeAlthoughTheClockJumpsTenDaysAhead() {
        turn(reserveAtOne(4, 3600));
        clock.advance(Duration.ofDays(10));
        for (int minute = 1; minute < 60; minute++) {
            pass(Duration.ofMinutes(1));
            turn();
        }
        assertThat(happened()).containsExactly(Event.Type.CONFIRMED);

        pass(Duration.ofMinutes(1));
        turn();
        assertThat(happened()).containsExactly(Event.Type.CONFIRMED, Event.Type.STARTED);

        pass(Duration.ofHours(1));
        turn();
        assertThat(happened()).containsExactly(Event.Type.CONFIRMED, Event.Type.STARTED, Event.Type.COMPLETED);
        assertThat(ledger.history(TINY.id()).getLast().at())
                .isEqualTo(NOON.plus(Duration.ofHours(2)).getEpochSecond());
    }

    @Test
    void runsStartAndEndByATimeThatRunsFaster() {
        turn(reserveAtOne(4, 3600));
        timekeeper.speedUp(60);

        pass(Duration.ofSeconds(59));
        turn();
        assertThat(happened()).containsExactly(Event.Type.CONFIRMED);

        pass(Duration.ofSeconds(1));
        turn();
        assertThat(happened()).containsExactly(Event.Type.CONFIRMED, Event.Type.STARTED);

        pass(Duration.ofMinutes(1));
        turn();
        assertThat(happened()).containsExactly(Event.Type.CONFIRMED, Event.Type.STARTED, Event.Type.COMPLETED);
        assertThat(ledger.history(TINY.id()).getLast().at())
                .isEqualTo(NOON.plus(Duration.ofHours(2)).getEpochSecond());
    }

    @Test
    void reservationsMadeDuringAClockJumpUseTheTimeBeforeIt() {
        clock.advance(Duration.ofDays(10));
        turn(reserveAtOne(4, 3600));

        assertThat(happened()).containsExactly(Event.Type.CONFIRMED);
        assertThat(ledger.history(TINY.id()).getFirst().at()).isEqualTo(NOON.getEpochSecond());
    }

    @Test
    void timeGoesOnOnceTheClockIsCorrected() {
        clock.advance(Duration.ofDays(10));
        turn(reserveAtOne(4, 3600));
        clock.advance(Duration.ofDays(-10));
        pass(Duration.ofSeconds(10));

        turn();

        assertThat(writer.lag()).isZero();
    }

    /** Lets time pass, on the clock too. */
    private void pass(Duration time) {
        up = up.plus(time);
        clock.advance(time);
    }

    private void turn(Command... commands) {
        var waiting = new ArrayList<Pending>();
        for (var command : commands) {
            waiting.add(new Pending(command, Optional.empty()));
        }
        writer.turn(waiting);
    }

    private List<Event.Type> happened() {
        return ledger.history(TINY.id()).stream().map(Event::type).toList();
    }
}
