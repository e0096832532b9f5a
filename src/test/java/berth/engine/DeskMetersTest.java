package berth.engine;

import static berth.engine.DeskSituation.ALICE;
import static org.assertj.core.api.Assertions.assertThat;

import berth.cluster.Admission;
import berth.cluster.Cluster;
import berth.engine.MemoryLedger.Fault;
import berth.reservation.ClusterId;
import berth.reservation.Origin;
import berth.reservation.RefusalCode;
import berth.reservation.ReservationId;
import berth.runtime.Threads;
import berth.scheduling.Target;
import berth.scheduling.commands.Cancel;
import berth.scheduling.commands.Reserve;
import berth.sla.RequestedTerms;
import berth.sla.ServiceClass;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.Tag;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.UUID;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@Timeout(30)
class DeskMetersTest {

    private static final ClusterId TINY = new ClusterId("tiny");
    private static final Instant NOON = Instant.parse("2027-01-01T12:00:00Z");
    private static final long ONE = NOON.getEpochSecond() + 3600;
    private static final Cluster CLUSTER = Cluster.of("tiny", 4);

    private final SimpleMeterRegistry registry = new SimpleMeterRegistry();
    private final SettableClock clock = new SettableClock(NOON);
    private final MemoryLedger ledger = new MemoryLedger(CLUSTER);
    private final Desks desks =
            new Desks(ledger, ledger, NoBudgets.none(), Threads.OF_THE_JVM, clock, Duration.ofSeconds(5), registry);

    @BeforeEach
    void open() {
        desks.recover(CLUSTER);
    }

    @AfterEach
    void close() {
        desks.close();
    }

    @Test
    void reservationRequestsAreCountedByOutcome() {
        reserveAtOne(4);
        reserveAtOne(4);
        reserveAtOne(1);
        ledger.faults.add(Fault.FAILS);
        reserve(4);

        assertThat(reservations("accepted")).isEqualTo(1);
        assertThat(reservations("refused")).isEqualTo(2);
        assertThat(reservations("unavailable")).isEqualTo(1);
    }

    @Test
    void aRetiredClusterHasNoGauges() {
        assertThat(registry.find("berth.cluster.booked").gauges()).hasSize(1);

        admit(Admission.RETIRED);
        assertThat(registry.find("berth.cluster.booked").gauges()).isEmpty();

        admit(Admission.OPEN);
        assertThat(registry.find("berth.cluster.booked").gauges()).hasSize(1);
    }

    private void admit(Admission admission) {
        assertThat(desks.change(TINY, _ -> true, cluster -> cluster.with("admission", admission)))
                .isInstanceOf(Answer.Done.class);
        // its turn begins when the change's has ended
        desks.catchUp();
    }

    @Test
    void refusalsAreCountedByCode() {
        reserveAtOne(4);
        reserveAtOne(4);
        reserveAtOne(5);
        reserveAtOne(0);
        desks.decide(TINY, new Cancel(new Target(new ReservationId(UUID.randomUUID()), OptionalInt.empty())));
        desks.catchUp();

        assertThat(refusals("no-slot")).isEqualTo(1);
        assertThat(refusals("never-fits")).isEqualTo(1);
        assertThat(refusals("invalid-terms")).isEqualTo(1);
        assertThat(refusals("wrong-state")).isEqualTo(1);
        assertThat(refusals("over-budget")).isZero();
        assertThat(reservations("refused")).isEqualTo(3);
    }

    @Test
    void theQueueAndItsBatchAreCounted() throws Exception {
        var desk = desks.desk(TINY);
        ledger.open.acquire();
        var first = desk.submit(reservation(1, OptionalLong.of(ONE), OptionalLong.empty()), Optional.empty());
        while (!ledger.open.hasQueuedThreads()) {
            Thread.onSpinWait();
        }
        long before = registry.get("berth.desk.batch").summary().count();
        var waiting = IntStream.range(0, 7)
                .mapToObj(
                        i -> desk.submit(reservation(1, OptionalLong.of(ONE), OptionalLong.empty()), Optional.empty()))
                .toList();
        assertThat(gauge("berth.desk.queue")).isEqualTo(7);

        ledger.open.release();
        first.await(Threads.OF_THE_JVM, Duration.ofSeconds(5));
        waiting.forEach(pending -> pending.await(Threads.OF_THE_JVM, Duration.ofSeconds(5)));

        var batches = registry.get("berth.desk.batch").tag("cluster", "tiny").summary();
        assertThat(batches.count()).isEqualTo(before + 1);
        assertThat(batches.max()).isEqualTo(7);
        assertThat(gauge("berth.desk.queue")).isZero();
    }

