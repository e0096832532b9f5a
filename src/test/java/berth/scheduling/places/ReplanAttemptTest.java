package berth.scheduling.places;

import static org.assertj.core.api.Assertions.assertThat;

import berth.availability.PlacementPolicy;
import berth.cluster.Binding;
import berth.cluster.Juggling;
import berth.cluster.ReplanOrder;
import berth.cluster.Reshaping;
import berth.outcome.Outcome;
import berth.reservation.Reservation;
import berth.reservation.ReservationId;
import berth.reservation.ReservationState;
import berth.scheduling.Basis;
import berth.scheduling.ClusterSchedule;
import berth.scheduling.Decision;
import berth.scheduling.LiveCluster;
import berth.scheduling.Ranking;
import berth.scheduling.Request;
import berth.scheduling.SampleCluster;
import berth.scheduling.Target;
import berth.scheduling.commands.AdvanceClock;
import berth.scheduling.commands.Cancel;
import berth.scheduling.commands.Command;
import berth.scheduling.commands.Complete;
import berth.scheduling.commands.Confirm;
import berth.scheduling.commands.EndOutage;
import berth.scheduling.commands.Fix;
import berth.scheduling.commands.Fix.Wish;
import berth.sla.Moldability;
import berth.sla.Moldability.AllowedPes;
import berth.sla.Moldability.Speedup;
import berth.time.Slot;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Random;
import java.util.UUID;
import java.util.function.BiFunction;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Replanning with few searches gives the same result as replanning with all searches. */
class ReplanAttemptTest {

    private static final int STEPS = 1_500;

    private static Stream<Arguments> orders() {
        return Stream.of(ReplanOrder.values())
                .flatMap(order -> Stream.of(Binding.values())
                        .flatMap(binding -> Stream.of(Juggling.ON_CONFLICT, Juggling.ALWAYS)
                                .map(juggling -> Arguments.of(order, binding, juggling))));
    }

    @ParameterizedTest
    @MethodSource("orders")
    void matchesTheSearchForAllUnderFirstFit(ReplanOrder order, Binding binding, Juggling juggling) {
        var counts = compare(
                SampleCluster.of(24).bound(binding).juggling(juggling, order).notice(20), order.ordinal(), STEPS);

        assertThat(counts.admitted).isGreaterThan(20);
        assertThat(counts.refused).isGreaterThan(20);
        assertThat(counts.moves).isGreaterThan(100);
    }

    @ParameterizedTest
    @MethodSource("orders")
    void matchesTheSearchForAllWithShapesAndParts(ReplanOrder order, Binding binding, Juggling juggling) {
        var sample =
                SampleCluster.of(24).bound(binding).juggling(juggling, order).notice(20);
        for (var reshaping : Reshaping.values()) {
            var counts = compare(sample.reshaping(reshaping), order.ordinal(), 250, ReplanAttemptTest::adaptive);

            assertThat(counts.moves).isGreaterThan(10);
        }
    }

    private static Request adaptive(Random random, Request request) {
        int pes = request.terms().pes();
        var molded = random.nextBoolean()
                ? request
                : request.moldable(
                        new Moldability.Function((pes + 1) / 2, pes, Speedup.LINEAR, Optional.empty(), AllowedPes.ANY));
        return random.nextBoolean()
                ? molded
                : molded.split(
                        1 + random.nextInt(4), List.of("0.25", "0.2").get(random.nextInt(2)), random.nextBoolean());
    }

    @ParameterizedTest
    @EnumSource(PlacementPolicy.class)
    void matchesTheSearchForAllUnderEachPolicy(PlacementPolicy policy) {
        for (var binding : Binding.values()) {
            var sample = SampleCluster.of(12)
                    .placement(policy)
                    .bound(binding)
                    .juggling(Juggling.ON_CONFLICT, ReplanOrder.EARLIEST_DEADLINE_FIRST);
            assertThat(compare(sample, policy.ordinal(), 300).moves).isGreaterThan(10);
        }
    }

