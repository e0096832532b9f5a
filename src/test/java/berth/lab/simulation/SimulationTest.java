package berth.lab.simulation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import berth.availability.PeSet;
import berth.cluster.Binding;
import berth.cluster.Cluster;
import berth.lab.simulation.JobOutcome.Accepted;
import berth.lab.simulation.JobOutcome.Alternative;
import berth.lab.simulation.JobOutcome.Refused;
import berth.lab.workload.AdaptiveRequest;
import berth.lab.workload.DeadlineRecipe;
import berth.lab.workload.LublinFeitelson;
import berth.lab.workload.ReservationRequest;
import berth.reservation.Placement;
import berth.scheduling.Rejection;
import berth.sla.Fixing;
import berth.sla.Moldability;
import berth.sla.Part;
import berth.sla.Preemption;
import berth.sla.ServiceClass;
import berth.time.Slot;
import berth.time.Window;
import java.math.BigDecimal;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

class SimulationTest {
    private static final Cluster FOUR = Cluster.of("four", 4);

    @Test
    void decidesEachRequestOnThePesThatEarlierOnesLeave() {
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
    void endsARunToTheSecond() {
        ReservationRequest first = request(1, 0, 0, 64_800, 64_800, 4);
        ReservationRequest second = request(2, 0, 61, 100, 39, 4);

        assertThat(Simulation.run(FOUR, List.of(Job.asReserved(first).endingAfter(61)))
                        .accepted())
                .extracting(Accepted::end)
                .containsExactly(61L);
        assertThatThrownBy(() -> Job.asReserved(second).endingAfter(40)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> Job.asReserved(second).endingAfter(0)).isInstanceOf(IllegalArgumentException.class);
        assertThat(Job.asReserved(second).endingAfter(39)).isEqualTo(Job.asReserved(second));
    }

    @Test
    void freesThePesOfARunThatEndsEarlyForTheNextRequest() {
        ReservationRequest first = request(1, 0, 0, 100, 100, 4);
        ReservationRequest second = request(2, 40, 40, 90, 50, 4);

        assertThat(Simulation.run(FOUR, List.of(Job.asReserved(first).taking(40), Job.asReserved(second)))
                        .accepted())
                .hasSize(2);
        assertThat(Simulation.run(FOUR, List.of(Job.asReserved(first).taking(41), Job.asReserved(second)))
                        .accepted())
                .hasSize(1);
        assertThat(Simulation.run(FOUR, List.of(Job.asReserved(first), Job.asReserved(second)))
                        .accepted())
                .hasSize(1);
    }

    @Test
    void endsARunEarlyBeforeAnotherStartsAtTheSameTime() {
        History history = Simulation.run(
                FOUR,
                List.of(
                        Job.asReserved(request(1, 0, 0, 100, 100, 4)).taking(30),
                        Job.asReserved(request(2, 1, 100, 200, 100, 4)).taking(20),
                        Job.asReserved(request(3, 50, 130, 200, 70, 4))));

        assertThat(slots(history)).containsExactly(new Slot(0, 30), new Slot(100, 120));
        assertThat(history.outcomes().get(2)).isInstanceOf(Refused.class);
    }

    @Test
    void countsRequestsByTheirOutcome() {
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
        // the second waits 50 s for its run of 100 s
        assertThat(figures.meanSlowdown()).isCloseTo((1 + 1.5) / 2, within(1e-12));
        assertThat(figures.utilisation()).isCloseTo((400 + 200) / (4.0 * 200), within(1e-12));
        assertThat(figures.offeredLoad()).isCloseTo((400 + 200 + 200 + 200) / (4.0 * 50), within(1e-12));
    }

    @Test
    void measuresTheSlowdownByTheTimeThatARunReallyTook() {
        Figures figures = Figures.of(Simulation.run(
                FOUR,
                List.of(
                        Job.asReserved(request(1, 0, 0, 100, 100, 4)),
                        Job.asReserved(request(2, 0, 0, 300, 100, 4)).taking(50))));

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
        JobOutcome outcome = three.outcomes().getFirst();

        new History(FOUR, List.of(outcome)).check();
        assertThatThrownBy(() -> new History(FOUR, List.of(outcome, outcome)).check())
                .isInstanceOf(BrokenRule.class)
                .hasMessageContaining("PEs that another run had");
        assertThatThrownBy(() -> new History(Cluster.of("two", 2), List.of(outcome)).check())
                .isInstanceOf(BrokenRule.class)
                .hasMessageContaining("the cluster does not have");
    }

    @Test
    void findsARunOutsideItsWindowAndOneInAnotherShape() {
        Accepted honest = Simulation.run(FOUR, List.of(Job.asReserved(request(1, 0, 0, 100, 100, 3))))
                .accepted()
                .getFirst();

        assertThatThrownBy(() -> checkAs(honest, request(1, 0, 1, 101, 100, 3)))
                .isInstanceOf(BrokenRule.class)
                .hasMessageContaining("outside its window");
        assertThatThrownBy(() -> checkAs(honest, request(1, 0, 0, 100, 90, 3)))
                .isInstanceOf(BrokenRule.class)
                .hasMessageContaining("a shape that its terms do not allow");
        assertThatThrownBy(() -> checkAs(honest, request(1, 0, 0, 100, 100, 2)))
                .isInstanceOf(BrokenRule.class)
                .hasMessageContaining("a shape that its terms do not allow");
    }

    @Test
    void findsARunThatTookAnotherShareOfItsEstimate() {
        Accepted honest = Simulation.run(FOUR, List.of(Job.asReserved(request(1, 0, 0, 100, 100, 3))))
                .accepted()
                .getFirst();
        var hasty = new Accepted(honest.job().taking(99), Optional.empty(), honest.places(), honest.reservation());

        assertThatThrownBy(() -> new History(FOUR, List.of(hasty)).check())
                .isInstanceOf(BrokenRule.class)
                .hasMessageContaining("longer or shorter");
    }

    @Test
    void findsUnwantedAlternativesAndWrongDistances() {
        var asked = request(1, 0, 0, 100, 100, 3);
        Accepted honest = Simulation.run(FOUR, List.of(Job.asReserved(request(1, 0, 50, 150, 100, 3))))
                .accepted()
                .getFirst();

        new History(FOUR, List.of(instead(honest, asked, "0.5", "0.5"))).check();
        assertThatThrownBy(() -> new History(FOUR, List.of(instead(honest, asked, "0.4", "1"))).check())
                .isInstanceOf(BrokenRule.class)
                .hasMessageContaining("whose distance is not the stated one");
        assertThatThrownBy(() -> new History(FOUR, List.of(instead(honest, asked, "0.5", "0.49"))).check())
                .isInstanceOf(BrokenRule.class)
                .hasMessageContaining("too far away");
        assertThatThrownBy(() ->
                        new History(FOUR, List.of(instead(honest, request(1, 0, 0, 100, 100, 2), "0.5", "1"))).check())
                .isInstanceOf(BrokenRule.class)
                .hasMessageContaining("more than its window");
    }

    @Test
    void findsMovesOfFinalPlacesAndOfRunsThatHaveBegun() {
        Accepted honest = Simulation.run(
                        FOUR,
                        List.of(
                                Job.asReserved(request(1, 0, 1000, 4000, 3000, 4)),
                                Job.asReserved(request(2, 0, 1000, 5000, 100, 3))))
                .accepted()
                .getLast();

        assertThatThrownBy(() -> new History(FOUR, List.of(movedFrom(honest, 3000, 2500))).check())
                .isInstanceOf(BrokenRule.class)
                .hasMessageContaining("after its place was final");
        assertThatThrownBy(() -> new History(FOUR, List.of(movedFrom(honest, 2000, 2000))).check())
                .isInstanceOf(BrokenRule.class)
                .hasMessageContaining("a part that had begun");
        new History(FOUR, List.of(movedFrom(honest, 3000, 500))).check();
    }

    @Test
    void findsABrokenPromiseEvenIfTheHistoryMisstatesTheFinalTime() {
        Accepted honest = Simulation.run(
                        FOUR,
                        List.of(
                                Job.asReserved(request(1, 0, 1000, 4000, 3000, 4)),
                                Job.asReserved(request(2, 0, 1000, 5000, 100, 3))))
                .accepted()
                .getLast();
        var hourAhead = new Fixing(Optional.empty(), OptionalLong.of(3600));
        var halfWay = new Fixing(Optional.of(new BigDecimal("0.5")), OptionalLong.empty());

        assertThatThrownBy(() -> checkMoved(honest, Fixing.BY_NOTICE, 3000, 2100))
                .isInstanceOf(BrokenRule.class)
                .hasMessageContaining("was moved within the notice");
        assertThatThrownBy(() -> checkMoved(honest, Fixing.BY_NOTICE, 4500, 3101))
                .isInstanceOf(BrokenRule.class)
                .hasMessageContaining("to a start within the notice");
        assertThatThrownBy(() -> checkMoved(honest, hourAhead, 4800, 1200))
                .isInstanceOf(BrokenRule.class)
                .hasMessageContaining("was moved within the notice");
        assertThatThrownBy(() -> checkMoved(honest, halfWay, 3000, 1500))
                .isInstanceOf(BrokenRule.class)
                .hasMessageContaining("after its share of the wait");
        checkMoved(honest, Fixing.BY_NOTICE, 3000, 2099);
        checkMoved(honest, Fixing.BY_NOTICE, 4500, 3100);
        checkMoved(honest, hourAhead, 4800, 400);
        checkMoved(honest, halfWay, 3000, 1499);
    }

    /** Checks the job as if it had moved at {@code at} from {@code start}, where its place was never final before. */
    private static void checkMoved(Accepted one, Fixing fixing, long start, long at) {
        var there = one.places().getFirst();
        var before = there.moved(Placement.of(List.of(Part.whole(Slot.of(start, 100), 3)), start), there.price(), 0);
        var moved = before.moved(there.placement(), there.price(), at);
        var job = one.job().fixed(fixing);
        new History(FOUR, List.of(new Accepted(job, Optional.empty(), List.of(before, moved), one.reservation())))
                .check();
    }

    @Test
    void findsARunOnOtherPesThanWereNamedAhead() {
        Cluster early = FOUR.bound(Binding.EARLY);
        Accepted honest = Simulation.run(early, List.of(Job.asReserved(request(1, 0, 1000, 1100, 100, 2))))
                .accepted()
                .getFirst();
        var named = honest.places().getFirst();
        var others = named.moved(
                Placement.of(
                        List.of(named.parts().getFirst().on(PeSet.range(2, 4))),
                        named.placement().fixesAt()),
                named.price(),
                0);
        var elsewhere = new Accepted(honest.job(), Optional.empty(), List.of(others), honest.reservation());

        new History(early, List.of(honest)).check();
        assertThatThrownBy(() -> new History(early, List.of(elsewhere)).check())
                .isInstanceOf(BrokenRule.class)
                .hasMessageContaining("other PEs than those announced");
    }

    /** Returns the job as if it had moved at {@code at} from {@code start} to the place where it ran. */
    private static Accepted movedFrom(Accepted one, long start, long at) {
        var there = one.places().getFirst();
        var before =
                there.moved(Placement.of(List.of(Part.whole(Slot.of(start, 100), 3)), start - 900), there.price(), 0);
        var moved = before.moved(there.placement(), there.price(), at);
        return new Accepted(one.job(), Optional.empty(), List.of(before, moved), one.reservation());
    }

    /** Returns the job as if it had been granted instead of {@code asked}. */
    private static Accepted instead(Accepted one, ReservationRequest asked, String phi, String most) {
        var alternative = new Alternative(one.job().terms(), OptionalLong.empty(), new BigDecimal(phi));
        return new Accepted(
                Job.asReserved(asked).orElseUpTo(new BigDecimal(most)),
                Optional.of(alternative),
                one.places(),
                one.reservation());
    }

    @Test
    void takesTheNearestAlternativeThatTheJobAllows() {
        var first = Job.asReserved(request(1, 0, 0, 100, 100, 4));
        var second = Job.asReserved(request(2, 0, 50, 150, 100, 4));

        History taken = Simulation.run(FOUR, List.of(first, second.orElseUpTo(new BigDecimal("0.5"))));
        assertThat(slots(taken)).containsExactly(new Slot(0, 100), new Slot(100, 200));
        assertThat(taken.accepted().getLast().alternative())
                .hasValueSatisfying(alternative -> assertThat(alternative.phi()).isEqualByComparingTo("0.5"));
        assertThat(Figures.of(taken).alternatives()).isEqualTo(1);
        assertThat(Figures.of(taken).meanPhi()).isEqualTo(0.5);

        History refused = Simulation.run(FOUR, List.of(first, second.orElseUpTo(new BigDecimal("0.49"))));
        assertThat(refused.outcomes().getLast()).isInstanceOf(Refused.class);
        assertThat(Figures.of(refused).meanPhi()).isNaN();
    }

    @Test
    void takesTheSlackOfTheJobAlong() {
        var first = Job.asReserved(request(1, 0, 0, 100, 100, 4));
        var second = Job.asReserved(request(2, 0, 50, 180, 100, 4));

        History taken = Simulation.run(FOUR, List.of(first, second.orElseUpTo(new BigDecimal("0.5"))));

        taken.check();
        var agreed = taken.accepted().getLast().reservation();
        assertThat(agreed.slot()).isEqualTo(new Slot(100, 200));
        assertThat(agreed.terms().window()).isEqualTo(new Window(100, 230));
        assertThat(taken.accepted().getLast().alternative())
                .hasValueSatisfying(alternative -> assertThat(alternative.phi()).isEqualByComparingTo("0.2"));
    }

    @Test
    void takesTheFarthestAlternativeIfTheJobAsksForIt() {
        var first = Job.asReserved(request(1, 0, 100, 200, 100, 4));
        var second = Job.asReserved(request(2, 0, 110, 210, 100, 4));
        var most = new BigDecimal("1.1");

        assertThat(slots(Simulation.run(FOUR, List.of(first, second.orElseUpTo(most)))))
                .containsExactly(new Slot(100, 200), new Slot(200, 300));
        assertThat(slots(Simulation.run(FOUR, List.of(first, second.orElse(most, Job.Choice.FARTHEST)))))
                .containsExactly(new Slot(100, 200), new Slot(0, 100));
    }

    @Test
    void followsAMoveAndNoneOnceThePlaceIsFinal() {
        var flexible = Job.asReserved(request(1, 0, 10_000, 20_000, 1000, 4));
        var strict = Job.asReserved(request(2, 5000, 10_000, 11_000, 1000, 4));

        History moved = Simulation.run(FOUR, List.of(flexible, strict));
        assertThat(slots(moved)).containsExactly(new Slot(11_000, 12_000), new Slot(10_000, 11_000));
        assertThat(moved.accepted().getFirst().places()).hasSize(2);
        assertThat(Figures.of(moved).moves()).isEqualTo(1);

        var pinned = flexible.fixed(new Fixing(Optional.of(new BigDecimal("0.5")), OptionalLong.empty()));
        History kept = Simulation.run(FOUR, List.of(pinned, strict));
        assertThat(slots(kept)).containsExactly(new Slot(10_000, 11_000));
        assertThat(Figures.of(kept).moves()).isZero();
    }

    @Test
    void endsASplitRunInThePartInWhichItIsDone() {
        var blocking = Job.asReserved(request(1, 0, 50, 60, 10, 4));
        var tenths = new Preemption(OptionalInt.empty(), new BigDecimal("0.1"), false);
        var split = Job.of(new AdaptiveRequest(
                request(2, 0, 0, 120, 100, 4), Optional.empty(), Optional.of(tenths), ServiceClass.STANDARD));

        assertThat(slots(Simulation.run(FOUR, List.of(blocking, split))))
                .containsExactly(new Slot(50, 60), new Slot(0, 50), new Slot(60, 110));
        assertThat(slots(Simulation.run(FOUR, List.of(blocking, split.taking(60)))))
                .containsExactly(new Slot(50, 60), new Slot(0, 50), new Slot(60, 70));
        assertThat(slots(Simulation.run(FOUR, List.of(blocking, split.taking(50)))))
                .containsExactly(new Slot(50, 60), new Slot(0, 50));
        assertThat(slots(Simulation.run(FOUR, List.of(blocking, split.taking(7)))))
                .containsExactly(new Slot(50, 60), new Slot(0, 7));
    }

    @Test
    void runsInANarrowerShapeIfThatEndsFirst() {
        var blocking = Job.asReserved(request(1, 0, 0, 500, 500, 2));
        var molded = Job.of(new AdaptiveRequest(
                request(2, 0, 0, 1000, 100, 4),
                Optional.of(new Moldability.Function(
                        2, 4, Moldability.Speedup.LINEAR, Optional.empty(), Moldability.AllowedPes.ANY)),
                Optional.empty(),
                ServiceClass.PREMIUM));

        History history = Simulation.run(FOUR, List.of(blocking, molded.taking(50)));

        assertThat(slots(history)).containsExactly(new Slot(0, 500), new Slot(0, 100));
        assertThat(history.accepted().getLast().reservation().origin().serviceClass())
                .isEqualTo(ServiceClass.PREMIUM);
    }

    @Test
    void endsARunInPartsWhenTheShareOfItsStepsIsDone() {
        Job job = Job.asReserved(request(1, 0, 0, 1000, 100, 4));
        List<Part> parts = List.of(
                Part.whole(new Slot(0, 40), 4).of(4),
                Part.whole(new Slot(100, 130), 2).of(2),
                Part.whole(new Slot(200, 240), 4).of(4));

        assertThat(job.end(parts)).isEqualTo(240);
        assertThat(job.taking(61).end(parts)).isEqualTo(201);
        assertThat(job.taking(60).end(parts)).isEqualTo(130);
        assertThat(job.taking(50).end(parts)).isEqualTo(115);
        assertThat(job.taking(41).end(parts)).isEqualTo(102);
        assertThat(job.taking(40).end(parts)).isEqualTo(40);
        assertThat(job.taking(1).end(parts)).isEqualTo(1);
    }

    private static void checkAs(Accepted one, ReservationRequest asked) {
        new History(
                        FOUR,
                        List.of(new Accepted(Job.asReserved(asked), Optional.empty(), one.places(), one.reservation())))
                .check();
    }

    private static Job runningHalf(ReservationRequest request) {
        return Job.asReserved(request).taking(50);
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
