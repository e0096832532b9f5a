package berth.scheduling;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import berth.availability.PeSet;
import berth.batch.BatchJob;
import berth.batch.JobId;
import berth.batch.JobSource;
import berth.batch.JobState;
import berth.cluster.Binding;
import berth.cluster.JobIntake;
import berth.cluster.Juggling;
import berth.cluster.ReplanOrder;
import berth.reservation.ClusterId;
import berth.scheduling.Event.JobEvent;
import berth.scheduling.Event.OutageEvent;
import berth.scheduling.commands.CancelJob;
import berth.scheduling.commands.CompleteJob;
import berth.scheduling.commands.EndOutage;
import berth.scheduling.commands.ReplaceJobs;
import berth.scheduling.commands.ReplaceJobs.OutsideJob;
import berth.scheduling.commands.StartJobs;
import berth.scheduling.commands.SubmitJob;
import berth.sla.AccountName;
import berth.sla.Part;
import berth.time.Slot;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.UUID;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Paper 001, section 2: jobs beside reservations, on ten PEs. */
class BatchJobsTest {

    private static final AccountName ADA = new AccountName("ada");
    private static final AccountName BOB = new AccountName("bob");

    private final LiveCluster cluster = LiveCluster.of(10);

    private static JobId id(int number) {
        return new JobId(new UUID(7, number));
    }

    private void submit(int number, int pes, long estimate) {
        cluster.happens(new SubmitJob(id(number), ADA, Optional.empty(), pes, estimate));
        start();
    }

    private void handedInBy(JobIntake whom) {
        cluster.change(SampleCluster.like(cluster.schedule().cluster()).jobs(whom));
    }

    /** The source of the jobs does not depend on whether there are any. */
    @Test
    void theClusterDecidesWhichSourceFillsItsEmptyQueue() {
        assertThat(cluster.refuse(new ReplaceJobs(List.of()))).isEqualTo(new Rejection.OtherSource(JobSource.BERTH));

        handedInBy(JobIntake.OUTSIDE);
        assertThat(cluster.refuse(new SubmitJob(id(1), ADA, Optional.empty(), 1, 1)))
                .isEqualTo(new Rejection.OtherSource(JobSource.OUTSIDE));
        cluster.happens(new ReplaceJobs(List.of(waiting("a", 1, 10))));

        handedInBy(JobIntake.CLOSED);
        assertThat(cluster.refuse(new SubmitJob(id(1), ADA, Optional.empty(), 1, 1)))
                .isEqualTo(new Rejection.Closed());
        // reported jobs can be reported again until they are over
        cluster.happens(new ReplaceJobs(List.of()));
        assertThat(cluster.refuse(new ReplaceJobs(List.of(waiting("a", 1, 10)))))
                .isEqualTo(new Rejection.OtherSource(JobSource.BERTH));
    }

    @Test
    void runsNoLongerThanTheClusterLetsJobsRun() {
        cluster.change(SampleCluster.like(cluster.schedule().cluster()).maxJobDuration(100));

        assertThat(cluster.refusedField(new SubmitJob(id(1), ADA, Optional.empty(), 1, 101)))
                .isEqualTo("estimate");
        submit(1, 1, 100);
    }

    private void start() {
        cluster.happens(new StartJobs());
    }

    private void passTo(long second) {
        cluster.at(second).advance();
        start();
    }

    private BatchJob job(int number) {
        return cluster.schedule().jobs().find(id(number)).orElseThrow();
    }

    private Slot keptSlot() {
        return cluster.schedule().keptPlaces().getFirst().slot();
    }

    @Test
    void startsAtOnceWhereThereIsRoom() {
        submit(1, 4, 100);

        assertThat(job(1).state()).isEqualTo(JobState.RUNNING);
        assertThat(job(1).run().orElseThrow()).isEqualTo(BatchJob.Run.of(new Slot(0, 100), PeSet.range(0, 4)));
        assertThat(cluster.schedule().keptPlaces()).isEmpty();
        assertThat(cluster.schedule().profile().fewestFree(new Slot(0, 100))).isEqualTo(6);
    }

