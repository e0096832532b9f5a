package berth.scheduling.commands;

import static berth.scheduling.LiveCluster.outageId;
import static berth.scheduling.LiveCluster.outageOf;
import static org.assertj.core.api.Assertions.assertThat;

import berth.Seeds;
import berth.availability.PeSet;
import berth.cluster.Binding;
import berth.cluster.Outage;
import berth.cluster.OutageId;
import berth.scheduling.Basis;
import berth.scheduling.ClusterSchedule;
import berth.scheduling.Decision;
import berth.scheduling.Event;
import berth.scheduling.LeftOut;
import berth.scheduling.LiveCluster;
import berth.scheduling.Rejection;
import berth.scheduling.Request;
import berth.scheduling.SampleCluster;
import berth.scheduling.commands.ReplaceOutages.ToldOutage;
import berth.sla.Violation;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Random;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

class ReplaceOutagesTest {

    private static final Optional<String> SLURM = Optional.of("slurm");

    private final LiveCluster cluster = LiveCluster.of(SampleCluster.of(8).bound(Binding.EARLY));

    @Test
    void anOutageThatIsReportedAgainGoesOn() {
        cluster.happens(slurm(now(1, "3"), ahead(2, "4-5", 50, 100)));

        assertThat(cluster.at(10).happens(slurm(now(3, "3"), ahead(4, "4-5", 50, 100))))
                .isEmpty();
        assertThat(cluster.at(60)
                        .happens(slurm(
                                ahead(5, "3", OptionalLong.of(0), OptionalLong.empty()), ahead(6, "4-5", 50, 100))))
                .isEmpty();
        assertThat(names()).containsExactlyInAnyOrder(outageId(1), outageId(2));
    }

    @Test
    void anOutageThatIsNoLongerReportedEnds() {
        cluster.happens(slurm(now(1, "3")));

        assertThat(cluster.at(10).happens(slurm(now(2, "4"))))
                .extracting(Event::type)
                .containsExactly(Event.Type.OUTAGE_ENDED, Event.Type.OUTAGE_RECORDED);
        assertThat(names()).containsExactly(outageId(2));
        cluster.happens(slurm());
        assertThat(names()).isEmpty();
    }

    @Test
    void anOutageWithAnotherStartOrEndIsANewOne() {
        cluster.happens(slurm(ahead(1, "3", 50, 100), ahead(2, "4", 50, 100)));

        cluster.at(10).happens(slurm(ahead(3, "3", 60, 100), ahead(4, "4", 50, 110)));

        assertThat(names()).containsExactlyInAnyOrder(outageId(3), outageId(4));
    }

    @Test
    void outagesOfOtherSourcesStay() {
        cluster.lose(outageOf(1, "0"));
        cluster.happens(new ReplaceOutages("racks", List.of(now(2, "1"))));

        cluster.happens(slurm());

        assertThat(names()).containsExactlyInAnyOrder(outageId(1), outageId(2));
    }

    @Test
    void anImpossibleOutageIsLeftOut() {
        cluster.lose(outageOf(1, "0"));
        var told = slurm(now(2, "0"), now(3, "8"), ahead(4, "2", -20, -10), now(5, "7-9"));

        cluster.happens(told);

        assertThat(names()).containsExactlyInAnyOrder(outageId(1), outageId(2), outageId(5));
        assertThat(told.leftOut(cluster.schedule(), cluster.now()))
                .containsExactly(
                        new LeftOut(
                                1,
                                new Violation(
                                        "outages[1].peIds", "must be PEs of the cluster, which are numbered 0 to 7")),
                        new LeftOut(2, new Violation("outages[2].to", "must lie after from, and in the future")));
    }

    @Test
    void anAgentsOutageMayClaimPesOfAnotherOutage() {
        cluster.lose(outageOf(9, "0"));
        cluster.lose(outageOf(1, "2-3", 50, 60));
        var told = slurm(now(16, "0-4"));

        cluster.happens(told);

        assertThat(told.leftOut(cluster.schedule(), cluster.now())).isEmpty();
        assertThat(cluster.at(10).happens(told)).isEmpty();
        cluster.at(60).advance();
        cluster.happens(new EndOutage(outageId(9)));
        assertThat(cluster.schedule().profile().free(60)).isEqualTo(3);
        cluster.happens(slurm());
        assertThat(cluster.schedule().profile().free(60)).isEqualTo(8);
    }

    @Test
    void pesStayOutOfServiceWhileTheirOutageGetsAnotherEnd() {
        cluster.happens(slurm(now(1, "0-3")));

        assertThat(cluster.at(10).happens(slurm(ahead(2, "0-3", 10, 100))))
                .extracting(Event::type)
                .containsExactly(Event.Type.OUTAGE_RECORDED, Event.Type.OUTAGE_ENDED);
    }

    @Test
    void anOutageTakesThePesOfOneThatEnds() {
        cluster.happens(slurm(now(1, "0-3")));

        cluster.happens(slurm(now(2, "2-5")));

        assertThat(names()).containsExactly(outageId(2));
        assertThat(cluster.schedule().outages()).extracting(Outage::source).containsExactly(SLURM);
    }

    @Test
    void tooManyOutagesAreRejected() {
        var all = new ArrayList<ToldOutage>();
        for (int number = 0; number <= ReplaceOutages.MAX; number++) {
            all.add(now(number, "1"));
        }

        assertThat(new ReplaceOutages("slurm", all).decide(new Basis(cluster.schedule(), 0)))
                .isEqualTo(
                        new Decision.Rejected(Rejection.InvalidTerms.of("outages", "must have at most 1000 entries")));
    }

