package berth.availability;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import berth.availability.Command.AskFewest;
import berth.availability.Command.AskFits;
import berth.availability.Command.AskFree;
import berth.availability.Command.AskRectangles;
import berth.availability.Command.AskSteps;
import berth.availability.Command.GiveBack;
import berth.availability.Command.Take;
import berth.time.Slot;
import berth.time.Window;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.OptionalLong;
import java.util.Random;

/**
 * The world of random commands: a cluster of {@code capacity} PEs whose bookings all lie in {@code seconds} seconds from {@code origin} on,
 * with runs of at most {@code longest} seconds.
 */
record World(int capacity, long origin, int seconds, int longest) {

    /** Returns {@code count} commands, about half of them updates. Some of the updates give back what was taken before. */
    List<Command> commands(Random random, int count) {
        ArrayProfile oracle = new ArrayProfile(capacity, origin, seconds);
        List<Take> taken = new ArrayList<>();
        List<Command> commands = new ArrayList<>();
        while (commands.size() < count) {
            Command command = command(random, taken);
            commands.add(command);
            if (command instanceof Take take && oracle.take(take.slot(), take.pes())) {
                taken.add(take);
            } else if (command instanceof GiveBack back) {
                oracle.giveBack(back.slot(), back.pes());
            }
        }
        return commands;
    }

    private Command command(Random random, List<Take> taken) {
        return switch (random.nextInt(11)) {
            case 0, 1, 2 -> new Take(slot(random), pes(random));
            case 3 -> new GiveBack(slot(random), pes(random));
            case 4 -> {
                if (taken.isEmpty()) {
                    yield new Take(slot(random), pes(random));
                }
                Take back = taken.remove(random.nextInt(taken.size()));
                yield new GiveBack(back.slot(), back.pes());
            }
            case 5 -> new AskFree(origin + random.nextInt(seconds));
            case 6 -> new AskFewest(slot(random));
            case 7 -> new AskSteps(slot(random));
            case 8 -> new AskRectangles(demand(random), capacity - random.nextInt(Math.min(3, capacity)));
            default ->
                new AskFits(
                        window(random, seconds), duration(random), pes(random) + random.nextInt(2), random.nextInt(5));
        };
    }

    private Window window(Random random, int atMost) {
        int ready = random.nextInt(seconds);
        int length = 1 + random.nextInt(Math.min(atMost, seconds - ready));
        return new Window(origin + ready, origin + ready + length);
    }

    private long duration(Random random) {
        return 1 + random.nextLong(longest + 1);
    }

    /** Returns a demand whose present time can be before all bookings, unless that would be before all time. */
    private Demand demand(Random random) {
        var window = window(random, 5 * longest);
        long earliest = Math.max(origin, Long.MIN_VALUE + 3) - 3;
        long present = random.nextBoolean() ? earliest : random.nextLong(earliest, window.readyTime() + 1);
        return new Demand(window, duration(random), pes(random), present);
    }

    Slot slot(Random random) {
        long start = random.nextInt(seconds);
        return new Slot(origin + start, origin + start + 1 + random.nextLong(Math.min(longest, seconds - start)));
    }

    int pes(Random random) {
        return 1 + random.nextInt(capacity);
    }

    /** Returns the time in which bookings can lie. */
    Slot all() {
        return new Slot(origin, origin + seconds);
    }

    /**
     * Plays the commands on a profile and the oracle at once.
     *
     * @param thorough the number of commands between two complete comparisons; there is another one at the end
     * @throws AssertionError at the first difference
     */
    void play(List<Command> commands, int thorough) {
        CapacityProfile profile = CapacityProfile.of(capacity);
        ArrayProfile oracle = new ArrayProfile(capacity, origin, seconds);
        for (int i = 0; i < commands.size(); i++) {
            profile = step(commands.get(i), profile, oracle);
            if (i % thorough == 0 || i == commands.size() - 1) {
                profile.checkInvariants();
                assertThat(profile.steps(all())).isEqualTo(oracle.steps(all()));
            }
        }
    }

    private static CapacityProfile step(Command command, CapacityProfile profile, ArrayProfile oracle) {
        switch (command) {
            case Take take -> {
                if (oracle.take(take.slot(), take.pes())) {
                    return profile.take(take.slot(), take.pes());
                }
                assertThatIllegalStateException().isThrownBy(() -> profile.take(take.slot(), take.pes()));
            }
            case GiveBack back -> {
                if (oracle.giveBack(back.slot(), back.pes())) {
                    return profile.giveBack(back.slot(), back.pes());
                }
                assertThatIllegalStateException().isThrownBy(() -> profile.giveBack(back.slot(), back.pes()));
            }
            case AskFree ask -> assertThat(profile.free(ask.second())).isEqualTo(oracle.free(ask.second()));
            case AskFewest ask -> assertThat(profile.fewestFree(ask.slot())).isEqualTo(oracle.fewestFree(ask.slot()));
            case AskSteps ask -> assertThat(profile.steps(ask.slot())).isEqualTo(oracle.steps(ask.slot()));
            case AskRectangles ask -> {
                var rectangles = oracle.rectangles(ask.demand(), ask.among());
                assertThat(profile.rectangles(ask.demand(), ask.among())).isEqualTo(rectangles);
                for (var policy : PlacementPolicy.values()) {
                    assertThat(profile.place(ask.demand(), ask.among(), policy))
                            .as("%s", policy)
                            .isEqualTo(rectangles.stream()
                                    .sorted(policy.preference(ask.demand()))
                                    .mapToLong(Rectangle::start)
                                    .findFirst());
                }
            }
            case AskFits ask -> {
                long[] starts = oracle.fitStarts(ask.window(), ask.duration(), ask.pes());
                OptionalLong earliest = profile.earliestFit(ask.window(), ask.duration(), ask.pes());
                assertThat(earliest).isEqualTo(Arrays.stream(starts).findFirst());
                assertThat(profile.fitStarts(ask.window(), ask.duration(), ask.pes(), ask.limit()))
                        .isEqualTo(Arrays.copyOf(starts, Math.min(starts.length, ask.limit())));
            }
        }
        return profile;
    }
}
