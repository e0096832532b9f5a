package berth.availability;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import berth.availability.PeCommand.Add;
import berth.availability.PeCommand.Delete;
import berth.availability.PeCommand.Release;
import berth.availability.PeCommand.Reserve;
import berth.time.Slot;
import berth.time.Window;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.Random;

/**
 * The world of random commands: a cluster of {@code pes} PEs whose allocations all lie in {@code seconds} seconds from {@code origin} on
 * and last at most {@code longest} seconds.
 */
record PeWorld(int pes, long origin, int seconds, int longest) {

    /** Returns {@code count} commands; of ten updates, {@code growth} add and the others delete. */
    List<PeCommand> commands(Random random, int count, int growth) {
        var commands = new ArrayList<PeCommand>();
        while (commands.size() < count) {
            boolean grows = random.nextInt(10) < growth;
            commands.add(
                    switch (random.nextInt(4)) {
                        case 0 -> grows ? new Add(allocation(random)) : new Delete(allocation(random));
                        default -> grows ? reserve(random) : new Release(random.nextInt(Integer.MAX_VALUE));
                    });
        }
        return commands;
    }

    private Reserve reserve(Random random) {
        long ready = origin + random.nextInt(seconds);
        long rest = origin + seconds - ready;
        long duration = 1 + random.nextInt(longest);
        long length = Math.min(rest, 1 + random.nextLong(4 * duration));
        long present = ready - random.nextLong(Math.min(ready - origin, 2L * longest) + 1);
        int among = random.nextInt(3) == 0 ? 1 + random.nextInt(pes) : pes;
        var demand = new Demand(new Window(ready, ready + length), duration, 1 + random.nextInt(pes), present);
        return new Reserve(demand, among, PlacementPolicy.values()[random.nextInt(7)]);
    }

    private Allocation allocation(Random random) {
        long start = origin + random.nextInt(seconds);
        long length = 1 + random.nextLong(Math.min(longest, origin + seconds - start));
        var some = new BitSet();
        for (int i = random.nextInt(3); i >= 0; i--) {
            int from = random.nextInt(pes);
            some.set(from, from + 1 + random.nextInt(pes - from));
        }
        return new Allocation(Slot.of(start, length), PeSet.ofWords(some.toLongArray()));
    }

    /**
     * Plays the commands on a calendar and the oracles at once.
     *
     * @param thorough the number of commands between two complete comparisons; there is another one at the end
     * @throws AssertionError at the first difference
     */
    void play(List<PeCommand> commands, int thorough, PeOracle... oracles) {
        var list = new AvailRectList(pes);
        var all = new ArrayList<PeOracle>(List.of(oracles));
        all.add(list);
        var calendar = PeCalendar.of(pes);
        var live = new ArrayList<Allocation>();
        for (int i = 0; i < commands.size(); i++) {
            calendar = step(commands.get(i), calendar, all, live);
            if (i % thorough == 0 || i == commands.size() - 1) {
                calendar.checkInvariants();
                assertThat(calendar.records()).isEqualTo(list.records());
            }
        }
    }

    private PeCalendar step(PeCommand command, PeCalendar calendar, List<PeOracle> oracles, List<Allocation> live) {
        return switch (command) {
            case Add(var allocation) -> {
                var free = calendar.freeThroughout(allocation.slot());
                oracles.forEach(oracle ->
                        assertThat(oracle.freeThroughout(allocation.slot())).isEqualTo(free));
                if (free.containsAll(allocation.pes())) {
                    yield added(allocation, calendar, oracles, live);
                }
                assertThatIllegalStateException().isThrownBy(() -> calendar.addAllocation(allocation));
                yield calendar;
            }
            case Delete(var allocation) -> {
                boolean busy = true;
                for (long t = allocation.slot().start(); t < allocation.slot().end(); t++) {
                    busy &= !oracles.getLast()
                            .freeThroughout(new Slot(t, t + 1))
                            .intersects(allocation.pes());
                }
                if (busy) {
                    live.clear();
                    yield deleted(allocation, calendar, oracles);
                }
                assertThatIllegalStateException().isThrownBy(() -> calendar.deleteAllocation(allocation));
                yield calendar;
            }
            case Reserve(var demand, var among, var policy) -> {
                for (var oracle : oracles) {
                    compare(demand, among, calendar, oracle);
                }
                var found = calendar.findAllocation(demand, among, policy);
                yield found.isPresent() ? added(found.get(), calendar, oracles, live) : calendar;
            }
            case Release(int which) -> {
                if (live.isEmpty()) {
                    yield calendar;
                }
                yield deleted(live.remove(which % live.size()), calendar, oracles);
            }
        };
    }

    private static PeCalendar added(
            Allocation allocation, PeCalendar calendar, List<PeOracle> oracles, List<Allocation> live) {
        oracles.forEach(oracle -> oracle.addAllocation(allocation));
        live.add(allocation);
        return calendar.addAllocation(allocation);
    }

    private static PeCalendar deleted(Allocation allocation, PeCalendar calendar, List<PeOracle> oracles) {
        oracles.forEach(oracle -> oracle.deleteAllocation(allocation));
        return calendar.deleteAllocation(allocation);
    }

    private static void compare(Demand demand, int among, PeCalendar calendar, PeOracle oracle) {
        assertThat(calendar.rectangles(demand, among)).isEqualTo(oracle.rectangles(demand, among));
        for (var policy : PlacementPolicy.values()) {
            assertThat(calendar.findAllocation(demand, among, policy))
                    .as("%s of %s among %d", policy, demand, among)
                    .isEqualTo(oracle.findAllocation(demand, among, policy));
        }
        long[] starts = oracle.fitStarts(demand, among);
        for (int limit = 0; limit <= starts.length + 1; limit++) {
            assertThat(calendar.fitStarts(demand, among, limit))
                    .as("%d starts of %s among %d", limit, demand, among)
                    .isEqualTo(Arrays.copyOf(starts, Math.min(starts.length, limit)));
        }
    }
}
