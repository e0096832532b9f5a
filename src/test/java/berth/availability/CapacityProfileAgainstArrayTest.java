package berth.availability;

import static org.assertj.core.api.Assertions.assertThat;

import berth.Seeds;
import berth.time.Slot;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Compares random commands, the same for each seed, with {@link ArrayProfile}; failures are shortened as far as possible. */
class CapacityProfileAgainstArrayTest {

    @Test
    void agreesWhereEverySecondCounts() {
        for (int seed = 0; seed < Seeds.of(1500); seed++) {
            playAndShrink(new World(1 + seed % 4, -7, 4 + seed % 13, 6), seed, 60, 1);
        }
    }

    @Test
    void agreesAtTheBeginningOfAllTime() {
        for (int seed = 0; seed < Seeds.of(300); seed++) {
            playAndShrink(new World(2, Long.MIN_VALUE, 12, 6), seed, 60, 1);
        }
    }

    @Test
    void agreesAtTheEndOfAllTime() {
        for (int seed = 0; seed < Seeds.of(300); seed++) {
            playAndShrink(new World(2, Long.MAX_VALUE - 12, 12, 6), seed, 60, 1);
        }
    }

    @Test
    void agreesWhereAFewLeavesSplitAndJoin() {
        for (int seed = 0; seed < Seeds.of(20); seed++) {
            playAndShrink(new World(6, 1_000_000, 600, 40), seed, 1500, 10);
        }
    }

    @Test
    void agreesOnSeveralLevels() {
        for (int seed = 0; seed < 3; seed++) {
            World world = new World(3 + seed, 1_700_000_000L, 16_000, 5 + 200 * seed);
            playAndShrink(world, seed, 12_000, 2_000);
        }
    }

    @Test
    void growsToSeveralLevelsAndShrinksBackToOnePoint() {
        World world = new World(64, 0, 20_000, 300);
        Random random = new Random(5);
        CapacityProfile profile = CapacityProfile.of(64);
        ArrayProfile oracle = new ArrayProfile(64, 0, 20_000);
        List<Command.Take> taken = new ArrayList<>();
        for (int i = 0; i < 6_000; i++) {
            Command.Take take = new Command.Take(world.slot(random), 1 + random.nextInt(2));
            if (oracle.take(take.slot(), take.pes())) {
                profile = profile.take(take.slot(), take.pes());
                taken.add(take);
            }
        }
        assertThat(profile.checkInvariants()).isEqualTo(3);
        assertThat(profile.steps(world.all())).isEqualTo(oracle.steps(world.all()));

        while (!taken.isEmpty()) {
            Command.Take back = taken.remove(random.nextInt(taken.size()));
            profile = profile.giveBack(back.slot(), back.pes());
            oracle.giveBack(back.slot(), back.pes());
            if (taken.size() % 50 == 0) {
                profile.checkInvariants();
            }
            if (taken.size() % 500 == 0) {
                assertThat(profile.steps(world.all())).isEqualTo(oracle.steps(world.all()));
            }
        }

        assertThat(profile).isEqualTo(CapacityProfile.of(64));
        assertThat(profile.checkInvariants()).isEqualTo(1);
        assertThat(profile).hasToString("CapacityProfile[64..64 of 64 PEs free, 1 points]");
    }

    @Test
    void takingAndGivingBackPesRestoresTheProfileAndKeepsOlderVersions() {
        World world = new World(400, 0, 3_000, 3_000);
        Random random = new Random(11);
        List<CapacityProfile> versions = new ArrayList<>();
        List<List<Step>> stepsThen = new ArrayList<>();
        CapacityProfile profile = CapacityProfile.of(400);
        for (int i = 0; i < 1_000; i++) {
            versions.add(profile);
            stepsThen.add(profile.steps(world.all()));
            Slot slot = world.slot(random);
            int fewest = profile.fewestFree(slot);
            if (fewest == 0) {
                continue;
            }
            CapacityProfile taken = profile.take(slot, fewest);
            assertThat(taken).isNotEqualTo(profile);
            assertThat(taken.giveBack(slot, fewest)).isEqualTo(profile).hasSameHashCodeAs(profile);
            profile = profile.take(slot, 1);
        }
        for (int i = 0; i < versions.size(); i++) {
            versions.get(i).checkInvariants();
            assertThat(versions.get(i).steps(world.all())).isEqualTo(stepsThen.get(i));
        }
    }

    private static void playAndShrink(World world, int seed, int commands, int thorough) {
        List<Command> sequence = world.commands(new Random(seed), commands);
        Shrinker.play("%s, seed %d".formatted(world, seed), sequence, rest -> world.play(rest, thorough));
    }
}
