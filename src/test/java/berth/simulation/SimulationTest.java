package berth.simulation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import berth.cluster.Cluster;
import berth.scheduling.Rejection;
import berth.simulation.Outcome.Accepted;
import berth.simulation.Outcome.Refused;
import berth.sla.Part;
import berth.time.Slot;
import berth.workload.DeadlineRecipe;
import berth.workload.LublinFeitelson;
import berth.workload.ReservationRequest;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class SimulationTest {
    private static final Cluster FOUR = Cluster.of("four", 4);

    @Test
    void decidesEachRequestOnWhatThoseBeforeItHaveLeft() {
        History history = Simulation.run(
                FOUR,
                List.of(
                        Job.asReserved(request(1, 0, 10, 110, 100, 3)),
                        Job.asReserved(request(2, 5, 10, 110, 100, 2)),
                        Job.asReserved(request(3, 5, 10, 300, 100, 2))));

        assertThat(slots(history)).containsExactly(new Slot(10, 110), new Slot(110, 210));
        assertThat(history.outcomes().get(1))
                .isInstanceOfSatisfying(
                        Refused.class, refused -> assertThat(refused.reason()).isInstanceOf(Rejection.NoSlot.class));
    }

    @Test
    void freesThePesOfARunThatEndsEarlyForTheNextRequest() {
        ReservationRequest first = request(1, 0, 0, 100, 100, 4);
        ReservationRequest second = request(2, 40, 40, 90, 50, 4);

        assertThat(Simulation.run(FOUR, List.of(new Job(first, 40), Job.asReserved(second)))
                        .accepted())
                .hasSize(2);
        assertThat(Simulation.run(FOUR, List.of(new Job(first, 41), Job.asReserved(second)))
                        .accepted())
                .hasSize(1);
        assertThat(Simulation.run(FOUR, List.of(Job.asReserved(first), Job.asReserved(second)))
                        .accepted())
                .hasSize(1);
    }

    @Test
    void endsARunThatWouldTakeLongerThanItsSlotWhenTheSlotEnds() {
        History history = Simulation.run(FOUR, List.of(new Job(request(1, 0, 0, 200, 100, 4), 1000)));

        assertThat(slots(history)).containsExactly(new Slot(0, 100));
    }

    @Test
    void letsTheEarlyEndOfOneRunComeBeforeTheStartOfAnother() {
        History history = Simulation.run(
                FOUR,
                List.of(
                        new Job(request(1, 0, 0, 100, 100, 4), 30),
                        new Job(request(2, 1, 100, 200, 100, 4), 20),
                        Job.asReserved(request(3, 50, 130, 200, 70, 4))));

        assertThat(slots(history)).containsExactly(new Slot(0, 30), new Slot(100, 120));
        assertThat(history.outcomes().get(2)).isInstanceOf(Refused.class);
    }

    @Test
    void countsWhatBecameOfTheRequests() {
        Figures figures = Figures.of(Simulation.run(
                FOUR,
                List.of(
                        Job.asReserved(request(1, 0, 0, 100, 100, 4)),
                        Job.asReserved(request(2, 0, 50, 300, 100, 2)),
                        Job.asReserved(request(3, 40, 40, 90, 50, 4)),
                        Job.asReserved(request(4, 50, 50, 90, 40, 5)))));

        assertThat(figures.requests()).isEqualTo(4);
        assertThat(figures.accepted()).isEqualTo(2);
        assertThat(figures.acceptance()).isEqualTo(0.5);
        assertThat(figures.refused()).isEqualTo(Map.of("no-slot", 1, "never-fits", 1));
        // the second waits 50 s for its 100 s
        assertThat(figures.meanSlowdown()).isCloseTo((1 + 1.5) / 2, within(1e-12));
        assertThat(figures.utilisation()).isCloseTo((400 + 200) / (4.0 * 200), within(1e-12));
        assertThat(figures.offeredLoad()).isCloseTo((400 + 200 + 200 + 200) / (4.0 * 50), within(1e-12));
    }

    @Test
    void measuresTheSlowdownByTheTimeThatARunReallyTook() {
        Figures figures = Figures.of(Simulation.run(
                FOUR,
                List.of(Job.asReserved(request(1, 0, 0, 100, 100, 4)), new Job(request(2, 0, 0, 300, 100, 4), 50))));

        assertThat(figures.meanSlowdown()).isCloseTo((1 + 150 / 50.0) / 2, within(1e-12));
    }

    @Test
    void givesTheSameHistoryForTheSameJobs() {
        List<Job> jobs = new DeadlineRecipe(LublinFeitelson.connectionMachine(7).withMeanGap(500), 1, 3, 3)
                .requests(5, 500).stream().map(SimulationTest::runningHalf).toList();
        Cluster cluster = Cluster.of("cm5", 1024);

        History history = Simulation.run(cluster, jobs);

        assertThat(Simulation.run(cluster, jobs)).isEqualTo(history);
        assertThat(history.accepted()).hasSizeBetween(100, 499);
    }

    @Test
    void findsAHistoryInWhichTwoRunsHoldAPeAtOnce() {
        History three = Simulation.run(FOUR, List.of(Job.asReserved(request(1, 0, 0, 100, 100, 3))));
        Outcome outcome = three.outcomes().getFirst();

        new History(FOUR, List.of(outcome)).check();
        assertThatThrownBy(() -> new History(FOUR, List.of(outcome, outcome)).check())
                .isInstanceOf(BrokenRule.class)
                .hasMessageContaining("others held");
        assertThatThrownBy(() -> new History(Cluster.of("two", 2), List.of(outcome)).check())
                .isInstanceOf(BrokenRule.class)
                .hasMessageContaining("there are not");
    }

    @Test
    void findsARunOutsideItsWindowAndOneOfAnotherLength() {
        Accepted honest = Simulation.run(FOUR, List.of(Job.asReserved(request(1, 0, 0, 100, 100, 3))))
                .accepted()
                .getFirst();

        assertThatThrownBy(() -> checkAs(honest, request(1, 0, 1, 101, 100, 3)))
                .isInstanceOf(BrokenRule.class)
                .hasMessageContaining("outside its window");
        assertThatThrownBy(() -> checkAs(honest, request(1, 0, 0, 100, 90, 3)))
                .isInstanceOf(BrokenRule.class)
                .hasMessageContaining("another time");
        assertThatThrownBy(() -> checkAs(honest, request(1, 0, 0, 100, 100, 2)))
                .isInstanceOf(BrokenRule.class)
                .hasMessageContaining("another number of PEs");
    }

    private static void checkAs(Accepted one, ReservationRequest asked) {
        new History(FOUR, List.of(new Accepted(Job.asReserved(asked), one.reservation()))).check();
    }

    private static Job runningHalf(ReservationRequest request) {
        return new Job(request, request.duration() / 2);
    }

    private static List<Slot> slots(History history) {
        return history.accepted().stream()
                .flatMap(one -> one.occupied().stream().map(Part::slot))
                .toList();
    }

    private static ReservationRequest request(
            long job, long submit, long readyTime, long deadline, long duration, int pes) {
        return new ReservationRequest(job, submit, readyTime, deadline, duration, pes);
    }
}
