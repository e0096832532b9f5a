package berth.booking;

import static org.assertj.core.api.Assertions.assertThat;

import berth.booking.Broker.Outcome;
import berth.cluster.Cluster;
import berth.cluster.Intake;
import berth.engine.AdmissionControl;
import berth.engine.Desks;
import berth.engine.MemoryLedger;
import berth.engine.NoBudgets;
import berth.engine.Rounds;
import berth.engine.SettableClock;
import berth.peers.MirrorStore;
import berth.peers.Peer;
import berth.peers.PeerStore;
import berth.peers.QuestionStore;
import berth.reservation.ClusterId;
import berth.reservation.Origin;
import berth.reservation.ReservationId;
import berth.runtime.Threads;
import berth.scheduling.places.Preference;
import berth.service.Door;
import berth.sla.AccountLimits;
import berth.sla.AccountName;
import berth.sla.Leeway;
import berth.sla.RequestedTerms;
import berth.sla.ServiceClass;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.lang.reflect.Proxy;
import java.math.BigDecimal;
import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Set;
import java.util.UUID;
import org.junit.jupiter.api.Test;

class BrokerTest {

    private static final Instant START = Instant.parse("2027-01-01T12:00:00Z");
    private static final Cluster HERE = Cluster.of("here", 4);
    private static final Cluster THERE = Cluster.of("there", 4);

    /** Returns a stand-in for a store that is not needed. */
    private static <T> T unused(Class<T> store) {
        return store.cast(Proxy.newProxyInstance(store.getClassLoader(), new Class<?>[] {store}, (_, method, _) -> {
            if (method.getReturnType() == List.class) {
                return List.of();
            }
            if (method.getReturnType() == Optional.class) {
                return Optional.empty();
            }
            throw new AssertionError("Nobody needs " + method);
        }));
    }

    private static final PeerStore PEERS = new PeerStore() {

        @Override
        public UUID instance() {
            return new UUID(0, 1);
        }

        @Override
        public List<Peer> all() {
            return List.of(new Peer(
                    THERE.id(),
                    URI.create("http://berth"),
                    "token",
                    THERE.id(),
                    Door.card(THERE),
                    START.getEpochSecond(),
                    1));
        }

        @Override
        public void put(Peer peer) {
            throw new AssertionError();
        }

        @Override
        public OptionalInt lastVersion(ClusterId id) {
            return OptionalInt.empty();
        }

        @Override
        public void remove(ClusterId id) {
            throw new AssertionError();
        }
    };

    /** A test of the yard found this case: the service was stopped during a request, which failed. */
    @Test
    void aClosingBrokerAsksNoOtherBerth() {
        var clock = new SettableClock(START);
        var threads = Threads.OF_THE_JVM;
        var ledger = new MemoryLedger(HERE);
        try (var desks = new Desks(
                        ledger,
                        ledger,
                        NoBudgets.none(),
                        threads,
                        clock,
                        Duration.ofSeconds(20),
                        new SimpleMeterRegistry());
                var rounds = new Rounds(desks, new AdmissionControl(desks), threads, clock, _ -> AccountLimits.NONE);
                var broker = new WholeBroker(
                        desks,
                        ledger,
                        rounds,
                        new WholeBroker.Stores(
                                unused(MirrorStore.class),
                                unused(QuestionStore.class),
                                unused(CoallocationStore.class),
                                unused(IntakeStore.class),
                                PEERS),
                        Intake.STANDARD,
                        _ -> AccountLimits.NONE,
                        Door.WIRE,
                        (_, _, _, _, _) -> Optional.empty(),
                        threads,
                        clock)) {
            desks.recover(HERE);
            broker.close();

            assertThat(broker.reservations().reserveAnywhere(request(4), 5, Optional.empty()))
                    .isInstanceOf(Outcome.Granted.class);
            assertThat(broker.reservations().reserveAnywhere(request(5), 5, Optional.empty()))
                    .isInstanceOf(Outcome.Ended.class);
            assertThat(broker.reservations().reserveAnywhere(request(4), 5, Optional.empty()))
                    .isInstanceOf(Outcome.NoSlot.class);
        }
    }

    /** Returns a request for the next hour. */
    private static Request request(int pes) {
        long now = START.getEpochSecond();
        return new Request(
                new ReservationId(UUID.randomUUID()),
                new Origin(new AccountName("alice"), ServiceClass.STANDARD),
                AccountLimits.NONE,
                RequestedTerms.of(OptionalLong.of(now), OptionalLong.of(now + 3600), 3600, pes),
                OptionalLong.empty(),
                OptionalLong.empty(),
                Preference.EARLIEST_START,
                Optional.of(new Leeway(Optional.of(BigDecimal.ZERO), true)),
                Set.of());
    }
}
