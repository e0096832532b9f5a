package berth.scheduling;

import static org.assertj.core.api.Assertions.assertThat;

import berth.availability.PeSet;
import berth.cluster.Binding;
import berth.cluster.Juggling;
import berth.cluster.ReplanOrder;
import berth.outcome.Outcome;
import berth.reservation.Reservation;
import berth.reservation.ReservationState;
import berth.scheduling.Event.ReservationEvent;
import berth.scheduling.commands.Cancel;
import berth.scheduling.commands.Command;
import berth.scheduling.commands.Complete;
import berth.sla.Moldability;
import berth.sla.Part;
import berth.sla.Preemption;
import berth.sla.Shape;
import berth.sla.Terms;
import berth.time.Slot;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Random;
import java.util.TreeMap;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Random requests for runs that are rigid, moldable, preemptible or both, on small first-fit machines. Every place must equal the one that
 * trying every second finds, and no run may take another's PEs.
 */
class AdaptiveRequestsTest {

    private static final int END = 400;

    @Test
    void everyPlaceMatchesAnExhaustiveSearch() {
        int granted = 0;
        int split = 0;
        int molded = 0;
        for (int seed = 0; seed < 100; seed++) {
            var random = new Random(seed);
            var cluster = LiveCluster.of(SampleCluster.of(1 + random.nextInt(6)).horizon(60));
            for (int number = 0; number < 25; number++) {
                var request =
                        request(random, number, cluster.schedule().cluster().pes());
                var free = free(cluster);
                var decision = request.reserve().decide(new Basis(cluster.schedule(), 0));
                if (decision instanceof Decision.Rejected(var reason)) {
                    if (reason instanceof Rejection.NoSlot) {
                        assertThat(best(terms(request), free))
                                .as("seed %d, %s", seed, request.terms())
                                .isEmpty();
                    }
                    continue;
                }
                var reservation = cluster.grant(request);
                assertThat(plain(reservation.parts()))
                        .as("seed %d, %s", seed, request.terms())
                        .isEqualTo(best(reservation.terms(), free)
                                .map(AdaptiveRequestsTest::plain)
                                .orElseThrow());
                granted++;
                split += reservation.parts().size() > 1 ? 1 : 0;
                molded += reservation.parts().getFirst().pes()
                                < reservation.terms().pes()
                        ? 1
                        : 0;
            }
        }
        // the sample must contain enough of each kind
        assertThat(List.of(granted, split, molded)).allMatch(count -> count > 100);
    }

    @ParameterizedTest
    @EnumSource(Binding.class)
    void noTwoReservationsShareAPe(Binding binding) {
        var types = new HashSet<Event.Type>();
        for (int seed = 0; seed < 100; seed++) {
            var random = new Random(seed);
            int pes = 2 + random.nextInt(5);
            var cluster = LiveCluster.of(SampleCluster.of(pes)
                    .bound(binding)
                    .horizon(60)
                    .notice(random.nextInt(3))
                    .juggling(
                            Juggling.values()[random.nextInt(Juggling.values().length)],
                            ReplanOrder.values()[random.nextInt(ReplanOrder.values().length)]));
            long now = 0;
            for (int number = 0; number < 60; number++) {
                now += random.nextInt(3);
                cluster.at(now).advance().forEach(event -> types.add(event.type()));
                var command = command(random, number, cluster, now);
                var decision = command.decide(new Basis(cluster.schedule(), now));
                if (decision instanceof Decision.Accepted(var events, var _)) {
                    events.forEach(event -> types.add(event.type()));
                    var before = cluster.schedule();
                    cluster.happens(command);
                    for (var event : events) {
                        checkThatWhatHasBegunStays(before, event);
                    }
                }
                check(cluster.schedule(), now);
            }
        }
        assertThat(types)
                .contains(
                        Event.Type.PAUSED,
                        Event.Type.RESUMED,
                        Event.Type.MOVED,
                        Event.Type.FAILED,
                        Event.Type.LOSING,
                        Event.Type.DEGRADED,
                        Event.Type.RESTORED,
                        Event.Type.RENEGOTIATED,
                        Event.Type.COMPLETED,
                        Event.Type.CANCELLED);
    }