    @Test
    void aReplannedReservationIsSettledUntilPesBecomeFree() {
        var cluster =
                LiveCluster.of(SampleCluster.of(2).juggling(Juggling.ALWAYS, ReplanOrder.EARLIEST_DEADLINE_FIRST));
        cluster.grant(Request.of(1, 2, 10).ready(10).deadline(100));
        cluster.grant(Request.of(2, 2, 10).ready(10).deadline(110));
        cluster.happens(Request.of(3, 2, 5).ready(0).deadline(5).reserve());
        assertThat(settled(cluster)).containsExactly(1, 2);

        cluster.grant(Request.of(4, 1, 10).ready(200).deadline(210));
        assertThat(settled(cluster)).contains(1, 2);

        cluster.grant(new Cancel(Request.target(1)));
        assertThat(settled(cluster)).doesNotContain(2);
    }

    @Test
    void aReservationStartingWithinALongerNoticeIsNotSettled() {
        var sample = SampleCluster.of(2).notice(0).juggling(Juggling.ALWAYS, ReplanOrder.EARLIEST_DEADLINE_FIRST);
        var cluster = LiveCluster.of(sample);
        cluster.grant(Request.of(1, 2, 10).ready(10).deadline(100));
        cluster.change(sample.notice(5));
        cluster.grant(Request.of(2, 2, 10).ready(50).deadline(60));
        cluster.at(8);

        doesAsOneThatRemembersNothing(cluster, Request.of(3, 2, 10).ready(70).deadline(80));

        assertThat(cluster.slot(1)).isEqualTo(new Slot(13, 23));
    }

    @Test
    void aReservationOnPesThatMustStayFreeIsNotSettled() {
        var cluster = LiveCluster.of(SampleCluster.of(4)
                .reservableShare("0.5")
                .juggling(Juggling.ALWAYS, ReplanOrder.EARLIEST_DEADLINE_FIRST));
        cluster.grant(Request.of(1, 2, 10).ready(10).deadline(100));
        cluster.grant(Request.of(2, 2, 5).ready(0).deadline(5));
        assertThat(settled(cluster)).contains(1);
        cluster.lose(LiveCluster.outage(1, 1, 10, 20));

        doesAsOneThatRemembersNothing(cluster, Request.of(3, 2, 10).ready(70).deadline(80));

        assertThat(cluster.slot(1)).isEqualTo(new Slot(20, 30));
    }

    private static void doesAsOneThatRemembersNothing(LiveCluster cluster, Request newcomer) {
        var schedule = cluster.schedule();
        var forgetful = ClusterSchedule.of(schedule.cluster(), schedule.reservations(), schedule.outages());
        var expected = newcomer.reserve().decide(new Basis(forgetful, cluster.now()));

        assertThat(cluster.happens(newcomer.reserve())).isEqualTo(((Decision.Accepted) expected).events());
    }

    private static List<Integer> settled(LiveCluster cluster) {
        var schedule = cluster.schedule();
        var present =
                schedule.memo().now(schedule, Ranking.of(schedule.cluster(), new ReservationId(new UUID(0, 0)), 0), 0);
        return present.settled().stream()
                .mapToObj(at -> (int) present.queue().get(at).id().value().getLeastSignificantBits())
                .toList();
    }

    private static final class Counts {
        private int admitted;
        private int refused;
        private int moves;
    }

    private static Counts compare(SampleCluster sample, int seed, int steps) {
        return compare(sample, seed, steps, (_, request) -> request);
    }

    private static Counts compare(
            SampleCluster sample, int seed, int steps, BiFunction<Random, Request, Request> adapting) {
        var random = new Random(seed);
        var counts = new Counts();
        var schedule = ClusterSchedule.empty(sample.horizon(3_000).cluster());
        long now = 0;
        for (int number = 1; number <= steps; number++) {
            now += random.nextInt(3) == 0 ? random.nextInt(8) : 0;
            schedule = new AdvanceClock(Integer.MAX_VALUE)
                    .decide(new Basis(schedule, now))
                    .next();
            Command command;
            if (random.nextInt(5) > 0) {
                var request = adapting.apply(random, request(random, number, now));
                compare(schedule, request, now - random.nextInt(100), now, counts);
                command = request.reserve();
            } else {
                command = other(random, schedule, number, now);
            }
            if (command.decide(new Basis(schedule, now)) instanceof Decision.Accepted accepted) {
                schedule = accepted.next();
            }
        }
        return counts;
    }

