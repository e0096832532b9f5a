package berth.experiment.whatif;

import static org.assertj.core.api.Assertions.assertThat;

import berth.cluster.Cluster;
import berth.experiment.whatif.WhatIfFigures.Delayed;
import berth.simulation.QueueSimulation;
import berth.workload.MixedWorkload;
import berth.workload.QueuedJob;
import berth.workload.ReservationRequest;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class WhatIfFiguresTest {
    private static final Cluster FOUR = Cluster.of("four", 4);

    @Test
    void comparesTheWaitsWithThoseOfTheSameJobsWithoutReservations() {
        var jobs = List.of(
                new QueuedJob(1, 0, 4, 100, 100), new QueuedJob(2, 5, 4, 100, 100), new QueuedJob(3, 5, 4, 100, 100));
        var workload = new MixedWorkload(jobs, List.of(new ReservationRequest(9, 5, 200, 250, 50, 4)));

        var figures = figures(workload);

        assertThat(figures.delayed()).containsExactly(new Delayed(250, 195, 245));
        assertThat(figures.change()).isEqualTo(50);
        assertThat(figures.totalExtra()).isEqualTo(50 / 3600.0);
        assertThat(figures.meanExtra()).isEqualTo(50);
        assertThat(figures.growth()).isEqualTo(100 * 50 / 300.0);
        assertThat(figures.growthOfAll()).isEqualTo(figures.growth());
        assertThat(figures.success()).isEqualTo(100);
        assertThat(figures.inTenHours()).isEqualTo(100);
    }

    @Test
    void looksAtTheFifthOfTheRequestsThatWereMadeAtTheHighestLoad() {
        var jobs = List.of(new QueuedJob(1, 0, 4, 100, 100));
        var requests = IntStream.range(0, 10)
                .mapToObj(i -> new ReservationRequest(i, 10 * i, 10 * i, 10 * i + 5, 5, 4))
                .toList();

        var figures = figures(new MixedWorkload(jobs, requests));

        assertThat(figures.requests()).isEqualTo(10);
        assertThat(figures.granted()).isZero();
        assertThat(figures.pressed()).isEqualTo(2);
        assertThat(figures.pressedSuccess()).isZero();
        assertThat(figures.delayed()).isEmpty();
        assertThat(figures.meanExtra()).isZero();
        assertThat(figures.meanAffected()).isNaN();
    }

    private static WhatIfFigures figures(MixedWorkload workload) {
        return WhatIfFigures.of(
                QueueSimulation.run(FOUR, workload), QueueSimulation.run(FOUR, workload.withoutRequests()));
    }
}