    private static Command command(Random random, int number, LiveCluster cluster, long now) {
        var ids = cluster.schedule().reservations().stream()
                .map(Reservation::id)
                .sorted(Comparator.comparing(id -> id.value()))
                .toList();
        var target = ids.isEmpty()
                ? Request.target(number)
                : new Target(ids.get(random.nextInt(ids.size())), OptionalInt.empty());
        int pes = cluster.schedule().cluster().pes();
        return switch (random.nextInt(10)) {
            case 0 -> new Cancel(target);
            case 1 -> new Complete(target);
            case 2 -> LiveCluster.outage(number, 1 + random.nextInt(pes), now + random.nextInt(9), now + 10);
            case 3, 4 -> {
                var found = cluster.schedule().find(target.reservation());
                yield found.<Command>map(agreed -> otherwise(random, agreed).renegotiate())
                        .orElseGet(() -> new Cancel(target));
            }
            default -> {
                var wanted = request(random, number, pes).ready(now + random.nextInt(20));
                yield (random.nextInt(4) == 0 ? wanted : wanted.deadline(now + 60)).reserve();
            }
        };
    }

    private static Request otherwise(Random random, Reservation agreed) {
        var request = Request.like(agreed);
        var changed = request(random, 0, 3).terms();
        return switch (random.nextInt(5)) {
            case 0 -> request.deadline(agreed.terms().window().deadline() + random.nextInt(9) - 4);
            case 1 -> changed.preemption().map(request::split).orElseGet(request::whole);
            case 2 ->
                changed.moldability()
                        .map(request::moldable)
                        .orElseGet(request::rigid)
                        .duration(changed.duration());
            case 3 -> request.ready(agreed.terms().window().readyTime() + random.nextInt(5));
            default -> request.rigid().duration(1 + random.nextInt(12));
        };
    }

    private static void checkThatWhatHasBegunStays(ClusterSchedule before, Event event) {
        if (event instanceof ReservationEvent(var type, var after, var _, var move, var _, var _)
                && type == Event.Type.MOVED) {
            var was = before.find(after.id()).orElseThrow();
            int begun = was.placement().begun();
            // the part that runs may have got other PEs by an event of its own
            assertThat(after.parts().subList(0, begun))
                    .isEqualTo(move.orElseThrow().from().subList(0, begun));
            assertThat(after.placement().turns()).isEqualTo(was.placement().turns());
        }
    }

    /** Checks that no more PEs are taken than there are, none twice, and that the schedule equals the sum of its contents. */
    private static void check(ClusterSchedule schedule, long now) {
        int pes = schedule.cluster().pes();
        var free = new int[END];
        Arrays.fill(free, pes);
        for (int second = 0; second < END; second++) {
            free[second] -= PlainRoom.outOfService(schedule.outages(), second, pes);
        }
        var taken = new ArrayList<Part>();
        for (var reservation : schedule.reservations()) {
            var place = reservation.placement();
            assertThat(reservation.terms().allow(place.parts())).isTrue();
            for (int part = place.over(); part < place.parts().size(); part++) {
                for (var piece : place.has(part)) {
                    take(free, piece.slot(), piece.pes());
                    if (place.holds(part, piece)) {
                        taken.add(piece);
                    }
                }
            }
        }
        assertThat(Arrays.stream(free).skip(now)).allMatch(left -> left >= 0);
        assertThat(LongStream.range(now, END)
                        .mapToInt(second -> schedule.profile().free(second)))
                .containsExactly(Arrays.stream(free).skip(now).boxed().toArray(Integer[]::new));
        assertThat(ClusterSchedule.of(schedule.cluster(), schedule.billed(), schedule.outages()))
                .isEqualTo(schedule)
                .returns(schedule.profile(), ClusterSchedule::profile);
        for (int one = 0; one < taken.size(); one++) {
            for (var other : taken.subList(one + 1, taken.size())) {
                boolean share = taken.get(one).slot().overlaps(other.slot())
                        && taken.get(one)
                                .peIds()
                                .orElse(PeSet.NONE)
                                .intersects(other.peIds().orElse(PeSet.NONE));
                assertThat(share).isFalse();
            }
        }
        schedule.reservations().stream()
                .filter(reservation -> reservation.state() == ReservationState.RUNNING)
                .forEach(running -> assertThat(running.placement().begun()).isPositive());
    }

    private static void take(int[] free, Slot slot, int pes) {
        for (long second = Math.max(0, slot.start()); second < Math.min(END, slot.end()); second++) {
            free[(int) second] -= pes;
        }
    }

    private static int[] free(LiveCluster cluster) {
        return LongStream.range(0, END)
                .mapToInt(second -> cluster.schedule().profile().free(second))
                .toArray();
    }

