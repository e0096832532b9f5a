package berth.scheduling;

import static berth.scheduling.LiveCluster.outageOf;
import static berth.scheduling.Request.id;
import static berth.scheduling.Request.target;
import static berth.scheduling.Request.usd;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import berth.availability.PeSet;
import berth.budget.Dues;
import berth.cluster.Binding;
import berth.cluster.EnforcementRule;
import berth.reservation.Cause;
import berth.reservation.EndReason;
import berth.reservation.Enforcement.Report;
import berth.reservation.EnforcementState;
import berth.reservation.Reservation;
import berth.reservation.ReservationId;
import berth.reservation.ReservationState;
import berth.reservation.TakenPes;
import berth.scheduling.commands.Cancel;
import berth.scheduling.commands.Complete;
import berth.scheduling.commands.Extend;
import berth.scheduling.commands.TellEnforcement;
import berth.scheduling.commands.TellEnforcement.ReportedPart;
import berth.scheduling.commands.TellEnforcement.There;
import berth.sla.Part;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Runs on eight PEs, some of which jobs of others have on the machine. */
class TakenPesTest {

    private final LiveCluster cluster = LiveCluster.of(of(8).horizon(20_000));

    static SampleCluster of(int pes) {
        return SampleCluster.of(pes).bound(Binding.EARLY).enforcing(EnforcementRule.REPORTED);
    }

    /** Starts a run on the lowest-numbered free PEs, which is in place. */
    private void run(int pes, long duration) {
        cluster.grant(Request.of(1, pes, duration));
        cluster.advance();
        tell(inPlace(cluster.latest(1)));
    }

    private List<Event> tell(ReportedPart told) {
        return cluster.happens(new TellEnforcement(List.of(told)));
    }

    private List<Event> tell(long at, String pes) {
        return cluster.at(at).happens(new TellEnforcement(List.of(taken(0, pes))));
    }

    static ReportedPart inPlace(Reservation reservation) {
        var part = reservation.placement().partsNow().get(reservation.currentPart());
        return new ReportedPart(
                reservation.id(),
                report(reservation.currentPart(), EnforcementState.MATERIALISED, Optional.empty()),
                Optional.of(new There(part.slot(), part.peIds().orElseThrow())));
    }

    static ReportedPart taken(int part, String pes) {
        return taken(id(1), part, PeSet.parse(pes));
    }

    static ReportedPart taken(ReservationId reservation, int part, PeSet pes) {
        return new ReportedPart(
                reservation,
                report(part, EnforcementState.DRIFTED, Optional.of(Cause.NODES_BUSY)),
                Optional.empty(),
                pes);
    }

    private static Report report(int part, EnforcementState state, Optional<Cause> cause) {
        return new Report(part, state, Optional.empty(), Optional.empty(), cause, Optional.empty(), 0);
    }

    private TakenPes taken() {
        return cluster.latest(1).enforcement().taken();
    }

    private void endsOwing(String price, String credit, long work) {
        var ended = cluster.latest(1);
        assertThat(ended.state().isLive()).isFalse();
        assertThat(ended.price()).isEqualTo(usd(price));
        assertThat(ended.charge().credit()).hasValue(usd(credit));
        assertThat(Dues.of(ended).charged().peSeconds()).isEqualTo(work);
    }

    @Test
    void pesTakenByJobsOfOthersAreCreditedAndNotOwed() {
        run(8, 100);

        assertThat(tell(50, "0-3")).extracting(Event::type).containsExactly(Event.Type.ENFORCEMENT_FAILED);
        assertThat(tell(60, "0-3")).isEmpty();
        assertThat(cluster.at(75).happens(new TellEnforcement(List.of(inPlace(cluster.latest(1))))))
                .extracting(Event::type)
                .containsExactly(Event.Type.ENFORCED);

        assertThat(taken().lost()).isEqualTo(100);
        cluster.at(100).advance();
        endsOwing("7.00", "1.00", 700);
    }

    @Test
    void takenPesAreNotPromisedToOthers() {
        run(8, 100);

        tell(50, "0-3");

        assertThat(cluster.peIds(1)).isEqualTo("0-7");
        assertThat(cluster.latest(1).lacksPes()).isFalse();
        assertThat(Request.of(2, 1, 10).ready(50).deadline(100).reserve().decide(new Basis(cluster.schedule(), 50)))
                .isInstanceOf(Decision.Rejected.class);
    }

    @Test
    void eachReportCountsUntilTheNext() {
        run(8, 100);

        tell(10, "0-3");
        tell(20, "3-4");
        tell(40, "3-4");
        tell(50, "7");

        assertThat(taken()).isEqualTo(new TakenPes(40 + 60, 50, PeSet.parse("7"), 50 + TakenPes.COUNTS_FOR));
        cluster.at(100).advance();
        endsOwing("6.50", "1.50", 650);
    }

    @Test
    void anOwnerWhoEndsARunWhilePesAreTakenOwesOnlyWhatItHad() {
        run(8, 100);
        tell(50, "0-3");

        cluster.at(75).happens(new Complete(target(1)));

        endsOwing("5.00", "1.00", 500);
    }

    @Test
    void anOwnerWhoEndsARunThatHasAllItsPesAgainOwesItAllButTheLoss() {
        run(8, 100);
        tell(50, "0-3");
        cluster.at(75);
        tell(inPlace(cluster.latest(1)));

        cluster.at(80).happens(new Cancel(target(1)));

        endsOwing("7.00", "1.00", 700);
    }