    private static void compare(ClusterSchedule schedule, Request request, long acceptedAt, long now, Counts counts) {
        var newcomer = newcomer(schedule, request, acceptedAt, now);
        if (newcomer.isEmpty()) {
            return;
        }
        var fast = new ReplanAttempt(schedule, newcomer.get(), now).admit();
        var plain = new PlainReplanAttempt(schedule, newcomer.get(), now).admit();
        assertThat(fast.map(JugglingResult.Found::found)).isEqualTo(plain.map(JugglingResult.Found::found));
        assertThat(fast.map(JugglingResult.Found::moves)).isEqualTo(plain.map(JugglingResult.Found::moves));
        if (fast.isEmpty()) {
            counts.refused++;
        } else {
            counts.admitted++;
            counts.moves += fast.get().moves().size();
        }
    }

    private static Optional<Newcomer> newcomer(ClusterSchedule schedule, Request request, long acceptedAt, long now) {
        return PlaceSearch.open(schedule, request.terms(), Request.ADA, now) instanceof Outcome.Done(var search)
                ? Optional.of(new Newcomer(
                        request.reserve().id(),
                        request.reserve().origin().serviceClass(),
                        search.terms(),
                        acceptedAt,
                        free -> search.among(free).choose()))
                : Optional.empty();
    }

    private static Request request(Random random, int number, long now) {
        long duration = 5 + random.nextInt(60);
        long ready = now + 20 + random.nextInt(500);
        long slack = random.nextInt(3) == 0 ? 0 : random.nextLong(6 * duration);
        var request = Request.of(number, 1 + random.nextInt(random.nextInt(10) == 0 ? 24 : 8), duration)
                .ready(ready)
                .deadline(ready + duration + slack);
        request = random.nextInt(8) == 0 ? request.fixBefore(random.nextInt(100)) : request;
        return random.nextInt(8) == 0 ? request.hold(1 + random.nextInt(60)) : request;
    }

    private static Command other(Random random, ClusterSchedule schedule, int number, long now) {
        return switch (random.nextInt(8)) {
            case 0, 1 -> new Cancel(one(random, schedule, EnumSet.of(ReservationState.CONFIRMED)));
            case 2 -> new Confirm(one(random, schedule, EnumSet.of(ReservationState.HELD)));
            case 3 -> new Fix(one(random, schedule, EnumSet.of(ReservationState.CONFIRMED)), Wish.OWNERS);
            case 4 -> new Complete(one(random, schedule, EnumSet.of(ReservationState.RUNNING)));
            case 5 -> LiveCluster.outage(number, 1 + random.nextInt(3), now + random.nextInt(300), now + 400);
            case 6 ->
                new EndOutage(schedule.outages().stream()
                        .map(outage -> outage.id())
                        .sorted(Comparator.comparing(id -> id.value()))
                        .findFirst()
                        .orElse(LiveCluster.outageId(0)));
            default -> {
                var target = one(random, schedule, EnumSet.of(ReservationState.CONFIRMED));
                var found = schedule.find(target.reservation());
                yield found.isEmpty()
                        ? new Cancel(target)
                        : Request.like(found.get())
                                .deadline(found.get().terms().window().deadline() - 5 + random.nextInt(30))
                                .renegotiate();
            }
        };
    }

    private static Target one(Random random, ClusterSchedule schedule, EnumSet<ReservationState> states) {
        var all = new ArrayList<>(schedule.reservations().stream()
                .filter(reservation -> states.contains(reservation.state()))
                .map(Reservation::id)
                .sorted(Comparator.comparing(id -> id.value()))
                .toList());
        return all.isEmpty() ? Request.target(0) : new Target(all.get(random.nextInt(all.size())), OptionalInt.empty());
    }
}
