package berth.engine;

import static org.assertj.core.api.Assertions.assertThat;

import berth.cluster.Cluster;
import berth.cluster.Juggling;
import berth.cluster.Policy;
import berth.cluster.ReplanOrder;
import berth.engine.Answer.Refused;
import berth.reservation.Origin;
import berth.reservation.ReservationId;
import berth.runtime.Threads;
import berth.scheduling.commands.Reserve;
import berth.sla.AccountLimits;
import berth.sla.Fixing;
import berth.sla.Preemption;
import berth.sla.RequestedTerms;
import berth.sla.ServiceClass;
import java.math.BigDecimal;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.UUID;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Searches that take long run beside the desk, even if no reservation ever moves. */
class DearRequestsTest extends DeskSituation {

    private static final int PES = 400;
    private static final long HOUR = 3600;

    private static final Cluster NEVER = Cluster.of("never", PES)
            .under(Policy.STANDARD.withReplanning(Juggling.NEVER, ReplanOrder.EARLIEST_DEADLINE_FIRST));

    DearRequestsTest() {
        super(TINY, NEVER);
    }

    @BeforeEach
    void fill() {
        var desk = desks.desk(NEVER.id());
        for (int i = 0; i < PES; i++) {
            desk.submit(request(1, Optional.empty()), Optional.empty());
        }
        granted(desk.submit(request(PES, Optional.empty()), Optional.empty()).await(Threads.OF_THE_JVM, PATIENCE));
    }

    /** Returns a request for an hour on that many PEs within a day. */
    private static Reserve request(int pes, Optional<Preemption> preemption) {
        return request(pes, preemption, ONE + 24 * HOUR);
    }

    private static Reserve request(int pes, Optional<Preemption> preemption, long deadline) {
        return new Reserve(
                new ReservationId(UUID.randomUUID()),
                new Origin(ALICE, ServiceClass.STANDARD),
                new RequestedTerms(
                        OptionalLong.of(ONE),
                        OptionalLong.of(deadline),
                        HOUR,
                        pes,
                        Optional.empty(),
                        preemption,
                        Optional.empty(),
                        Map.of(),
                        Fixing.BY_NOTICE),
                OptionalLong.empty(),
                OptionalLong.empty());
    }

    private Answer decide(Reserve request) {
        return admission.admit(NEVER.id(), new Booking(ALICE, AccountLimits.NONE, request), Optional.empty());
    }

    private static Optional<Preemption> inAHundredSteps() {
        return Optional.of(new Preemption(OptionalInt.of(2), new BigDecimal("0.01"), false));
    }

    private long computations() {
        return registry.get("berth.computations").timer().count();
    }

    @Test
    void aRequestGetsThePlaceFoundBesideTheDesk() {
        var granted = reserved(decide(request(4, inAHundredSteps())));

        assertThat(computations()).isEqualTo(1);
        assertThat(granted.slot().start()).isEqualTo(ONE + 2 * HOUR);
    }

    @Test
    void aRequestWithoutAPlaceIsRefusedBesideTheDesk() {
        assertThat(decide(request(4, inAHundredSteps(), ONE + HOUR))).isInstanceOf(Refused.class);

        assertThat(computations()).isEqualTo(1);
        assertThat(registry.get("berth.reservations")
                        .tags("cluster", "never", "outcome", "refused")
                        .counter()
                        .count())
                .isEqualTo(1);
    }

    @Test
    void aCheapRequestIsDecidedAtTheDeskAlone() {
        reserved(decide(request(4, Optional.empty())));

        assertThat(computations()).isZero();
    }
}