    @Test
    void pesThatAreTakenAndLostCountOnce() {
        run(8, 100);
        tell(40, "0-3");

        cluster.at(60).happens(outageOf(1, "2-5"));

        assertThat(taken()).isEqualTo(new TakenPes(80, 60, PeSet.parse("0-1"), 40 + TakenPes.COUNTS_FOR));
        assertThat(tell(70, "0-3")).isEmpty();
        cluster.at(100).advance();
        endsOwing("4.80", "3.20", 480);
    }

    @Test
    void aTakenPeThatIsReplacedIsNoLongerTaken() {
        run(4, 100);
        tell(40, "1");

        assertThat(cluster.at(60).happens(outageOf(1, "1")))
                .extracting(Event::type)
                .contains(Event.Type.REPLACED);

        assertThat(taken()).isEqualTo(new TakenPes(20, 60, PeSet.NONE, 40 + TakenPes.COUNTS_FOR));
        cluster.at(100).advance();
        endsOwing("3.80", "0.20", 380);
    }

    @Test
    void onlyPesOfTheRunCountAndOnlyWhileItRuns() {
        cluster.grant(Request.of(1, 4, 100).ready(20).deadline(120));
        cluster.advance();

        tell(10, "0-3");
        assertThat(taken()).isEqualTo(TakenPes.NONE);
        cluster.at(20).advance();
        tell(30, "3-7");

        assertThat(taken().now()).isEqualTo(PeSet.parse("3"));
        cluster.at(120).advance();
        assertThat(cluster.latest(1).status().reason()).hasValue(EndReason.NOT_ENFORCED);
        assertThat(Dues.of(cluster.latest(1)).credited().money()).isEqualTo(usd("4.00"));
    }

    @Test
    void theTimeBeforeALateRunIsInPlaceIsNotOwedAsFarAsItsPesWereTaken() {
        cluster.grant(Request.of(1, 8, 100));
        cluster.advance();
        tell(10, "0-3");
        cluster.at(40);
        tell(inPlace(cluster.latest(1)));

        cluster.at(100).advance();

        endsOwing("6.80", "1.20", 680);
    }

    @Test
    void aReportCountsForAnHourUnlessItIsRepeated() {
        run(8, 10_000);
        tell(100, "0-3");

        assertThat(tell(1899, "0-3")).isEmpty();
        cluster.at(10_000).advance();

        assertThat(taken()).isEqualTo(new TakenPes(4 * 3600, 10_000, PeSet.NONE, 3700));
    }

    @Test
    void aRepeatedReportCountsForAnotherHour() {
        run(8, 10_000);
        tell(100, "0-3");

        assertThat(tell(1900, "0-3")).hasSize(1);
        assertThat(tell(3000, "0-3")).isEmpty();
        assertThat(tell(9000, "0-3")).hasSize(1);
        cluster.at(10_000).advance();

        assertThat(taken().lost()).isEqualTo(4 * (1800 + 3600 + 1000));
    }

    @Test
    void anOwnerWhoEndsARunAfterTheLastReportExpiredOwesTheRest() {
        run(8, 10_000);
        tell(100, "0-3");

        cluster.at(9000).happens(new Complete(target(1)));

        assertThat(Dues.of(cluster.latest(1)).charged().peSeconds()).isEqualTo(80_000 - 4 * 3600);
    }

    @Test
    void takenPesCountDuringAnExtension() {
        run(8, 100);
        tell(50, "0-3");

        cluster.at(60).happens(new Extend(target(1), 100, 100));
        cluster.at(200).advance();

        assertThat(taken().lost()).isEqualTo(4 * 150);
        assertThat(Dues.of(cluster.latest(1)).charged().peSeconds()).isEqualTo(1600 - 600);
    }

    @Test
    void aRunInPartsLosesNothingBetweenThem() {
        cluster.grant(Request.of(3, 8, 50).start(50));
        var run = cluster.grant(Request.of(1, 8, 100).split(2, "0.5", false).deadline(300));
        assertThat(run.parts()).extracting(Part::slot).hasSize(2);
        cluster.advance();
        tell(inPlace(cluster.latest(1)));
        tell(30, "0-3");

        cluster.at(100).advance();
        tell(inPlace(cluster.latest(1)));
        cluster.at(120).happens(new TellEnforcement(List.of(taken(0, "0-7"))));
        cluster.at(140).happens(new TellEnforcement(List.of(taken(1, "7"))));
        cluster.at(150).advance();

        assertThat(taken().lost()).isEqualTo(4 * 20 + 10);
        assertThat(Dues.of(cluster.latest(1)).charged().peSeconds()).isEqualTo(800 - 90);
    }

    @Test
    void aRunThatLosesItsLastPeIsCreditedForAll() {
        run(8, 100);
        tell(50, "0-3");

        cluster.at(60).happens(outageOf(1, "0-7"));

        assertThat(cluster.latest(1).state()).isEqualTo(ReservationState.FAILED);
        assertThat(cluster.latest(1).charge().credit()).hasValue(usd("8.00"));
        assertThat(cluster.latest(1).price()).isEqualTo(usd("0.00"));
    }

    @ParameterizedTest
    @EnumSource(
            value = Cause.class,
            mode = EnumSource.Mode.EXCLUDE,
            names = {"NODES_BUSY"})
    void pesAreTakenOnlyByJobs(Cause cause) {
        var report = report(0, EnforcementState.DRIFTED, Optional.of(cause));

        assertThatThrownBy(() -> new ReportedPart(id(1), report, Optional.empty(), PeSet.of(1)))
                .isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void aReportOfAPlacedPartHasNoTakenPes() {
        var report = report(0, EnforcementState.MATERIALISED, Optional.of(Cause.NODES_BUSY));

        assertThatThrownBy(() -> new ReportedPart(id(1), report, Optional.empty(), PeSet.of(1)))
                .isInstanceOf(IllegalArgumentException.class);
    }
}
