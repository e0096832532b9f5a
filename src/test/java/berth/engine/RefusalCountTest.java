package berth.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import berth.engine.Answer.NotDecided;
import berth.engine.Answer.Refused;
import berth.engine.Ledger.Refusals;
import berth.engine.MemoryLedger.Fault;
import berth.reservation.RefusalCode;
import berth.runtime.StorageUnavailable;
import berth.scheduling.commands.Reserve;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Refused requests are counted for the statistics. */
class RefusalCountTest extends DeskSituation {

    RefusalCountTest() {
        super(TINY);
    }

    @Test
    void eachRefusedRequestCountsOnceInItsHour() {
        granted(desks.decide(TINY.id(), reserveAtOne(4, 7200)));
        refused(reserveAtOne(4, 7200));
        refused(reserveAtOne(1, 60));
        refused(reserve(5, 60));
        clock.advance(Duration.ofHours(1));
        refused(reserveNow(1, 60));

        desks.recordRefusals();
        desks.recordRefusals();

        assertThat(ledger.refused())
                .isEqualTo(Map.of(
                        new Refusals(NOW, RefusalCode.NO_SLOT),
                        2L,
                        new Refusals(NOW, RefusalCode.NEVER_FITS),
                        1L,
                        new Refusals(NOW + 3600, RefusalCode.NO_SLOT),
                        1L));
    }

    @Test
    void aRefusedCommandThatAsksForNoReservationDoesNotCount() {
        var reservation = reserved(desks.decide(TINY.id(), reserve(1, 60)));
        granted(desks.decide(TINY.id(), cancel(reservation)));
        assertThat(desks.decide(TINY.id(), cancel(reservation))).isInstanceOf(Refused.class);

        desks.recordRefusals();

        assertThat(ledger.refused()).isEmpty();
    }

    @Test
    void refusalsOfUnrecordedBatchesDoNotCount() throws Exception {
        var together = List.of(Asked.of(reserveAtOne(4, 60)), Asked.of(reserveAtOne(4, 60)));
        assertThat(inOneBatch(together, Fault.FAILS)).allMatch(answer -> answer instanceof NotDecided);
        assertThat(inOneBatch(together, Fault.FAILS_AND_ANSWER_LOST)).allMatch(answer -> answer instanceof NotDecided);
        desks.recordRefusals();
        assertThat(ledger.refused()).isEmpty();

        assertThat(inOneBatch(together, Fault.ANSWER_LOST).getLast()).isInstanceOf(Refused.class);
        desks.recordRefusals();
        assertThat(ledger.refused()).isEqualTo(Map.of(new Refusals(NOW, RefusalCode.NO_SLOT), 1L));
    }

    @Test
    void refusalsThatCannotBeStoredNowAreStoredLater() {
        refused(reserve(5, 60));
        ledger.failsToCount = true;
        assertThatThrownBy(() -> desks.recordRefusals()).isInstanceOf(StorageUnavailable.class);
        refused(reserve(5, 60));
        ledger.failsToCount = false;

        desks.recordRefusals();

        assertThat(ledger.refused()).isEqualTo(Map.of(new Refusals(NOW, RefusalCode.NEVER_FITS), 2L));
    }

    @Test
    void theLastRefusalsAreCountedWhenTheDesksClose() {
        refused(reserve(5, 60));

        desks.close();

        assertThat(ledger.refused()).isEqualTo(Map.of(new Refusals(NOW, RefusalCode.NEVER_FITS), 1L));
    }

    private void refused(Reserve request) {
        assertThat(desks.decide(TINY.id(), request)).isInstanceOf(Refused.class);
    }
}
