package berth.scheduling;

import static org.assertj.core.api.Assertions.assertThat;

import berth.batch.JobId;
import berth.reservation.Reservation;
import berth.scheduling.commands.Command;
import berth.scheduling.commands.StartJobs;
import berth.scheduling.commands.SubmitJob;
import berth.sla.AccountLimits;
import berth.sla.AccountName;
import berth.time.Slot;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Random;
import java.util.UUID;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class AllowanceTest {

    private static final AccountLimits TWO_ACTIVE =
            new AccountLimits(OptionalInt.of(2), OptionalInt.empty(), OptionalLong.empty());
    private static final AccountLimits SIX_PES =
            new AccountLimits(OptionalInt.empty(), OptionalInt.of(6), OptionalLong.empty());
    private static final AccountLimits ONE_PE_HOUR =
            new AccountLimits(OptionalInt.empty(), OptionalInt.empty(), OptionalLong.of(1));

    private final LiveCluster cluster = LiveCluster.of(16);

    @Test
    void limitsLiveReservations() {
        cluster.grant(Request.of(1, 1, 10).start(50).hold(20).limits(TWO_ACTIVE));
        cluster.grant(Request.of(2, 1, 10).limits(TWO_ACTIVE));
        cluster.advance();

        assertThat(limit(Request.of(3, 1, 10).limits(TWO_ACTIVE))).isEqualTo("limits.activeReservations");

        cluster.at(10).advance();
        assertThat(cluster.grant(Request.of(3, 1, 10).limits(TWO_ACTIVE)).slot())
                .isEqualTo(new Slot(10, 20));
    }

    @Test
    void mayAllowNoReservations() {
        var none = new AccountLimits(OptionalInt.of(0), OptionalInt.empty(), OptionalLong.empty());

        assertThat(limit(Request.of(1, 1, 10).limits(none))).isEqualTo("limits.activeReservations");
    }

    @Test
    void limitsPesAtOneTime() {
        cluster.grant(Request.of(1, 2, 10).start(50));
        cluster.grant(Request.of(2, 3, 10).start(55));

        assertThat(limit(Request.of(3, 2, 10).start(46).limits(SIX_PES))).isEqualTo("limits.pes");
        assertThat(limit(Request.of(3, 4, 10).start(60).limits(SIX_PES))).isEqualTo("limits.pes");
        assertThat(limit(Request.of(3, 7, 10).start(70).limits(SIX_PES))).isEqualTo("limits.pes");
        assertThat(cluster.grant(Request.of(3, 3, 10).start(60).limits(SIX_PES)).slot())
                .isEqualTo(new Slot(60, 70));
        assertThat(cluster.grant(Request.of(4, 4, 10).start(45).limits(SIX_PES)).slot())
                .isEqualTo(new Slot(45, 55));
    }

    @Test
    void countsThePesOfEverySecond() {
        var random = new Random(5);
        for (int i = 0; i < 200; i++) {
            var many = LiveCluster.of(1_000);
            var taken = new int[100];
            for (int number = 1; number <= 8; number++) {
                var slot = many.grant(Request.of(number, 1 + random.nextInt(9), 1 + random.nextInt(20))
                                .start(random.nextInt(60)))
                        .slot();
                int pes = many.latest(number).terms().pes();
                IntStream.range((int) slot.start(), (int) slot.end()).forEach(second -> taken[second] += pes);
            }
            int start = random.nextInt(60);
            int end = start + 1 + random.nextInt(20);
            int most = 2
                    + IntStream.range(start, end)
                            .map(second -> taken[second])
                            .max()
                            .orElseThrow();

            var wanted = Request.of(9, 2, end - start).start(start);
            assertThat(many.refuse(wanted.limits(pes(most - 1)))).isInstanceOf(Rejection.LimitExceeded.class);
            assertThat(many.grant(wanted.limits(pes(most))).slot()).isEqualTo(new Slot(start, end));
        }
    }

    private static AccountLimits pes(int most) {
        return new AccountLimits(OptionalInt.empty(), OptionalInt.of(most), OptionalLong.empty());
    }

    @Test
    void limitsPeHoursAhead() {
        cluster.grant(Request.of(1, 10, 300));
        cluster.advance();

        // 3000 of 3600 PE-seconds lie ahead
        assertThat(limit(Request.of(2, 3, 201).limits(ONE_PE_HOUR))).isEqualTo("limits.peHours");
        assertThat(cluster.grant(Request.of(2, 3, 200).limits(ONE_PE_HOUR))
                        .terms()
                        .work())
                .isEqualTo(600);
        assertThat(limit(Request.of(3, 1, 10).limits(ONE_PE_HOUR))).isEqualTo("limits.peHours");
        // 10 + 3 PEs have run for ten seconds
        cluster.at(10).advance();
        assertThat(limit(Request.of(3, 1, 131).limits(ONE_PE_HOUR))).isEqualTo("limits.peHours");
        assertThat(cluster.grant(Request.of(3, 1, 130).limits(ONE_PE_HOUR))
                        .terms()
                        .work())
                .isEqualTo(130);
    }

    @Test
    void countsReservationsOnOtherClusters() {
        var elsewhere = elsewhere(Request.of(1, 4, 100).start(50));

        assertThat(limit(Request.of(2, 3, 10).start(149).limits(SIX_PES, elsewhere)))
                .isEqualTo("limits.pes");
        assertThat(limit(Request.of(2, 1, 10).limits(TWO_ACTIVE, elsewhere, elsewhere(Request.of(3, 1, 1)))))
                .isEqualTo("limits.activeReservations");
        // 400 of 3600 PE-seconds lie ahead
        assertThat(limit(Request.of(2, 10, 321).limits(ONE_PE_HOUR, elsewhere))).isEqualTo("limits.peHours");
        assertThat(cluster.grant(Request.of(2, 10, 320).limits(ONE_PE_HOUR, elsewhere))
                        .slot())
                .isEqualTo(new Slot(0, 320));
    }

    @Test
    void doesNotCountReservationsOfOthers() {
        cluster.grant(Request.of(1, 9, 500).owner("grace"));
        cluster.grant(Request.of(2, 1, 500).owner("grace"));

        assertThat(cluster.grant(Request.of(3, 6, 100).limits(SIX_PES)).slot()).isEqualTo(new Slot(0, 100));
        assertThat(cluster.grant(Request.of(4, 1, 10).limits(TWO_ACTIVE)).slot())
                .isEqualTo(new Slot(100, 110));
    }

    @Test
    void doesNotCountAReservationTwiceWhenItIsRenegotiated() {
        var agreed = cluster.grant(Request.of(1, 4, 200).deadline(900).start(100));
        cluster.grant(Request.of(2, 1, 10).start(500));

        assertThat(cluster.renegotiate(Request.like(agreed).pes(6).limits(SIX_PES))
                        .terms()
                        .pes())
                .isEqualTo(6);
        assertThat(cluster.renegotiate(Request.like(agreed).pes(5).limits(TWO_ACTIVE))
                        .terms()
                        .pes())
                .isEqualTo(5);
        assertThat(cluster.renegotiate(Request.like(agreed).pes(5).duration(700).limits(ONE_PE_HOUR))
                        .terms()
                        .work())
                .isEqualTo(3_500);
    }

    @Test
    void boundsARenegotiation() {
        var agreed = cluster.grant(Request.of(1, 4, 200).deadline(900).start(100));

        assertThat(limitOfChange(Request.like(agreed).pes(7).limits(SIX_PES))).isEqualTo("limits.pes");
        assertThat(limitOfChange(Request.like(agreed).pes(5).duration(721).limits(ONE_PE_HOUR)))
                .isEqualTo("limits.peHours");
        assertThat(cluster.find(agreed.id())).isEqualTo(agreed);
    }

    @Test
    void aLoweredLimitEndsNoReservation() {
        cluster.grant(Request.of(1, 8, 300).start(100));
        cluster.grant(Request.of(2, 1, 10).start(500));
        cluster.grant(Request.of(3, 1, 10).start(600));
        var first = Request.like(cluster.latest(1));

        assertThat(cluster.renegotiate(first.pes(7).limits(SIX_PES)).terms().pes())
                .isEqualTo(7);
        assertThat(cluster.renegotiate(first.pes(7).duration(250).limits(TWO_ACTIVE))
                        .slot())
                .isEqualTo(new Slot(100, 350));
        assertThat(cluster.renegotiate(first.pes(7).duration(240).limits(ONE_PE_HOUR))
                        .slot())
                .isEqualTo(new Slot(100, 340));
    }

    @Test
    void aRenegotiationDoesNotCountAsAnotherReservation() {
        cluster.grant(Request.of(1, 1, 10).start(100));
        cluster.grant(Request.of(2, 1, 10).start(500));
        cluster.grant(Request.of(3, 1, 10).start(600));

        assertThat(cluster.renegotiate(Request.like(cluster.latest(1)).pes(2).limits(TWO_ACTIVE))
                        .terms()
                        .pes())
                .isEqualTo(2);
    }

    private String limit(Request request) {
        return limit(request.reserve(), request.allowance());
    }

    private String limitOfChange(Request request) {
        return limit(request.renegotiate(), request.allowance());
    }

    private String limit(Command command, Allowance allowance) {
        var reason = cluster.refuse(command, allowance);
        assertThat(reason).isInstanceOf(Rejection.LimitExceeded.class);
        return ((Rejection.LimitExceeded) reason).violation().field();
    }

    private static Reservation elsewhere(Request request) {
        return LiveCluster.of(16).grant(request);
    }

    private static final AccountName ADA = new AccountName("ada");

    private static SubmitJob job(int number, int pes, long estimate) {
        return new SubmitJob(new JobId(new UUID(7, number)), ADA, Optional.empty(), pes, estimate);
    }

    private static Allowance within(AccountLimits limits) {
        return new Allowance(limits, List.of());
    }

    private static AccountLimits waiting(int jobs, int holds, long longest) {
        return new AccountLimits(
                OptionalInt.empty(),
                OptionalInt.empty(),
                OptionalLong.empty(),
                OptionalInt.of(jobs),
                OptionalInt.empty(),
                OptionalInt.of(holds),
                OptionalLong.of(longest));
    }

    @Test
    void bindsJobsAsItBindsReservations() {
        assertThat(limit(job(1, 7, 10), within(SIX_PES))).isEqualTo("limits.pes");
        assertThat(limit(job(1, 4, 901), within(ONE_PE_HOUR))).isEqualTo("limits.peHours");
        cluster.happens(job(1, 4, 100), within(SIX_PES));
        assertThat(limit(job(2, 3, 10), within(SIX_PES))).as("one that waits").isEqualTo("limits.pes");
        cluster.happens(new StartJobs());

        assertThat(limit(job(2, 3, 10), within(SIX_PES))).as("one that runs").isEqualTo("limits.pes");
        assertThat(limit(Request.of(3, 3, 10).start(50).owner("ada").limits(SIX_PES)))
                .isEqualTo("limits.pes");
        assertThat(cluster.grant(Request.of(3, 3, 10).start(100).owner("ada").limits(SIX_PES))
                        .slot())
                .isEqualTo(new Slot(100, 110));
    }

    @Test
    void limitsJobs() {
        var two = waiting(2, 0, 1);
        cluster.happens(job(1, 16, 10), within(two));
        cluster.happens(new StartJobs());
        cluster.happens(job(2, 16, 10), within(two));

        assertThat(limit(job(3, 1, 1), within(two))).isEqualTo("limits.jobs");
    }

    @Test
    void limitsHoldsAndTheirLength() {
        var one = waiting(0, 1, 20);

        assertThat(limit(Request.of(1, 1, 10).start(50).hold(21).limits(one))).isEqualTo("limits.maxHold");
        cluster.grant(Request.of(1, 1, 10).start(50).hold(20).limits(one));
        assertThat(limit(Request.of(2, 1, 10).start(50).hold(20).limits(one))).isEqualTo("limits.holds");
        cluster.grant(Request.of(2, 1, 10).start(50).limits(one));
    }

    @Test
    void aClusterBoundsHoldsForAll() {
        cluster.change(SampleCluster.like(cluster.schedule().cluster()).maxHold(20));

        assertThat(cluster.refusedField(Request.of(1, 1, 10).start(50).hold(21).reserve()))
                .isEqualTo("hold");
        cluster.grant(Request.of(1, 1, 10).start(50).hold(20));
    }
}