    @Test
    void theFirstWaitingJobKeepsTheEarliestPlaceBesideReservations() {
        submit(1, 6, 100);
        cluster.grant(Request.of(1, 6, 50).start(120));
        submit(2, 8, 30);

        // 20 s between the run and the reservation are too few
        assertThat(keptSlot()).isEqualTo(new Slot(170, 200));
        submit(3, 5, 20);
        assertThat(job(3).state()).isEqualTo(JobState.QUEUED);
        assertThat(keptSlot()).isEqualTo(new Slot(170, 200));
    }

    @Test
    void aReservationDoesNotGetThePlaceOfTheFirstWaitingJob() {
        submit(1, 6, 100);
        submit(2, 8, 30);

        assertThat(cluster.refuse(Request.of(1, 3, 10).start(100))).isEqualTo(new Rejection.NoSlot());
        assertThat(cluster.grant(Request.of(2, 3, 10).ready(100)).slot()).isEqualTo(new Slot(130, 140));
        assertThat(cluster.grant(Request.of(3, 2, 10).start(100)).slot()).isEqualTo(new Slot(100, 110));
    }

    @Test
    void aReservationMayTakeThePlannedPlacesOfLaterJobs() {
        submit(1, 10, 100);
        submit(2, 10, 100);
        submit(3, 10, 100);
        cluster.grant(Request.of(1, 10, 50).start(200));

        passTo(100);
        passTo(200);
        assertThat(keptSlot()).isEqualTo(new Slot(250, 350));
        assertThat(cluster.slot(1)).isEqualTo(new Slot(200, 250));
    }

    @Test
    void shortJobsStartEarlierIfTheyDoNotDelayTheFirst() {
        submit(1, 6, 100);
        submit(2, 10, 50);
        submit(3, 4, 101);
        submit(4, 4, 100);

        assertThat(job(3).state()).isEqualTo(JobState.QUEUED);
        assertThat(job(4).run().orElseThrow().start()).isZero();
        assertThat(keptSlot()).isEqualTo(new Slot(100, 150));

        passTo(100);
        assertThat(job(2).state()).isEqualTo(JobState.RUNNING);
        assertThat(keptSlot()).isEqualTo(new Slot(150, 251));
        passTo(150);
        assertThat(job(3).state()).isEqualTo(JobState.RUNNING);
    }

    @Test
    void anEarlyEndBringsTheNextForward() {
        submit(1, 10, 100);
        submit(2, 10, 50);
        cluster.at(40).happens(new CompleteJob(id(1)));
        start();

        assertThat(job(2).run().orElseThrow().start()).isEqualTo(40);
        assertThat(cluster.schedule().jobs().find(id(1))).isEmpty();
    }

    @Test
    void aJobEndsWhenItsEstimateIsOver() {
        submit(1, 10, 100);
        cluster.at(130);

        assertThat(cluster.advance())
                .extracting(Event::type, Event::at)
                .containsExactly(org.assertj.core.groups.Tuple.tuple(Event.Type.JOB_COMPLETED, 100L));
        assertThat(cluster.schedule()).isEqualTo(LiveCluster.of(10).schedule());
    }

    @Test
    void aCancelledJobLeavesItsPlaceToTheNext() {
        submit(1, 10, 100);
        submit(2, 10, 50);
        submit(3, 10, 20);
        cluster.happens(new CancelJob(id(2)));
        assertThat(keptSlot()).isEqualTo(new Slot(100, 120));
        cluster.happens(new CancelJob(id(1)));
        start();
        assertThat(job(3).state()).isEqualTo(JobState.RUNNING);
    }

    @Test
    void flexibleReservationsMoveAroundRunningJobsAndTheFirstWaitingJob() {
        var juggling = LiveCluster.of(
                SampleCluster.of(10).juggling(Juggling.ON_CONFLICT, ReplanOrder.EARLIEST_DEADLINE_FIRST));
        juggling.happens(new SubmitJob(id(1), ADA, Optional.empty(), 5, 100));
        juggling.happens(new StartJobs());
        juggling.happens(new SubmitJob(id(2), ADA, Optional.empty(), 6, 100));
        juggling.grant(Request.of(1, 5, 50).ready(10).deadline(900));
        juggling.happens(Request.of(2, 5, 90).deadline(100).start(10).reserve());

        assertThat(juggling.slot(2)).isEqualTo(new Slot(10, 100));
        // 4 PEs are free beside the first of the queue
        assertThat(juggling.slot(1)).isEqualTo(new Slot(200, 250));
        assertThat(juggling.schedule().keptPlaces()).extracting(Part::slot).containsExactly(new Slot(100, 200));
    }

