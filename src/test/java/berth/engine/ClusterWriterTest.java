package berth.engine;

import static org.assertj.core.api.Assertions.assertThat;

import berth.cluster.Binding;
import berth.cluster.Cluster;
import berth.engine.ClusterWriter.Next;
import berth.engine.MemoryLedger.Fault;
import berth.reservation.Lead;
import berth.runtime.Threads;
import berth.scheduling.Leads;
import berth.scheduling.RandomCommands;
import berth.scheduling.commands.ChangeCluster;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** A cluster's writer, turn by turn, while nothing can be recorded; other faults are in the yard. */
class ClusterWriterTest {

    private final SettableClock clock = new SettableClock(Instant.parse("2027-01-01T12:00:00Z"));
    private final Cluster cluster = Cluster.of("c1", 8);
    private final MemoryLedger ledger = new MemoryLedger(cluster);
    private Leads.Requests asked = Leads.Requests.NOTHING;
    private final ClusterWriter writer = new ClusterWriter(
            ledger.takeOver(cluster.id()),
            ledger,
            Threads.OF_THE_JVM,
            clock,
            () -> asked,
            () -> {},
            _ -> {},
            new RefusalCounts(),
            new DeskMeters(new SimpleMeterRegistry(), cluster.id()),
            _ -> Optional.of(BookingLimits.Entered.UNLIMITED),
            _ -> 0,
            NoBudgets.none());
    private final ChangeCluster change = new ChangeCluster(
            cluster, new RandomCommands(new Random(1), UUID::randomUUID, cluster, clock).cluster(Binding.LATE));

    /** The commands in front of the writer. */
    private final List<Pending> waiting = new ArrayList<>();

    @Test
    void aWriterRecoversByItselfOnceItCanRecordAgain() {
        ledger.faults.add(Fault.FAILS);
        var pending = submit();
        ledger.resolveFailures = 2;

        assertThat(writer.turn(waiting)).isInstanceOf(Next.Turn.class);
        assertThat(pending.answer()).isDone();
        for (int i = 0; i < 2; i++) {
            assertThat(writer.turn(waiting)).isEqualTo(new Next.Turn(Duration.ofMillis(500)));
            assertThat(writer.isRecording()).isFalse();
        }
        writer.turn(waiting);

        assertThat(writer.isRecording()).isTrue();
        assertThat(ledger.history(cluster.id())).isEmpty();
    }

    @Test
    void aCommandFailsAtOnceWhileTheWriterCannotRecord() {
        ledger.faults.add(Fault.FAILS);
        submit();
        writer.turn(waiting);
        ledger.resolveFailures = 1;

        var inVain = submit();
        writer.turn(waiting);
        assertThat(inVain.answer()).isCompletedWithValueMatching(Answer.NotDecided.class::isInstance);
        submit();
        writer.turn(waiting);

        assertThat(writer.isRecording()).isTrue();
        assertThat(ledger.history(cluster.id())).hasSize(1);
    }

    @Test
    void aWriterWithoutWorkIsWokenForChangedLeadsAndWhileTheClockIsBehind() {
        long now = clock.instant().getEpochSecond();
        assertThat(writer.turn(waiting)).isEqualTo(new Next.Turn(Duration.ofMinutes(1)));

        assertThat(writer.isToWake(now + 1)).isFalse();
        assertThat(writer.isToWake(now + 1 - ClusterWriter.CLOCK_TOLERANCE)).isFalse();
        assertThat(writer.isToWake(now - ClusterWriter.CLOCK_TOLERANCE)).isTrue();

        asked = new Leads.Requests(Set.of(300L), Map.of());
        assertThat(writer.isToWake(now + 1)).isTrue();
        writer.turn(waiting);
        assertThat(writer.isToWake(now + 1)).isFalse();
        assertThat(writer.schedule().leads().ofAll()).containsExactly(new Lead(300, now + 1));
    }

    @Test
    void timeDoesNotGoBackBehindATimeThatAWriterWithoutWorkWasTold() {
        long now = clock.instant().getEpochSecond();
        writer.turn(waiting);

        writer.isToWake(now + 40);

        assertThat(writer.lag()).isEqualTo(40);
        assertThat(writer.outlook().now()).isEqualTo(now + 40);
    }

    private Pending submit() {
        var pending = new Pending(change, Optional.empty());
        waiting.add(pending);
        return pending;
    }
}
