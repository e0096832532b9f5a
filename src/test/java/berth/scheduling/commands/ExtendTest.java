package berth.scheduling.commands;

import static org.assertj.core.api.Assertions.assertThat;

import berth.cluster.Binding;
import berth.cluster.Juggling;
import berth.cluster.ReplanOrder;
import berth.reservation.Reservation;
import berth.reservation.ReservationId;
import berth.scheduling.Basis;
import berth.scheduling.ClusterSchedule;
import berth.scheduling.Decision;
import berth.scheduling.Event.ReservationEvent;
import berth.scheduling.Rejection;
import berth.scheduling.Request;
import berth.scheduling.SampleCluster;
import berth.scheduling.Target;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Random;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class ExtendTest {

    private static final int PES = 8;
    private static final int MAX = 90;

    private static ClusterSchedule empty(Binding binding) {
        return ClusterSchedule.empty(SampleCluster.of(PES)
                .bound(binding)
                .horizon(100_000)
                .juggling(Juggling.NEVER, ReplanOrder.FIFO)
                .cluster());
    }

    private static ClusterSchedule after(ClusterSchedule schedule, Command command) {
        return ((Decision.Accepted) command.decide(new Basis(schedule, 0))).next();
    }

    private static Decision extend(ClusterSchedule schedule, Reservation which, long by, long atLeast) {
        var target = new Target(which.id(), OptionalInt.empty());
        return new Extend(target, by, atLeast).decide(new Basis(schedule, 0));
    }

    private static Decision longer(ClusterSchedule schedule, Reservation which, long seconds) {
        return Request.like(which)
                .duration(which.terms().duration() + seconds)
                .deadline(
                        Math.max(which.terms().window().deadline(), which.slot().end() + seconds))
                .renegotiate()
                .decide(new Basis(schedule, 0));
    }

    private static long gained(Decision decision, Reservation before) {
        var after = ((ReservationEvent) ((Decision.Accepted) decision).events().getFirst()).reservation();
        return after.slot().duration() - before.slot().duration();
    }

    private static Reservation find(ClusterSchedule schedule, int number) {
        return schedule.find(Request.id(number)).orElseThrow();
    }

    @ParameterizedTest
    @EnumSource
    void anExtensionIsTheLongestThatARenegotiationCouldGet(Binding binding) {
        var random = new Random(1);
        int between = 0;
        for (int round = 0; round < 40; round++) {
            var schedule = empty(binding);
            for (int number = 0; number < 12; number++) {
                long ready = random.nextInt(300);
                var request = Request.of(number, 1 + random.nextInt(PES), 20 + random.nextInt(60))
                        .ready(ready)
                        .deadline(ready + 200);
                request = random.nextInt(3) == 0 ? request.budget(Integer.toString(1 + random.nextInt(9))) : request;
                if (request.reserve().decide(new Basis(schedule, 0)) instanceof Decision.Accepted accepted) {
                    schedule = accepted.next();
                }
            }
            var before = schedule;
            for (var each : schedule.reservations()) {
                long atLeast = 1 + random.nextInt(10);
                long by = atLeast + random.nextInt(MAX);
                var longest = LongStream.rangeClosed(atLeast, by)
                        .filter(seconds -> longer(before, each, seconds) instanceof Decision.Accepted)
                        .max();
                var decision = extend(schedule, each, by, atLeast);
                assertThat(decision instanceof Decision.Accepted)
                        .as("%s by %d, at least %d", each, by, atLeast)
                        .isEqualTo(longest.isPresent());
                if (longest.isPresent()) {
                    assertThat(OptionalLong.of(gained(decision, each))).isEqualTo(longest);
                    between += longest.getAsLong() < by ? 1 : 0;
                }
            }
        }
        assertThat(between).isGreaterThan(20);
    }

    @Test
    void aRunGoesOnUntilTheNextOne() {
        var schedule = after(
                empty(Binding.LATE),
                Request.of(1, PES, 100).ready(10).deadline(110).reserve());
        schedule =
                after(schedule, Request.of(2, PES, 100).ready(150).deadline(250).reserve());

        assertThat(gained(extend(schedule, find(schedule, 1), 3_600, 10), find(schedule, 1)))
                .isEqualTo(40);
        assertThat(extend(schedule, find(schedule, 1), 3_600, 41))
                .isEqualTo(new Decision.Rejected(new Rejection.NoSlot()));
        assertThat(gained(extend(schedule, find(schedule, 2), 3_600, 10), find(schedule, 2)))
                .isEqualTo(3_600);
    }

    @Test
    void impossibleExtensionsAreRejected() {
        var schedule = after(
                empty(Binding.LATE),
                Request.of(1, 4, 100).ready(10).shapes("4:100 2:180").reserve());
        var moldable = find(schedule, 1);

        assertThat(extend(schedule, moldable, 60, 60)).isInstanceOf(Decision.Rejected.class);
        assertThat(extend(schedule, moldable, 60, 61)).isInstanceOf(Decision.Rejected.class);
        assertThat(extend(schedule, moldable, 60, 0)).isInstanceOf(Decision.Rejected.class);
        ReservationId nobody = Request.id(99);
        assertThat(new Extend(new Target(nobody, OptionalInt.empty()), 60, 60).decide(new Basis(schedule, 0)))
                .isInstanceOf(Decision.Rejected.class);
    }
}
