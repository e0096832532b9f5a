package berth.engine;

import static berth.engine.DeskSituation.ALICE;
import static berth.engine.DeskSituation.BOB;
import static org.assertj.core.api.Assertions.assertThat;

import berth.cluster.Cluster;
import berth.engine.Answer.KeyReused;
import berth.engine.Answer.Refused;
import berth.reservation.Origin;
import berth.reservation.ReservationId;
import berth.runtime.Gate;
import berth.runtime.Threads;
import berth.scheduling.Rejection;
import berth.scheduling.commands.Reserve;
import berth.sla.AccountLimits;
import berth.sla.AccountName;
import berth.sla.Leeway;
import berth.sla.RequestedTerms;
import berth.sla.ServiceClass;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Requests without room in the present places, which are examined beside the desk. */
class BesideTheDeskTest extends DeskSituation {

    private static final long HOUR = 3600;
    private static final int WAITING = 10_000;

    /** The distance between the beginnings of the waiting windows, in seconds. */
    private static final long WINDOW = 600;

    private static final Cluster LARGE = Cluster.of("large", 8);

    BesideTheDeskTest() {
        super(TINY, LARGE);
    }

    @Test
    void aRepeatedRequestReturnsTheAlternativeThatWasGranted() {
        granted(desks.decide(TINY.id(), reserveAtOne(4, HOUR)));

        var first = reserved(admission.admit(TINY.id(), orAnHourLater(ALICE), key(ALICE, "print")));
        var again = reserved(admission.admit(TINY.id(), orAnHourLater(ALICE), key(ALICE, "print")));

        assertThat(first.slot().start()).isEqualTo(ONE + HOUR);
        assertThat(again).isEqualTo(first);
        assertThat(admission.admit(TINY.id(), orAnHourLater(ALICE), key(ALICE, "another print")))
                .isInstanceOf(KeyReused.class);
        assertThat(schedule().reservations()).hasSize(2);
    }

    /** Refusals are not kept: once there is room, a repeated request is granted as it was requested. */
    @Test
    void aRequestThatWasRefusedBesideTheDeskMayComeAgainUnderItsKey() {
        var inTheWay = reserved(desks.decide(TINY.id(), reserveAtOne(4, HOUR)));
        var wanted = new Booking(ALICE, AccountLimits.NONE, from(ALICE, ONE, ONE + HOUR, HOUR, 4));

        assertThat(admission.admit(TINY.id(), wanted, key(ALICE, "print"))).isInstanceOf(Refused.class);
        granted(desks.decide(TINY.id(), cancel(inTheWay)));

        assertThat(reserved(admission.admit(TINY.id(), wanted, key(ALICE, "print")))
                        .slot()
                        .start())
                .isEqualTo(ONE);
    }

    @Test
    void anAccountAtItsLimitGetsNoPlaceByMovingOthersEither() {
        granted(admission.admit(TINY.id(), booking(BOB, AccountLimits.NONE, ONE, ONE + 4 * HOUR, 4), Optional.empty()));
        var limits = new AccountLimits(OptionalInt.of(1), OptionalInt.empty(), OptionalLong.empty());

        var moved = reserved(admission.admit(TINY.id(), booking(ALICE, limits, ONE, ONE + HOUR, 4), Optional.empty()));
        var before = schedule();
        var answer =
                admission.admit(TINY.id(), booking(ALICE, limits, ONE + HOUR, ONE + 2 * HOUR, 4), Optional.empty());

        assertThat(moved.slot().start()).isEqualTo(ONE);
        assertThat(answer)
                .isInstanceOfSatisfying(
                        Refused.class,
                        refused -> assertThat(refused.reason()).isInstanceOf(Rejection.LimitExceeded.class));
        assertThat(schedule()).isEqualTo(before);
        granted(desks.decide(TINY.id(), cancel(moved)));
        granted(admission.admit(TINY.id(), booking(ALICE, limits, ONE + HOUR, ONE + 2 * HOUR, 4), Optional.empty()));
    }

