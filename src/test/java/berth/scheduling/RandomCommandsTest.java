package berth.scheduling;

import static org.assertj.core.api.Assertions.assertThat;

import berth.Seeds;
import berth.availability.Shrinker;
import berth.scheduling.SchedulingWorld.Step;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** Random commands, the same for each seed, checked by {@link CheckedSchedule}; failures are shrunk. */
class RandomCommandsTest {

    private static final int SEEDS = Seeds.of(1_200);

    /** The outcomes that {@link #giveFreePesToRunsThatLackThem} meets often. */
    private static final Set<String> RARE = Set.of(
            "REPLACED since PEs are free",
            "RESTORED since PEs are free",
            "RESTORED before its start",
            "RESTORED before its start since PEs are free");

    /** Every result must occur often, or a change of the worlds could make the test ineffective. */
    @Test
    void breakNoRuleAndMatchTheOracleInEveryOutcome() {
        var outcomes = new TreeMap<String, Integer>();
        for (int seed = 0; seed < SEEDS; seed++) {
            var world = SchedulingWorld.of(seed);
            Shrinker.play(
                    "%s, seed %d".formatted(world.cluster(), seed),
                    world.steps(new Random(seed)),
                    steps -> played(world, steps).outcomes().forEach(word -> outcomes.merge(word, 1, Integer::sum)));
        }
        meetEveryOutcomeManyTimes(outcomes);
    }

    /** Runs that lack PEs get those that others give up. */
    @Test
    void giveFreePesToRunsThatLackThem() {
        var outcomes = new TreeMap<String, Integer>();
        for (int seed = 0; seed < Seeds.of(400); seed++) {
            var world = SchedulingWorld.of(seed);
            Shrinker.play(
                    "%s, seed %d".formatted(world.cluster(), seed),
                    world.losses(new Random(seed)),
                    steps -> played(world, steps).outcomes().forEach(word -> outcomes.merge(word, 1, Integer::sum)));
        }
        assertThat(outcomes.getOrDefault("REPLACED since PEs are free", 0)).isGreaterThanOrEqualTo(Seeds.of(20));
        if (Seeds.areAll()) {
            assertThat(outcomes).containsKey("RESTORED since PEs are free");
        }
    }

    /** Future reservations may get PEs back that went out of service for an unknown time. */
    @Test
    void keepReservationsWhosePesMayComeBack() {
        var outcomes = new TreeMap<String, Integer>();
        for (int seed = 0; seed < Seeds.of(400); seed++) {
            var world = SchedulingWorld.of(seed);
            Shrinker.play(
                    "%s, seed %d".formatted(world.cluster(), seed),
                    world.outagesWithoutEnd(new Random(seed)),
                    steps -> played(world, steps).outcomes().forEach(word -> outcomes.merge(word, 1, Integer::sum)));
        }
        assertThat(outcomes.getOrDefault("LOSING before its start", 0)).isGreaterThanOrEqualTo(Seeds.of(20));
        assertThat(outcomes.getOrDefault("RESTORED before its start", 0)).isGreaterThanOrEqualTo(Seeds.of(20));
        assertThat(outcomes.getOrDefault("FAILED at its start", 0)).isGreaterThanOrEqualTo(Seeds.of(20));
        if (Seeds.areAll()) {
            assertThat(outcomes).containsKey("RESTORED before its start since PEs are free");
        }
    }

    @Test
    void leadToTheSameScheduleEachTime() {
        for (int seed = 0; seed < Seeds.of(100); seed++) {
            var world = SchedulingWorld.of(seed);
            var first = played(world, world.steps(new Random(seed)));
            var second = played(world, world.steps(new Random(seed)));

            assertThat(second.events()).isEqualTo(first.events());
            assertThat(second.outcomes()).isEqualTo(first.outcomes());
            assertThat(second.schedule()).isEqualTo(first.schedule());
            assertThat(second.schedule().free()).isEqualTo(first.schedule().free());
        }
    }

    private static void meetEveryOutcomeManyTimes(Map<String, Integer> outcomes) {
        outcomes.keySet().removeAll(RARE);
        assertThat(outcomes.keySet())
                .containsExactlyInAnyOrder(
                        "HELD",
                        "CONFIRMED",
                        "FIXED",
                        "DEGRADED",
                        "DEGRADED by a loss",
                        "LOSING",
                        "LOSING before its start",
                        "REPLACED",
                        "RESTORED",
                        "owes less",
                        "REQUESTED",
                        "GRANTED",
                        "REJECTED",
                        "WITHDRAWN",
                        "STARTED",
                        "CLAIMED",
                        "USERS_CHANGED",
                        "TRANSFERRED",
                        "RECEIVED",
                        "RENEGOTIATED in place",
                        "RENEGOTIATED elsewhere",
                        "RENEGOTIATED running",
                        "MOVED aside",
                        "MOVED earlier",
                        "MOVED later",
                        "MOVED aside for another",
                        "MOVED earlier for another",
                        "MOVED later for another",
                        "MOVED earlier since PEs are free",
                        "COMPLETED",
                        "COMPLETED early",
                        "CANCELLED",
                        "RELEASED",
                        "EXPIRED",
                        "FAILED held",
                        "FAILED confirmed",
                        "FAILED fixed",
                        "FAILED at its start",
                        "FAILED running",
                        "CLUSTER_CHANGED",
                        "OUTAGE_RECORDED",
                        "OUTAGE_BEGAN",
                        "OUTAGE_ENDED",
                        "PROPOSED",
                        "ACCEPTED in place",
                        "ACCEPTED elsewhere",
                        "DECLINED",
                        "JOB_QUEUED",
                        "JOB_STARTED",
                        "JOB_REQUEUED",
                        "JOB_COMPLETED",
                        "JOB_CANCELLED",
                        "JOBS_REPLACED",
                        "unchanged",
                        "InvalidTerms",
                        "NeverFits",
                        "NoSlot",
                        "Closed",
                        "BookedAhead",
                        "OverBudget",
                        "LimitExceeded",
                        "WrongState",
                        "NotLive",
                        "OutageOver",
                        "InUse",
                        "NotAtRest",
                        "Retired",
                        "ProposalOpen",
                        "ProposalOver",
                        "JobNotLive",
                        "WrongJobState",
                        "OtherSource",
                        "TooBusy",
                        "StaleVersion",
                        "returned",
                        "RENEGOTIATED to fewer PEs");
        assertThat(outcomes).allSatisfy((_, times) -> assertThat(times).isGreaterThanOrEqualTo(Seeds.of(10)));
    }

    private static CheckedSchedule played(SchedulingWorld world, List<Step> steps) {
        var schedule = new CheckedSchedule(world);
        schedule.play(steps);
        return schedule;
    }
}