    @Test
    void theShareThatReservationsMayNotTakeServesJobsFirst() {
        var half = LiveCluster.of(SampleCluster.of(10).reservableShare("0.5"));
        half.happens(new SubmitJob(id(1), ADA, Optional.empty(), 4, 100));
        half.happens(new StartJobs());
        half.grant(Request.of(1, 5, 50).start(0));
        assertThat(half.refuse(Request.of(2, 1, 10).start(0))).isEqualTo(new Rejection.NoSlot());

        half.happens(new SubmitJob(id(2), ADA, Optional.empty(), 7, 100));
        // from second 100 on, two of the PEs for reservations are kept for the head of the queue
        assertThat(half.schedule().keptPlaces()).extracting(Part::slot).containsExactly(new Slot(100, 200));
        assertThat(half.refuse(Request.of(3, 4, 10).start(150))).isEqualTo(new Rejection.NoSlot());
        assertThat(half.grant(Request.of(4, 3, 10).start(150)).slot()).isEqualTo(new Slot(150, 160));
        assertThat(half.refuse(Request.of(5, 6, 10).start(250))).isInstanceOf(Rejection.NeverFits.class);
        assertThat(half.grant(Request.of(6, 5, 10).start(200)).slot()).isEqualTo(new Slot(200, 210));
    }

    @Test
    void jobsLoseTheirPesBeforeReservationsDo() {
        submit(1, 3, 100);
        cluster.at(5);
        submit(2, 3, 100);
        cluster.grant(Request.of(1, 4, 50).start(5));
        var events = cluster.happens(LiveCluster.outage(1, 2, 5, 500));

        assertThat(events).extracting(Event::type).containsExactly(Event.Type.JOB_REQUEUED, Event.Type.OUTAGE_RECORDED);
        assertThat(((JobEvent) events.getFirst()).job()).isEqualTo(job(2));
        assertThat(job(2).state()).isEqualTo(JobState.QUEUED);
        assertThat(job(1).state()).isEqualTo(JobState.RUNNING);
        assertThat(((OutageEvent) events.getLast()).outage().failed()).isEmpty();
        assertThat(keptSlot()).isEqualTo(new Slot(55, 155));
    }

    @Test
    void aJobLosesAllItsPesIfOneIsOut() {
        var early = LiveCluster.of(SampleCluster.of(10).bound(Binding.EARLY));
        early.happens(new SubmitJob(id(1), ADA, Optional.empty(), 3, 100));
        early.happens(new SubmitJob(id(2), ADA, Optional.empty(), 3, 100));
        early.happens(new StartJobs());
        var events = early.happens(LiveCluster.outageOf(1, "2"));

        assertThat(events).extracting(Event::type).containsExactly(Event.Type.JOB_REQUEUED, Event.Type.OUTAGE_RECORDED);
        assertThat(((JobEvent) events.getFirst()).job().id()).isEqualTo(id(1));
        early.happens(new StartJobs());
        assertThat(early.schedule()
                        .jobs()
                        .find(id(1))
                        .orElseThrow()
                        .run()
                        .orElseThrow()
                        .peIds())
                .isEqualTo(PeSet.parse("0-1,6"));
    }

    @Test
    void aSmallerClusterStopsTheJobsThatBeganLast() {
        submit(1, 5, 100);
        cluster.at(1);
        submit(2, 5, 100);
        cluster.change(SampleCluster.of(7));
        start();

        assertThat(job(1).state()).isEqualTo(JobState.RUNNING);
        assertThat(job(2).state()).isEqualTo(JobState.QUEUED);
        assertThat(keptSlot()).isEqualTo(new Slot(100, 200));
    }