    /** A report equals ending what is no longer reported and recording what is new. */
    @Test
    void replacingEqualsEndingAndRecordingEachOutage() {
        for (int seed = 0; seed < Seeds.of(2_000); seed++) {
            var random = new Random(seed);
            var sample = SampleCluster.of(8).bound(random.nextBoolean() ? Binding.EARLY : Binding.LATE);
            var schedule = ClusterSchedule.empty(sample.cluster());
            for (int number = 1; number < 12; number++) {
                long now = number * 10L;
                while (schedule.nextDue().filter(due -> due.at() <= now).isPresent()) {
                    schedule = after(new AdvanceClock(Integer.MAX_VALUE), schedule, now);
                }
                if (random.nextInt(4) == 0) {
                    long from = now + random.nextInt(3) * 30L;
                    schedule = after(
                            outageOf(1000 + number, Integer.toString(random.nextInt(8)), from, from + 40),
                            schedule,
                            now);
                    continue;
                }
                if (random.nextInt(3) > 0) {
                    schedule = after(
                            Request.of(number, 1 + random.nextInt(4), 20)
                                    .ready(now + random.nextInt(40))
                                    .deadline(now + 200)
                                    .reserve(),
                            schedule,
                            now);
                    continue;
                }
                var told = someOutages(random, number, now);
                var command = new ReplaceOutages("slurm", told);
                var one = after(command, schedule, now);

                assertThat(one).as("seed %d", seed).isEqualTo(oneByOne(told, schedule, now));
                assertThat(after(command, one, now))
                        .as("told again, seed %d", seed)
                        .isEqualTo(one);
                schedule = one;
            }
        }
    }

    private static ClusterSchedule oneByOne(List<ToldOutage> told, ClusterSchedule schedule, long now) {
        var had = schedule.outages().stream()
                .filter(outage -> outage.source().equals(SLURM))
                .collect(Collectors.groupingBy(outage -> fact(outage, now), LinkedHashMap::new, Collectors.toList()));
        var after = schedule;
        var there = told.stream().map(one -> among(one, schedule)).toList();
        var isTold = there.stream().map(one -> fact(one, now)).collect(Collectors.toSet());
        var ended = had.keySet().stream().filter(fact -> !isTold.contains(fact)).toList();
        var present = new HashSet<>(had.keySet());
        // first those that go on with other PEs or another end
        for (var one : there) {
            boolean goesOn =
                    ended.stream().map(fact -> PeSet.parse(fact.split(" ")[0])).anyMatch(one.peIds()::intersects);
            after = goesOn && present.add(fact(one, now)) ? after(recording(one, now), after, now) : after;
        }
        for (var outage : ended.stream()
                .flatMap(fact -> had.getOrDefault(fact, List.of()).stream())
                .toList()) {
            after = after(new EndOutage(outage.id()), after, now);
        }
        for (var one : there) {
            after = present.add(fact(one, now)) ? after(recording(one, now), after, now) : after;
        }
        return after;
    }

    private static RecordOutage recording(ToldOutage one, long now) {
        return new RecordOutage(
                one.id(),
                one.peIds().size(),
                Optional.of(one.peIds()),
                OptionalLong.of(Math.max(now, one.from().orElse(0))),
                one.to(),
                one.reason(),
                SLURM,
                RecordOutage.Scope.PRESENT);
    }

    private static ToldOutage among(ToldOutage told, ClusterSchedule schedule) {
        var there = told.peIds().and(PeSet.range(0, schedule.cluster().pes()));
        return new ToldOutage(told.id(), there, told.from(), told.to(), told.reason());
    }

    private static String fact(Outage outage, long now) {
        return fact(outage.peIds().orElseThrow(), OptionalLong.of(outage.from()), outage.to(), now);
    }

    private static String fact(ToldOutage outage, long now) {
        return fact(outage.peIds(), outage.from(), outage.to(), now);
    }

    private static String fact(PeSet peIds, OptionalLong from, OptionalLong to, long now) {
        return "%s from %s to %s".formatted(peIds, from.orElse(0) > now ? from.getAsLong() : "now", to);
    }

    private static List<ToldOutage> someOutages(Random random, int number, long now) {
        var told = new ArrayList<ToldOutage>();
        for (int count = random.nextInt(4); count > 0; count--) {
            int pe = random.nextInt(9);
            long from = random.nextInt(3) * 50L;
            told.add(new ToldOutage(
                    outageId(number * 1000 + count * 100),
                    PeSet.range(pe, pe + 1 + random.nextInt(2)),
                    random.nextBoolean() ? OptionalLong.empty() : OptionalLong.of(from),
                    random.nextInt(3) == 0 ? OptionalLong.empty() : OptionalLong.of(60 + random.nextInt(2) * 60),
                    Optional.empty()));
        }
        return told;
    }

    private static ClusterSchedule after(Command command, ClusterSchedule schedule, long now) {
        return command.decide(new Basis(schedule, now)) instanceof Decision.Accepted(var _, var next) ? next : schedule;
    }

    private List<OutageId> names() {
        return cluster.schedule().outages().stream().map(Outage::id).toList();
    }

    private static ReplaceOutages slurm(ToldOutage... told) {
        return new ReplaceOutages("slurm", Arrays.asList(told));
    }

    private static ToldOutage now(int number, String peIds) {
        return ahead(number, peIds, OptionalLong.empty(), OptionalLong.empty());
    }

    private static ToldOutage ahead(int number, String peIds, long from, long to) {
        return ahead(number, peIds, OptionalLong.of(from), OptionalLong.of(to));
    }

    private static ToldOutage ahead(int number, String peIds, OptionalLong from, OptionalLong to) {
        return new ToldOutage(outageId(number), PeSet.parse(peIds), from, to, Optional.of("fan"));
    }
}