    private static Request request(Random random, int number, int pes) {
        int most = 1 + random.nextInt(pes);
        long duration = 1 + random.nextInt(16);
        var request = Request.of(number, most, duration).ready(random.nextInt(20));
        if (random.nextBoolean()) {
            var runTimes = new TreeMap<Integer, Long>();
            long runTime = duration;
            for (int fewer = most; fewer > 0; fewer--) {
                runTimes.put(fewer, runTime);
                runTime += random.nextInt(8);
            }
            request = request.moldable(new Moldability.Runtimes(runTimes));
        }
        if (random.nextBoolean()) {
            int steps = List.of(2, 3, 5, 7).get(random.nextInt(4));
            var parts = random.nextInt(3) == 0 ? OptionalInt.empty() : OptionalInt.of(1 + random.nextInt(steps));
            request = request.split(new Preemption(parts, steps, random.nextBoolean()));
        }
        return random.nextInt(3) == 0 ? request : request.deadline(21 + random.nextInt(35));
    }

    // ---- the oracle: tries every start and shape, step by step

    private static Terms terms(Request request) {
        var asked = request.terms();
        var cluster = SampleCluster.of(100).horizon(60).cluster();
        var resolved = asked.resolve(0, TermsRule.bounds(cluster));
        return ((Outcome.Done<Terms, ?>) resolved).value();
    }

    private static List<String> plain(List<Part> parts) {
        return parts.stream()
                .map(part -> "%d PEs at %s, %d steps".formatted(part.pes(), part.slot(), part.steps()))
                .toList();
    }

    private static final Comparator<List<Part>> BETTER = Comparator.<List<Part>>comparingLong(
                    parts -> parts.getLast().slot().end())
            .thenComparingInt(List::size)
            .thenComparingLong(parts -> parts.getFirst().slot().start());

    private static Optional<List<Part>> best(Terms terms, int[] free) {
        boolean each = terms.preemption().filter(Preemption::moldableParts).isPresent();
        var choices = each
                ? List.of(terms.shapes())
                : terms.shapes().stream().map(List::of).toList();
        var found = new ArrayList<List<Part>>();
        for (var shapes : choices) {
            var steps = new ArrayList<Part>();
            for (int step = 0; step < terms.steps(); step++) {
                one(terms, shapes, steps, step + 1, free).ifPresent(steps::add);
            }
            if (steps.size() < terms.steps()) {
                continue;
            }
            var greedy = merged(steps);
            for (int parts = 1; parts <= Math.min(terms.mostParts(), greedy.size()); parts++) {
                var first = greedy.subList(0, parts - 1);
                one(terms, shapes, first, terms.steps(), free).ifPresent(last -> {
                    var all = new ArrayList<>(first);
                    all.add(last);
                    found.add(merged(all));
                });
            }
        }
        return found.stream().min(BETTER);
    }

    /** Returns the steps after these, up to {@code to}, in the part that ends soonest. */
    private static Optional<Part> one(Terms terms, List<Shape> shapes, List<Part> before, int to, int[] free) {
        int done = before.stream().mapToInt(Part::steps).sum();
        long from = before.isEmpty()
                ? terms.window().readyTime()
                : before.getLast().slot().end();
        return shapes.stream()
                .flatMap(shape -> {
                    long runTime = shape.cut(to, terms.steps()) - shape.cut(done, terms.steps());
                    return LongStream.rangeClosed(from, terms.window().deadline() - runTime)
                            .filter(start -> LongStream.range(start, start + runTime)
                                    .allMatch(second -> free[(int) second] >= shape.pes()))
                            .mapToObj(start ->
                                    new Part(Slot.of(start, runTime), shape.pes(), Optional.empty(), to - done))
                            .limit(1);
                })
                .min(Comparator.<Part>comparingLong(part -> part.slot().end())
                        .thenComparingLong(part -> part.slot().start()));
    }

    private static List<Part> merged(List<Part> parts) {
        var merged = new ArrayList<Part>();
        for (var part : parts) {
            boolean touches = !merged.isEmpty()
                    && merged.getLast().slot().end() == part.slot().start()
                    && merged.getLast().pes() == part.pes();
            merged.add(touches ? joined(merged.removeLast(), part) : part);
        }
        return merged;
    }

    private static Part joined(Part one, Part next) {
        var both = new Slot(one.slot().start(), next.slot().end());
        return new Part(both, one.pes(), Optional.empty(), one.steps() + next.steps());
    }
}
