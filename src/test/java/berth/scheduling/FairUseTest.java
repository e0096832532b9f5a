package berth.scheduling;

import static org.assertj.core.api.Assertions.assertThat;

import berth.reservation.Reservation;
import berth.reservation.ReservationState;
import berth.scheduling.Allowance.Holding;
import berth.scheduling.Allowance.Past;
import berth.scheduling.Allowance.PastRun;
import berth.scheduling.commands.Cancel;
import berth.sla.AccountLimits;
import berth.sla.FairUse;
import berth.sla.FairUse.CoolDown;
import berth.sla.Part;
import berth.sla.Violation;
import berth.time.Slot;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Random;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class FairUseTest {

    private static final long HOUR = 3600;
    private static final long DAY = 24 * HOUR;
    private static final FairUse TEN_PE_HOURS = week(10);
    private static final FairUse REST =
            new FairUse(OptionalLong.empty(), Optional.of(new CoolDown(6 * HOUR, 4 * HOUR)), OptionalInt.empty());
    private static final FairUse ONE_AHEAD = new FairUse(OptionalLong.empty(), Optional.empty(), OptionalInt.of(1));

    private final LiveCluster cluster = LiveCluster.of(16);

    private static FairUse week(long peHours) {
        return new FairUse(OptionalLong.of(peHours), Optional.empty(), OptionalInt.empty());
    }

    private static List<Part> run(long from, long to, int pes) {
        return List.of(Part.whole(new Slot(from, to), pes));
    }

    private static Optional<String> field(Optional<Violation> violation) {
        return violation.map(Violation::field);
    }

    @Test
    void countsThePeHoursOfAnySevenDaysThatHaveASecondOfTheRun() {
        var before = new FairUseCheck(TEN_PE_HOURS, List.of(run(0, HOUR, 8)));

        assertThat(before.exceeded(run(DAY, DAY + HOUR, 2))).isEmpty();
        assertThat(field(before.exceeded(run(DAY, DAY + HOUR, 3)))).contains("limits.peHoursPerWeek");
        // no seven days hold all of the old run and more than an instant of one that begins a week later
        assertThat(before.exceeded(run(7 * DAY, 7 * DAY + HOUR, 10))).isEmpty();
        assertThat(field(before.exceeded(run(7 * DAY - HOUR, 7 * DAY, 3)))).contains("limits.peHoursPerWeek");
        // a run that is booked further ahead counts in the same way
        assertThat(field(new FairUseCheck(TEN_PE_HOURS, List.of(run(3 * DAY, 3 * DAY + HOUR, 8)))
                        .exceeded(run(0, HOUR, 3))))
                .contains("limits.peHoursPerWeek");
    }

    @Test
    void aRunOfManyDaysIsMeasuredByItsFullestWeek() {
        assertThat(new FairUseCheck(week(168), List.of()).exceeded(run(0, 30 * DAY, 1)))
                .isEmpty();
        assertThat(field(new FairUseCheck(week(167), List.of()).exceeded(run(0, 30 * DAY, 1))))
                .contains("limits.peHoursPerWeek");
    }

    @Test
    void findsTheFullestSevenDaysAmongAllOfThem() {
        var random = new Random(63);
        for (int i = 0; i < 500; i++) {
            var others = new ArrayList<List<Part>>();
            for (int run = 0; run < random.nextInt(12); run++) {
                others.add(some(random));
            }
            var wanted = some(random);
            var all = Stream.concat(others.stream(), Stream.of(wanted)).toList();
            // all runs begin and end on the hour, so the sum is greatest for a week that does so too, or for the first
            // or last of them
            var slot = wanted.getFirst().slot();
            long first = slot.start() - FairUse.WEEK + 1;
            long most = LongStream.concat(
                            LongStream.of(first, slot.end() - 1),
                            LongStream.iterate(first + HOUR - 1, at -> at < slot.end(), at -> at + HOUR))
                    .map(begin -> work(all, begin, begin + FairUse.WEEK))
                    .max()
                    .orElseThrow();
            long allowed = Math.ceilDiv(most, HOUR);

            assertThat(new FairUseCheck(week(allowed), others).exceeded(wanted)).isEmpty();
            if (allowed > 1) {
                assertThat(new FairUseCheck(week(allowed - 1), others).exceeded(wanted))
                        .isPresent();
            }
        }
    }

    private static List<Part> some(Random random) {
        long start = random.nextInt(24 * 20) * HOUR;
        return run(start, start + (1 + random.nextInt(60)) * HOUR, 1 + random.nextInt(4));
    }

    private static long work(List<List<Part>> runs, long from, long to) {
        return runs.stream()
                .flatMap(List::stream)
                .mapToLong(part -> part.pes()
                        * Math.max(
                                0,
                                Math.min(to, part.slot().end())
                                        - Math.max(from, part.slot().start())))
                .sum();
    }

    @Test
    void aLongRunIsFollowedByAPause() {
        var longRun = new FairUseCheck(REST, List.of(run(DAY, DAY + 4 * HOUR, 1)));

        assertThat(field(longRun.exceeded(run(DAY + 10 * HOUR - 1, DAY + 11 * HOUR, 1))))
                .contains("limits.coolDown");
        assertThat(longRun.exceeded(run(DAY + 10 * HOUR, DAY + 11 * HOUR, 1))).isEmpty();
        assertThat(field(longRun.exceeded(run(DAY + HOUR, DAY + 2 * HOUR, 1))))
                .as("a run beside it")
                .contains("limits.coolDown");
        assertThat(longRun.exceeded(run(DAY - HOUR, DAY, 1)))
                .as("a short run before it")
                .isEmpty();
        assertThat(field(longRun.exceeded(run(DAY - 9 * HOUR, DAY - 5 * HOUR, 1))))
                .as("a long run too soon before it")
                .contains("limits.coolDown");
        assertThat(longRun.exceeded(run(DAY - 10 * HOUR, DAY - 6 * HOUR, 1))).isEmpty();
        assertThat(field(longRun.exceeded(run(DAY, DAY + HOUR, 1))))
                .as("a run that begins with it")
                .contains("limits.coolDown");
    }

    @Test
    void shortRunsNeedNoPause() {
        var shortRun = new FairUseCheck(REST, List.of(run(DAY, DAY + 4 * HOUR - 1, 1)));

        assertThat(shortRun.exceeded(run(DAY, DAY + HOUR, 1))).isEmpty();
        assertThat(shortRun.exceeded(run(DAY + 4 * HOUR, DAY + 9 * HOUR, 1))).isEmpty();
    }

    private static Allowance within(FairUse fairUse, Reservation... before) {
        return new Allowance(
                AccountLimits.NONE.with(fairUse),
                new Holding(List.of(), List.of(), List.of()),
                List.of(),
                new Past(List.of(), List.of(before)));
    }

    private String limit(Request request, Allowance allowance) {
        var reason = cluster.refuse(request.reserve(), allowance);
        assertThat(reason).isInstanceOf(Rejection.LimitExceeded.class);
        return ((Rejection.LimitExceeded) reason).violation().field();
    }

    @Test
    void limitsReservationsThatHaveNotBegun() {
        cluster.happens(Request.of(1, 1, 10).reserve(), within(ONE_AHEAD));
        cluster.advance();
        assertThat(cluster.latest(1).state()).isEqualTo(ReservationState.RUNNING);
        cluster.happens(Request.of(2, 1, 10).start(50).reserve(), within(ONE_AHEAD));

        assertThat(limit(Request.of(3, 1, 10).start(90), within(ONE_AHEAD))).isEqualTo("limits.startsAhead");
        cluster.happens(Request.of(3, 1, 10).reserve(), within(ONE_AHEAD));
        cluster.happens(new Cancel(new Target(cluster.latest(2).id(), OptionalInt.empty())));
        cluster.happens(Request.of(4, 1, 10).start(90).reserve(), within(ONE_AHEAD));
    }

    @Test
    void countsWhatEndedRunsHadAndWhatLiveRunsHaveButNothingTwice() {
        var one = week(1);
        var request = Request.of(1, 10, 300);
        cluster.happens(request.reserve(), within(one));
        cluster.advance();
        var running = cluster.latest(1);

        assertThat(limit(Request.of(2, 2, 301).start(400), within(one, running)))
                .isEqualTo("limits.peHoursPerWeek");
        cluster.at(100).advance();
        cluster.happens(new Cancel(new Target(running.id(), OptionalInt.empty())));
        // 1000 PE-seconds are used, and 2000 are free again
        assertThat(limit(Request.of(2, 13, 201).start(400), within(one, running)))
                .isEqualTo("limits.peHoursPerWeek");
        var recorded = new Allowance(
                AccountLimits.NONE.with(one),
                new Holding(List.of(), List.of(), List.of()),
                List.of(),
                new Past(List.of(new PastRun(running.id(), run(0, 100, 10))), List.of(running)));
        assertThat(limit(Request.of(2, 13, 201).start(400), recorded)).isEqualTo("limits.peHoursPerWeek");
        cluster.happens(Request.of(2, 13, 200).start(400).reserve(), recorded);
    }

    @Test
    void anAccountWithMoreRunsInAWeekThanAreCountedBooksNothing() {
        var runs = LongStream.range(0, FairUse.MAX_RUNS)
                .mapToObj(i -> new PastRun(Request.id((int) i + 10), run(-2 * i - 2, -2 * i - 1, 1)))
                .toList();

        cluster.happens(Request.of(1, 1, 10).reserve(), ended(REST, runs));
        var more = Stream.concat(runs.stream(), Stream.of(new PastRun(Request.id(9), run(-9_999, -9_998, 1))))
                .toList();
        assertThat(limit(Request.of(2, 1, 10), ended(REST, more))).isEqualTo("limits.coolDown");
        assertThat(limit(Request.of(2, 1, 10), ended(week(100), more))).isEqualTo("limits.peHoursPerWeek");
        cluster.happens(Request.of(2, 1, 10).reserve(), ended(ONE_AHEAD, more));
    }

    private static Allowance ended(FairUse fairUse, List<PastRun> runs) {
        return new Allowance(
                AccountLimits.NONE.with(fairUse),
                new Holding(List.of(), List.of(), List.of()),
                List.of(),
                new Past(runs, List.of()));
    }

    @Test
    void aRenegotiatedRunDoesNotCountTwice() {
        Reservation agreed = cluster.grant(Request.of(1, 4, 200).deadline(900).start(100));

        cluster.happens(Request.like(agreed).pes(9).duration(400).renegotiate(), within(week(1), agreed));
        assertThat(cluster.latest(1).terms().work()).isEqualTo(3600);
    }
}