    @Test
    void rejectsImpossibleJobs() {
        assertThat(cluster.refusedField(new SubmitJob(id(1), ADA, Optional.empty(), 1, 0)))
                .isEqualTo("estimate");
        assertThat(cluster.refusedField(new SubmitJob(id(1), ADA, Optional.empty(), 1, LiveCluster.HORIZON + 1)))
                .isEqualTo("estimate");
        assertThat(cluster.refusedField(new SubmitJob(id(1), ADA, Optional.empty(), 0, 1)))
                .isEqualTo("pes");
        assertThat(cluster.refuse(new SubmitJob(id(1), ADA, Optional.empty(), 11, 1)))
                .isInstanceOf(Rejection.NeverFits.class);
        assertThat(cluster.refuse(new CompleteJob(id(1)))).isEqualTo(new Rejection.JobNotLive(id(1)));
        submit(2, 10, 10);
        submit(3, 10, 10);
        assertThat(cluster.refuse(new CompleteJob(id(3)))).isEqualTo(new Rejection.WrongJobState(JobState.QUEUED));
        assertThat(cluster.refuse(new ReplaceJobs(List.of()))).isEqualTo(new Rejection.OtherSource(JobSource.BERTH));
    }

    private static OutsideJob outside(String name, int pes, long estimate, long startedAt) {
        return new OutsideJob(name, BOB, pes, estimate, 0, OptionalLong.of(startedAt), Optional.empty());
    }

    private static OutsideJob waiting(String name, int pes, long estimate) {
        return new OutsideJob(name, BOB, pes, estimate, 0, OptionalLong.empty(), Optional.empty());
    }

    @Test
    void berthTakesOverAnOutsideQueueUnchanged() {
        handedInBy(JobIntake.OUTSIDE);
        cluster.at(50)
                .happens(new ReplaceJobs(List.of(outside("a", 6, 100, 20), waiting("b", 8, 30), waiting("c", 1, 5))));

        assertThat(cluster.happens(new StartJobs())).isEmpty();
        assertThat(cluster.schedule().jobs().running())
                .extracting(BatchJob::name)
                .containsExactly(Optional.of("a"));
        assertThat(keptSlot()).isEqualTo(new Slot(120, 150));
        assertThat(cluster.refuse(new SubmitJob(id(1), ADA, Optional.empty(), 1, 1)))
                .isEqualTo(new Rejection.OtherSource(JobSource.OUTSIDE));
        assertThat(cluster.refuse(new CancelJob(JobId.outside(new ClusterId("sp2"), "b"))))
                .isEqualTo(new Rejection.OtherSource(JobSource.OUTSIDE));

        assertThat(cluster.at(60)
                        .happens(new ReplaceJobs(
                                List.of(outside("a", 6, 100, 20), waiting("b", 8, 30), waiting("c", 1, 5)))))
                .isEmpty();
        cluster.at(70).happens(new ReplaceJobs(List.of(outside("b", 8, 30, 65))));
        assertThat(cluster.schedule().jobs().size()).isEqualTo(1);
        cluster.happens(new ReplaceJobs(List.of()));
        assertThat(cluster.schedule().jobs().isEmpty()).isTrue();
    }

    @Test
    void reservationsComeBeforeReportedJobs() {
        handedInBy(JobIntake.OUTSIDE);
        cluster.grant(Request.of(1, 6, 50).start(100));
        cluster.at(50)
                .happens(new ReplaceJobs(
                        List.of(outside("a", 6, 100, 20), outside("b", 4, 10, 20), outside("c", 1, 5, 20))));

        var running = cluster.schedule().jobs().running();
        // b has outrun its estimate; no PE is left for c
        assertThat(running).extracting(BatchJob::name).containsExactly(Optional.of("a"), Optional.of("b"));
        assertThat(running).extracting(job -> job.run().orElseThrow().until()).containsExactly(100L, 110L);
        passTo(100);
        assertThat(cluster.schedule().jobs().running()).hasSize(1);
        assertThat(cluster.latest(1).placement().parts().getFirst().peIds()).contains(PeSet.range(0, 6));
    }

    private static OutsideJob on(String name, PeSet peIds, long startedAt) {
        return new OutsideJob(name, BOB, peIds.size(), 100, 0, OptionalLong.of(startedAt), Optional.of(peIds));
    }

