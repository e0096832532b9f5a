package berth.scheduling;

import static org.assertj.core.api.Assertions.assertThat;

import berth.Seeds;
import berth.availability.PeSet;
import berth.reservation.Reservation;
import berth.reservation.ReservationState;
import berth.scheduling.Event.ReservationEvent;
import berth.scheduling.commands.AdvanceClock;
import berth.scheduling.commands.Command;
import berth.scheduling.commands.Complete;
import berth.scheduling.commands.Extend;
import berth.scheduling.commands.ReplaceLostPes;
import berth.scheduling.commands.TellEnforcement;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Runs that lose PEs to outages and to jobs of others at once, in random histories on eight PEs. */
class RandomTakenPesTest {

    private static final int STEPS = 60;

    /** Ended runs that lost PE-seconds to both. */
    private int both;

    @Test
    void eachPeSecondThatJobsOfOthersHadCountsOnce() {
        int seeds = Seeds.of(300);
        for (int seed = 0; seed < seeds; seed++) {
            try {
                play(new Random(seed));
            } catch (AssertionError | RuntimeException e) {
                throw new AssertionError("seed %d: %s".formatted(seed, e.getMessage()), e);
            }
        }

        assertThat(both).isGreaterThanOrEqualTo(seeds);
    }

    private void play(Random random) {
        var schedule = ClusterSchedule.empty(TakenPesTest.of(8).cluster());
        var taken = new TakenSeconds();
        long now = 0;
        for (int step = 1; step <= STEPS; step++) {
            now += random.nextInt(4);
            var commands = List.of(
                    new AdvanceClock(100),
                    new ReplaceLostPes(),
                    command(random, step, schedule, now),
                    new ReplaceLostPes());
            for (var command : commands) {
                if (command.decide(new Basis(schedule, now)) instanceof Decision.Accepted(var events, var next)) {
                    for (var event : events) {
                        if (event instanceof ReservationEvent about) {
                            taken.follow(about, command);
                            owesWhatItHad(about);
                        }
                    }
                    schedule = next;
                }
            }
        }
    }

    /** Checks that an ended run owes what it did not lose, and not what came after its end if it was incomplete then. */
    private void owesWhatItHad(ReservationEvent event) {
        var after = event.reservation();
        if (after.state() != ReservationState.COMPLETED) {
            return;
        }
        long outages = after.placement().losses().lost();
        long jobs = after.enforcement().taken().lost();
        both += outages > 0 && jobs > 0 ? 1 : 0;
        boolean isIncomplete = !after.placement().losses().lacks().isEmpty()
                || !after.enforcement().taken().now().isEmpty();
        long end = isIncomplete ? event.at() : after.slot().end();
        long agreed = (end - after.slot().start()) * after.placement().pes();
        assertThat(after.workOwed()).isEqualTo(agreed - outages - jobs).isNotNegative();
        assertThat(after.charge().credit().isPresent()).isEqualTo(outages + jobs > 0);
    }

    private static Command command(Random random, int step, ClusterSchedule schedule, long now) {
        var runs = schedule.reservations().stream()
                .filter(one -> one.state() == ReservationState.RUNNING)
                .sorted(Comparator.comparing(one -> one.id().value()))
                .toList();
        int kind = random.nextInt(12);
        if (runs.isEmpty() || kind < 2) {
            return Request.of(step, 1 + random.nextInt(5), 10 + random.nextInt(30))
                    .reserve();
        } else if (kind < 7) {
            var told = new ArrayList<TellEnforcement.ReportedPart>();
            runs.forEach(run -> told.add(told(random, run)));
            return new TellEnforcement(told);
        } else if (kind < 10) {
            return LiveCluster.outageOf(step, somePes(random).toString(), now, now + 1 + random.nextInt(15));
        }
        int chosen = numberOf(runs.get(random.nextInt(runs.size())));
        return kind == 10
                ? new Extend(Request.target(chosen), 1 + random.nextInt(9), 10)
                : new Complete(Request.target(chosen));
    }

    private static int numberOf(Reservation run) {
        return (int) run.id().value().getLeastSignificantBits();
    }

    private static TellEnforcement.ReportedPart told(Random random, Reservation run) {
        return random.nextInt(4) == 0 ? TakenPesTest.inPlace(run) : TakenPesTest.taken(run.id(), 0, somePes(random));
    }

    private static PeSet somePes(Random random) {
        int from = random.nextInt(7);
        return PeSet.range(from, from + 1 + random.nextInt(8 - from));
    }
}
