package berth.scheduling.commands;

import static org.assertj.core.api.Assertions.assertThat;

import berth.availability.PlacementPolicy;
import berth.cluster.Binding;
import berth.cluster.Juggling;
import berth.cluster.ReplanOrder;
import berth.scheduling.Basis;
import berth.scheduling.ClusterSchedule;
import berth.scheduling.Decision;
import berth.scheduling.Event.ReservationEvent;
import berth.scheduling.Rejection;
import berth.scheduling.Request;
import berth.scheduling.SampleCluster;
import berth.sla.Part;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A place that was found earlier is reserved as {@link Reserve} would reserve it. */
class ReserveAtTest {

    private static final int PES = 16;

    private static ClusterSchedule empty(Binding binding, PlacementPolicy policy) {
        return ClusterSchedule.empty(SampleCluster.of(PES)
                .bound(binding)
                .horizon(86_400)
                .placement(policy)
                .juggling(Juggling.NEVER, ReplanOrder.FIFO)
                .cluster());
    }

    private static List<Part> parts(Decision.Accepted accepted) {
        return ((ReservationEvent) accepted.events().getFirst()).reservation().parts();
    }

    private static Request random(int number, Random random) {
        int pes = 1 + random.nextInt(PES / 2);
        long runTime = 60 * (1 + random.nextInt(20));
        long ready = random.nextInt(7_200);
        var request = Request.of(number, pes, runTime)
                .ready(ready)
                .deadline(ready + runTime * (1 + random.nextInt(6)) + 7_200);
        request = switch (random.nextInt(3)) {
            case 0 -> request.shapes("%d:%d %d:%d".formatted(2 * pes, runTime / 2 + 10, pes, runTime));
            case 1 -> request.split(2 + random.nextInt(2), "0.25", false);
            default -> request;
        };
        request = random.nextInt(3) == 0 ? request.budget(Integer.toString(1 + random.nextInt(40))) : request;
        return random.nextInt(4) == 0 ? request.hold(60) : request;
    }

    @ParameterizedTest
    @EnumSource
    void reservingAFoundPlaceMakesTheSameAgreement(Binding binding) {
        int granted = 0;
        for (var policy : List.of(PlacementPolicy.FIRST_FIT, PlacementPolicy.PE_DURATION_BEST_FIT)) {
            var random = new Random(1);
            var schedule = empty(binding, policy);
            for (int number = 0; number < 150; number++) {
                var request = random(number, random).reserve();
                if (request.decide(new Basis(schedule, 0)) instanceof Decision.Accepted accepted) {
                    assertThat(new ReserveAt(request, parts(accepted)).decide(new Basis(schedule, 0)))
                            .isEqualTo(accepted);
                    schedule = accepted.next();
                    granted++;
                }
            }
        }
        assertThat(granted).isGreaterThan(60);
    }

    @Test
    void aPlaceTakenMeanwhileIsNotGranted() {
        var schedule = empty(Binding.LATE, PlacementPolicy.FIRST_FIT);
        var request = Request.of(1, PES, 600).deadline(7_200).reserve();
        var found = parts((Decision.Accepted) request.decide(new Basis(schedule, 0)));
        var taken = ((Decision.Accepted) Request.of(2, 1, 60).reserve().decide(new Basis(schedule, 0))).next();

        assertThat(new ReserveAt(request, found).decide(new Basis(taken, 0)))
                .isEqualTo(new Decision.Rejected(new Rejection.NoSlot()));
    }

    @Test
    void aStartThatHasPassedIsNotGranted() {
        var schedule = empty(Binding.LATE, PlacementPolicy.FIRST_FIT);
        var request = Request.of(1, 4, 600).readyAtOnce().deadline(7_200).reserve();
        var found = parts((Decision.Accepted) request.decide(new Basis(schedule, 0)));

        assertThat(new ReserveAt(request, found).decide(new Basis(schedule, 1)))
                .isEqualTo(new Decision.Rejected(new Rejection.NoSlot()));
    }
}