    @Test
    void aReportedJobHasTheReportedPes() {
        var early = LiveCluster.of(SampleCluster.of(10).bound(Binding.EARLY).jobs(JobIntake.OUTSIDE));
        early.grant(Request.of(1, 4, 50).start(100));
        var some = outside("some", 2, 100, 20);
        early.at(50)
                .happens(new ReplaceJobs(
                        List.of(some, on("upper", PeSet.range(6, 9), 20), on("lower", PeSet.range(0, 2), 20))));

        assertThat(early.schedule().jobs().running())
                .extracting(job -> job.run().orElseThrow().peIds())
                .containsExactly(PeSet.range(4, 6), PeSet.range(6, 9), PeSet.range(0, 2));
        // the reservation has PEs 0 to 3 from 100 on
        assertThat(early.schedule().jobs().running())
                .extracting(job -> job.run().orElseThrow().until())
                .containsExactly(120L, 120L, 100L);
        // the new request lies on none of them
        early.grant(Request.of(2, 3, 10).start(50));
        assertThat(early.latest(2).placement().parts().getFirst().peIds()).contains(PeSet.of(2, 3, 9));

        // whatever its PEs were before, it is where the report says
        assertThat(early.happens(new ReplaceJobs(
                        List.of(some, on("upper", PeSet.range(6, 9), 20), on("lower", PeSet.range(0, 2), 20)))))
                .isEmpty();
        early.happens(new ReplaceJobs(List.of(some, on("upper", PeSet.range(5, 8), 20), on("lower", PeSet.of(2), 20))));
        // PE 2 is the second reservation's
        assertThat(early.schedule().jobs().running())
                .extracting(job -> job.run().orElseThrow().peIds())
                .containsExactly(PeSet.of(4, 8), PeSet.range(5, 8));
    }

    @Test
    void impossibleReportedJobsAreLeftOut() {
        handedInBy(JobIntake.OUTSIDE);
        cluster.at(50);
        leavesOut("name", waiting("good", 1, 1));
        leavesOut("estimate", waiting("a", 1, 0));
        leavesOut("startedAt", outside("a", 1, 1, 500));
        leavesOut("pes", waiting("a", 11, 1));
        leavesOut(
                "owner", new OutsideJob("a", new AccountName("_apt"), 1, 1, 0, OptionalLong.empty(), Optional.empty()));
        leavesOut("peIds", on("a", PeSet.of(1), 0));

        cluster.happens(new ReplaceJobs(List.of()));
        cluster.change(SampleCluster.like(cluster.schedule().cluster()).bound(Binding.EARLY));
        leavesOut("peIds", on("a", PeSet.of(10), 0));
        leavesOut("peIds", new OutsideJob("a", BOB, 1, 1, 0, OptionalLong.empty(), Optional.of(PeSet.of(1))));
        leavesOut("pes", new OutsideJob("a", BOB, 2, 1, 0, OptionalLong.of(0), Optional.of(PeSet.of(1))));
    }

    private void leavesOut(String field, OutsideJob wrong) {
        cluster.happens(new ReplaceJobs(List.of()));
        var told = new ReplaceJobs(List.of(waiting("good", 1, 1), wrong, outside("other", 1, 100, 20)));

        cluster.happens(told);

        assertThat(told.leftOut(cluster.schedule().cluster(), 50))
                .extracting(LeftOut::index, left -> left.why().field())
                .containsExactly(tuple(1, "jobs[1]." + field));
        assertThat(cluster.schedule().jobs().all())
                .extracting(BatchJob::name, BatchJob::rank)
                .containsExactlyInAnyOrder(tuple(Optional.of("good"), 0L), tuple(Optional.of("other"), 2L));
    }

