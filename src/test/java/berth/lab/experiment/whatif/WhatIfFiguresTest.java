package berth.lab.experiment.whatif;

import static org.assertj.core.api.Assertions.assertThat;

import berth.cluster.Cluster;
import berth.lab.experiment.whatif.Delays.Delayed;
import berth.lab.simulation.QueueSimulation;
import berth.lab.workload.MixedWorkload;
import berth.lab.workload.QueuedJob;
import berth.lab.workload.ReservationRequest;
import java.util.List;
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
        assertThat(figures.withoutTimes().delayed()).isEmpty();
        assertThat(figures.withoutTimes().totalExtra()).isEqualTo(figures.totalExtra());
    }

    @Test
    void leavesReservationsOutOfTheBacklogOfJobs() {
        var jobs = List.of(new QueuedJob(1, 0, 1, 10, 10), new QueuedJob(2, 3000, 4, 1000, 1000));
        var requests = List.of(
                new ReservationRequest(3, 0, 100, 2100, 2000, 4),
                new ReservationRequest(4, 1, 200, 205, 5, 4),
                new ReservationRequest(5, 3001, 4000, 4005, 5, 4),
                new ReservationRequest(6, 6000, 7000, 7005, 5, 4),
                new ReservationRequest(7, 6100, 7100, 7105, 5, 4));

        var figures = figures(new MixedWorkload(jobs, requests));

        // the reserved time is greatest at the second request, which is refused; the backlog of jobs is greatest at the
        // third
        assertThat(figures.granted()).isEqualTo(4);
        assertThat(figures.pressed().requests()).isEqualTo(1);
        assertThat(figures.pressed().success()).isZero();
        assertThat(figures.pressed().successByJobs()).isEqualTo(100);
    }

    private static WhatIfFigures figures(MixedWorkload workload) {
        return WhatIfFigures.of(
                QueueSimulation.run(FOUR, workload), QueueSimulation.run(FOUR, workload.withoutRequests()));
    }
}
