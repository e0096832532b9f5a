package berth.scheduling;

import static berth.scheduling.LiveCluster.outageId;
import static berth.scheduling.LiveCluster.outageOf;
import static org.assertj.core.api.Assertions.assertThat;

import berth.Seeds;
import berth.availability.PeSet;
import berth.cluster.Binding;
import berth.cluster.Outage;
import berth.cluster.OutageId;
import berth.scheduling.ReplaceOutages.ToldOutage;
import berth.sla.Violation;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Random;
import java.util.TreeMap;
import java.util.UUID;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

class ReplaceOutagesTest {

    private static final Optional<String> SLURM = Optional.of("slurm");

    private final LiveCluster cluster = LiveCluster.of(SampleCluster.of(8).bound(Binding.EARLY));

    @Test
    void oneThatIsToldAgainGoesOn() {
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
    void oneThatIsToldNoLongerEndsAndANewOneIsRecorded() {
        cluster.happens(slurm(now(1, "3")));

        assertThat(cluster.at(10).happens(slurm(now(2, "4"))))
                .extracting(Event::type)
                .containsExactly(Event.Type.OUTAGE_ENDED, Event.Type.OUTAGE_RECORDED);
        assertThat(names()).containsExactly(outageId(2));
        cluster.happens(slurm());
        assertThat(names()).isEmpty();
    }

    @Test
    void ofAnotherEndOrBeginningItIsAnother() {
        cluster.happens(slurm(ahead(1, "3", 50, 100), ahead(2, "4", 50, 100)));

        cluster.at(10).happens(slurm(ahead(3, "3", 60, 100), ahead(4, "4", 50, 110)));

        assertThat(names()).containsExactlyInAnyOrder(outageId(3), outageId(4));
    }

    @Test
    void piecesOfOneAreNotCalledAsTheNextIs() {
        cluster.lose(outageOf(9, "0", 50, 60));

        cluster.happens(slurm(now(2, "0-1"), now(3, "4")));

        assertThat(cluster.schedule().outages())
                .extracting(outage -> outage.peIds().orElseThrow().toString())
                .containsExactlyInAnyOrder("0", "0", "1", "4");
    }

    @Test
    void whatOthersTellStays() {
        cluster.lose(outageOf(1, "0"));
        cluster.happens(new ReplaceOutages("racks", List.of(now(2, "1"))));

        cluster.happens(slurm());

        assertThat(names()).containsExactlyInAnyOrder(outageId(1), outageId(2));
    }

    @Test
    void oneThatCannotBeIsLeftOut() {
        cluster.lose(outageOf(1, "0"));
        var told = slurm(now(2, "0"), now(3, "8"), ahead(4, "2", -20, -10), now(5, "7-9"));

        cluster.happens(told);

        assertThat(names()).containsExactlyInAnyOrder(outageId(1), outageId(5));
        assertThat(told.leftOut(cluster.schedule(), cluster.now()))
                .containsExactly(
                        new LeftOut(
                                0,
                                new Violation(
                                        "outages[0].peIds",
                                        "names PEs that another outage takes at that time: 0; leave them out")),
                        new LeftOut(
                                1,
                                new Violation(
                                        "outages[1].peIds", "must be PEs of the cluster, which are numbered 0 to 7")),
                        new LeftOut(2, new Violation("outages[2].to", "must lie after from, and in the future")));
    }

    /** Another outage has a PE for some time; before and after it, the reported outage applies. */
    @Test
    void whatSomebodyElseHasIsOutByThatAlone() {
        var theirs = outageOf(1, "2-3", 50, 60);
        cluster.lose(outageOf(9, "0"));
        cluster.lose(theirs);
        var told = slurm(now(16, "0-4"));

        cluster.happens(told);

        assertThat(outOf("slurm")).containsExactlyInAnyOrder("1,4 until it is told no longer", "2-3 until 50");
        assertThat(told.leftOut(cluster.schedule(), cluster.now())).isEmpty();
        assertThat(cluster.at(10).happens(told)).isEmpty();
        cluster.at(50).advance();
        cluster.happens(told);
        assertThat(outOf("slurm")).containsExactly("1,4 until it is told no longer");
        cluster.at(60).advance();
        cluster.happens(slurm(now(32, "0-4")));
        assertThat(outOf("slurm")).containsExactly("1-4 until it is told no longer");
    }

    private List<String> outOf(String source) {
        return cluster.schedule().outages().stream()
                .filter(outage -> outage.source().equals(Optional.of(source)))
                .map(outage -> outage.peIds().orElseThrow() + " until "
                        + (outage.to().isPresent() ? outage.to().getAsLong() : "it is told no longer"))
                .toList();
    }

    @Test
    void oneThatWasInTheWayOfAnotherIsTakenOnceThatHasEnded() {
        cluster.happens(slurm(now(1, "0-3")));

        cluster.happens(slurm(now(2, "2-5")));

        assertThat(names()).containsExactly(outageId(2));
        assertThat(cluster.schedule().outages()).extracting(Outage::source).containsExactly(SLURM);
    }

    @Test
    void moreThanThereMayBeAreRefused() {
        var all = new ArrayList<ToldOutage>();
        for (int number = 0; number <= ReplaceOutages.MAX; number++) {
            all.add(now(number, "1"));
        }

        assertThat(new ReplaceOutages("slurm", all).decide(cluster.schedule(), 0))
                .isEqualTo(
                        new Decision.Rejected(Rejection.InvalidTerms.of("outages", "must have at most 1000 entries")));
    }

    /** A report equals ending what is no longer reported and recording what is new. */
    @Test
    void isAsIfEachWereEndedAndRecordedByItself() {
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
                .collect(Collectors.toMap(outage -> fact(outage, now), Outage::id));
        var pieces = told.stream()
                .flatMap(each -> pieces(each, schedule, now).stream())
                .toList();
        var after = schedule;
        var isTold = pieces.stream().map(piece -> fact(piece, now)).collect(Collectors.toSet());
        for (var fact : had.keySet()) {
            if (!isTold.contains(fact)) {
                after = after(new EndOutage(had.get(fact)), after, now);
            }
        }
        for (var piece : pieces) {
            if (!had.containsKey(fact(piece, now))) {
                after = after(
                        new RecordOutage(
                                piece.id(),
                                piece.peIds().size(),
                                Optional.of(piece.peIds()),
                                OptionalLong.of(Math.max(now, piece.from().orElse(0))),
                                piece.to(),
                                piece.reason(),
                                SLURM),
                        after,
                        now);
            }
        }
        return after;
    }

    /** Divides second by second: each PE until another outage has it; those with the same end form one piece. */
    private static List<ToldOutage> pieces(ToldOutage told, ClusterSchedule schedule, long now) {
        long start = Math.max(now, told.from().orElse(now));
        long end = told.to().orElse(1_000);
        var perEnd = new TreeMap<Long, PeSet>();
        for (int pe = 0; pe < schedule.cluster().pes(); pe++) {
            if (!told.peIds().contains(pe)) {
                continue;
            }
            long until = start;
            while (until < end && !isAnothers(pe, until, schedule)) {
                until++;
            }
            if (until > start) {
                perEnd.merge(until, PeSet.of(pe), PeSet::or);
            }
        }
        var pieces = new ArrayList<ToldOutage>();
        perEnd.forEach((until, pes) -> pieces.add(new ToldOutage(
                new OutageId(new UUID(1, told.id().value().getLeastSignificantBits() ^ (long) pieces.size() << 46)),
                pes,
                told.from(),
                until == end ? told.to() : OptionalLong.of(until),
                told.reason())));
        return pieces;
    }

    private static boolean isAnothers(int pe, long second, ClusterSchedule schedule) {
        return schedule.outages().stream()
                .anyMatch(other -> !other.source().equals(SLURM)
                        && other.peIds().orElseThrow().contains(pe)
                        && other.slot().start() <= second
                        && second < other.slot().end());
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
        return command.decide(schedule, now) instanceof Decision.Accepted(var _, var next) ? next : schedule;
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