    @ParameterizedTest
    @CsvSource({"NONE, committed", "FAILS, failed", "ANSWER_LOST, unknown", "FAILS_AND_ANSWER_LOST, unknown"})
    void commitsAreTimedByOutcome(Fault fault, String outcome) {
        ledger.faults.add(fault);

        reserveAtOne(1);

        assertThat(commits(outcome)).isEqualTo(1);
        assertThat(registry.get("berth.desk.commit").timers().stream()
                        .mapToLong(timer -> timer.count())
                        .sum())
                .isEqualTo(1);
    }

    @Test
    void theMetersShowAReplacedWriter() {
        assertThat(gauge("berth.desk.healthy")).isEqualTo(1);
        ledger.takeOverByAnother();

        reserveAtOne(1);

        assertThat(commits("fenced")).isEqualTo(1);
        assertThat(gauge("berth.desk.healthy")).isZero();
    }

    @Test
    void theBookedGaugeIsTheShareOfPesTakenNow() {
        assertThat(gauge("berth.cluster.booked")).isZero();
        reserve(3);
        reserve(3);

        assertThat(gauge("berth.reservations.live")).isEqualTo(2);
        assertThat(gauge("berth.cluster.booked")).isEqualTo(0.75);
        clock.advance(Duration.ofHours(2));
        desks.catchUp();
        assertThat(gauge("berth.reservations.live")).isZero();
        assertThat(gauge("berth.cluster.booked")).isZero();
    }

    @Test
    void allMetersExistAtTheStartWithOnlyTheClusterAsALabel() {
        var keys = registry.getMeters().stream()
                .map(Meter::getId)
                .flatMap(id -> id.getTags().stream())
                .map(Tag::getKey);

        assertThat(keys).containsOnly("cluster", "outcome", "code", "le");
        assertThat(registry.get("berth.desk.commit").timers()).hasSize(4);
        assertThat(registry.get("berth.refusals").counters()).hasSize(RefusalCode.values().length);
    }

    /** Reserves the hour from one o'clock, or nothing. */
    private void reserveAtOne(int pes) {
        reserve(pes, OptionalLong.of(ONE), OptionalLong.of(ONE + 3600));
    }

    /** Reserves the next free hour. */
    private void reserve(int pes) {
        reserve(pes, OptionalLong.empty(), OptionalLong.empty());
    }

    private void reserve(int pes, OptionalLong readyTime, OptionalLong deadline) {
        desks.decide(TINY, reservation(pes, readyTime, deadline));
        // an answer may arrive before it is counted; once the desk has continued, both are done
        desks.catchUp();
    }

    private static Reserve reservation(int pes, OptionalLong readyTime, OptionalLong deadline) {
        return new Reserve(
                new ReservationId(UUID.randomUUID()),
                new Origin(ALICE, ServiceClass.STANDARD),
                RequestedTerms.of(readyTime, deadline, 3600, pes),
                OptionalLong.empty(),
                OptionalLong.empty());
    }

    private double reservations(String outcome) {
        return registry.get("berth.reservations")
                .tags("cluster", "tiny", "outcome", outcome)
                .counter()
                .count();
    }

    private double refusals(String code) {
        return registry.get("berth.refusals")
                .tags("cluster", "tiny", "code", code)
                .counter()
                .count();
    }

    private long commits(String outcome) {
        return registry.get("berth.desk.commit")
                .tags("cluster", "tiny", "outcome", outcome)
                .timer()
                .count();
    }

    private double gauge(String name) {
        return registry.get(name).tag("cluster", "tiny").gauge().value();
    }
}