    @Test
    void aQueueOfManyRunningJobsIsTakenBesidePesThatStayFree() {
        int many = 6_000;
        var large = LiveCluster.of(
                SampleCluster.of(many).reservableShare("0.9").horizon(10_000).jobs(JobIntake.OUTSIDE));
        var told = IntStream.range(0, many)
                .mapToObj(i -> outside("j" + i, 1, 1000 + i, 0))
                .toList();

        large.happens(new ReplaceJobs(told));
        assertThat(large.schedule().jobs().running()).hasSize(many);
        large.happens(new ReplaceJobs(List.of()));
        large.change(SampleCluster.like(large.schedule().cluster()).jobs(JobIntake.OPEN));

        large.lose(LiveCluster.outage(1, many, 0));
        for (int i = 0; i < many; i++) {
            large.happens(new SubmitJob(id(i), ADA, Optional.empty(), 1, 1000 + i));
        }
        large.happens(new EndOutage(LiveCluster.outageId(1)));
        assertThat(large.happens(new StartJobs())).hasSize(many);
    }

    @Test
    void aJobGivesWayIfAReservationWithLostPesFindsNoOthers() {
        var early = LiveCluster.of(SampleCluster.of(10).bound(Binding.EARLY));
        early.happens(new SubmitJob(id(1), ADA, Optional.empty(), 3, 500));
        early.happens(new StartJobs());
        early.happens(new SubmitJob(id(2), ADA, Optional.empty(), 2, 500));
        early.at(10).happens(new StartJobs());
        assertThat(early.grant(Request.of(1, 5, 50).ready(100).deadline(150))
                        .placement()
                        .parts())
                .extracting(part -> part.peIds().orElseThrow())
                .containsExactly(PeSet.range(5, 10));

        var outage = early.lose(LiveCluster.outageOf(1, "7-8", 10, 1000));

        assertThat(outage.failed()).isEmpty();
        assertThat(early.slot(1)).isEqualTo(new Slot(100, 150));
        // the job that began last is enough
        assertThat(early.schedule().jobs().running()).extracting(BatchJob::id).containsExactly(id(1));
    }

    /** Eleven PEs: five jobs of one PE each, which began one after another, a reservation of five, and a free PE. */
    @Test
    void onlyAsManyJobsGiveWayAsTheReservationNeeds() {
        for (int lost = 1; lost <= 5; lost++) {
            var early = LiveCluster.of(SampleCluster.of(11).bound(Binding.EARLY));
            for (int number = 1; number <= 5; number++) {
                early.at(number).happens(new SubmitJob(id(number), ADA, Optional.empty(), 1, 500));
                early.happens(new StartJobs());
            }
            early.grant(Request.of(1, 5, 50).ready(100).deadline(150));
            var peIds = early.find(Request.id(1)).placement().peIds().orElseThrow();
            assertThat(peIds).isEqualTo(PeSet.range(5, 10));

            var outage =
                    early.lose(LiveCluster.outageOf(1, PeSet.range(5, 5 + lost).toString(), 5, 1000));

            assertThat(outage.failed()).isEmpty();
            // the free PE replaces the first
            assertThat(early.schedule().jobs().running())
                    .extracting(BatchJob::id)
                    .containsExactly(IntStream.rangeClosed(1, 5 - (lost - 1))
                            .mapToObj(BatchJobsTest::id)
                            .toArray(JobId[]::new));
        }
    }

    @Test
    void enoughJobsGiveWayToSaveEveryReservationThatCanBeSaved() {
        var early = LiveCluster.of(SampleCluster.of(10).bound(Binding.EARLY));
        for (int number = 1; number <= 3; number++) {
            early.at(number).happens(new SubmitJob(id(number), ADA, Optional.empty(), 2, 500));
            early.happens(new StartJobs());
        }
        early.grant(Request.of(1, 2, 50).ready(100).deadline(150));
        early.grant(Request.of(2, 2, 50).ready(100).deadline(150));

        var outage = early.lose(LiveCluster.outageOf(1, "6-9", 3, 1000));

        assertThat(outage.failed()).isEmpty();
        assertThat(early.schedule().jobs().running()).extracting(BatchJob::id).containsExactly(id(1));
    }

    @Test
    void aJobMakesWayForARunWhosePesAreLost() {
        cluster.grant(Request.of(1, 5, 50).start(0));
        cluster.advance();
        submit(1, 5, 500);

        var outage = cluster.at(10).lose(LiveCluster.outageOf(1, "0-4"));

        assertThat(outage.failed()).isEmpty();
        assertThat(cluster.peIds(1)).isEqualTo("5-9");
        assertThat(job(1).state()).isEqualTo(JobState.QUEUED);
    }
}