    @Test
    void anAccountAtItsLimitGetsNoAlternativeEither() {
        granted(admission.admit(TINY.id(), booking(BOB, AccountLimits.NONE, ONE, ONE + HOUR, 4), Optional.empty()));
        var limits = new AccountLimits(OptionalInt.of(1), OptionalInt.empty(), OptionalLong.empty());
        granted(admission.admit(
                TINY.id(), booking(ALICE, limits, ONE + 5 * HOUR, ONE + 6 * HOUR, 1), Optional.empty()));

        var answer = admission.admit(TINY.id(), orAnHourLater(ALICE, limits), Optional.empty());

        assertThat(answer)
                .isInstanceOfSatisfying(
                        Refused.class,
                        refused -> assertThat(refused.reason()).isInstanceOf(Rejection.LimitExceeded.class));
        assertThat(schedule().reservations()).hasSize(2);
    }

    @Test
    @Timeout(240)
    void aFloodOfImpossibleRequestsIntoALongQueueIsRefusedAndOthersAreServed() {
        var desk = desks.desk(LARGE.id());
        var waiting = IntStream.range(0, WAITING)
                .mapToObj(i -> desk.submit(from(BOB, window(i), window(i + 1), WINDOW - 120, 7), Optional.empty()))
                .toList();
        waiting.forEach(pending -> granted(pending.await(Threads.OF_THE_JVM, PATIENCE)));
        var isOver = new AtomicBoolean();
        Set<Class<?>> heard = ConcurrentHashMap.newKeySet();
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            for (int i = 0; i < 2 * Desks.MAX_WAITING; i++) {
                threads.execute(() -> {
                    do {
                        heard.add(outcomeOfTheImpossible());
                    } while (!isOver.get());
                });
            }
            try {
                while (heard.isEmpty()) {
                    Thread.onSpinWait();
                }
                for (int i = 0; i < 20; i++) {
                    var small = new Booking(ALICE, AccountLimits.NONE, from(ALICE, window(i), window(i + 1), 60, 1));
                    granted(admission.admit(LARGE.id(), small, Optional.empty()));
                }
            } finally {
                isOver.set(true);
            }
        }

        assertThat(heard)
                .contains(Refused.class, Gate.Overloaded.class)
                .isSubsetOf(Refused.class, Gate.Overloaded.class, Gate.Unanswered.class);
        assertThat(desks.schedule(LARGE.id()).orElseThrow().reservations()).hasSize(WAITING + 20);
    }

    /** Requests all PEs for five minutes, when at most four are free at a time. */
    private Class<?> outcomeOfTheImpossible() {
        var mallory = new AccountName("mallory");
        var impossible = new Booking(mallory, AccountLimits.NONE, from(mallory, window(100), window(200), 300, 8));
        try {
            return admission.admit(LARGE.id(), impossible, Optional.empty()).getClass();
        } catch (Gate.Overloaded | Gate.Unanswered e) {
            return e.getClass();
        }
    }

    private static long window(int number) {
        return ONE + number * WINDOW;
    }

    private static Booking booking(AccountName owner, AccountLimits limits, long readyTime, long deadline, int pes) {
        return new Booking(owner, limits, from(owner, readyTime, deadline, HOUR, pes));
    }

    /** Requests all PEs for an hour from one o'clock, or else the nearest hour later. */
    private static Booking orAnHourLater(AccountName owner) {
        return orAnHourLater(owner, AccountLimits.NONE);
    }

    private static Booking orAnHourLater(AccountName owner, AccountLimits limits) {
        var request = from(owner, ONE, ONE + HOUR, HOUR, 4);
        return new Booking(owner, limits, request)
                .orElse(new Booking.Fallback(request, Optional.of(Leeway.ANY), Optional.empty()));
    }

    private static Reserve from(AccountName owner, long readyTime, long deadline, long duration, int pes) {
        return new Reserve(
                new ReservationId(UUID.randomUUID()),
                new Origin(owner, ServiceClass.STANDARD),
                RequestedTerms.of(OptionalLong.of(readyTime), OptionalLong.of(deadline), duration, pes),
                OptionalLong.empty(),
                OptionalLong.empty());
    }
}
