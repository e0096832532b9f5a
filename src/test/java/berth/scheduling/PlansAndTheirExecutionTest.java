package berth.scheduling;

import static org.assertj.core.api.Assertions.assertThat;

import berth.batch.BatchJob;
import berth.batch.JobId;
import berth.batch.Plan;
import berth.reservation.Reservation;
import berth.reservation.ReservationState;
import berth.scheduling.Event.JobEvent;
import berth.scheduling.Event.ReservationEvent;
import berth.scheduling.commands.AdvanceClock;
import berth.scheduling.commands.Command;
import berth.scheduling.commands.CompleteJob;
import berth.scheduling.commands.StartJobs;
import berth.scheduling.commands.SubmitJob;
import berth.sla.AccountName;
import berth.sla.Part;
import berth.time.Slot;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Random;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/**
 * Jobs that run as long as estimated start when they were planned, as long as nothing else happens: paper 001, section 2. Seeded sequences
 * on a few PEs in which jobs and reservations arrive, PEs go, and time passes from one due instant to the next.
 */
class PlansAndTheirExecutionTest {

    private static final int RUNS = 200;
    private static final int STEPS = 30;
    private static final int PES = 8;

    @Test
    void jobsStartWhenTheyWerePlannedAndReservationsAreNeverDelayed() {
        int started = 0;
        int waited = 0;
        for (int seed = 0; seed < RUNS; seed++) {
            var world = new Sequence(seed, false);
            for (int step = 0; step < STEPS; step++) {
                world.step();
            }
            started += world.started;
            waited += world.waited;
        }
        assertThat(started).isGreaterThan(10 * RUNS);
        assertThat(waited).isGreaterThan(RUNS);
    }

    @Test
    void aProbeMakesNoDifferenceToAnythingThatComesAfter() {
        for (int seed = 0; seed < RUNS / 10; seed++) {
            var probed = new Sequence(seed, true);
            var other = new Sequence(seed, false);
            for (int step = 0; step < STEPS; step++) {
                probed.step();
                other.step();
            }
            assertThat(probed.happened).isEqualTo(other.happened);
            assertThat(probed.schedule).isEqualTo(other.schedule);
        }
    }

    /** The sequence of one cluster. */
    private static final class Sequence {

        private final Random random;
        private final boolean isProbed;
        private final List<Event> happened = new ArrayList<>();
        private ClusterSchedule schedule =
                ClusterSchedule.empty(SampleCluster.of(PES).cluster());
        private long now;
        private int number;
        private int started;
        private int waited;

        private Sequence(long seed, boolean isProbed) {
            this.random = new Random(seed);
            this.isProbed = isProbed;
        }

        private void step() {
            int changes = 1 + random.nextInt(3);
            for (int change = 0; change < changes; change++) {
                decide(next());
            }
            decide(new StartJobs());
            if (isProbed) {
                probe();
            }
            passTo(now + random.nextInt(25));
        }

        private Command next() {
            number++;
            int size = 1 + random.nextInt(PES);
            long duration = 1 + random.nextInt(15);
            return switch (random.nextInt(12)) {
                case 0, 1, 2, 3, 4, 5 ->
                    new SubmitJob(
                            new JobId(new UUID(7, number)), new AccountName("ada"), Optional.empty(), size, duration);
                case 6, 7, 8 ->
                    Request.of(number, size, duration)
                            .ready(now + random.nextInt(30))
                            .deadline(now + 80)
                            .fixAfter("0")
                            .reserve();
                case 9 ->
                    Request.of(number, size, 4 + duration)
                            .split(3, "0.25", false)
                            .reserve();
                case 10 -> LiveCluster.outage(number, 1, now + random.nextInt(10), now + 10 + random.nextInt(20));
                default ->
                    schedule.jobs().running().stream()
                            .findFirst()
                            .<Command>map(job -> new CompleteJob(job.id()))
                            .orElse(new StartJobs());
            };
        }

        private List<Event> decide(Command command) {
            if (command.decide(new Basis(schedule, now)) instanceof Decision.Accepted(var events, var next)) {
                schedule = next;
                happened.addAll(events);
                return events;
            }
            return List.of();
        }

        private void probe() {
            var before = schedule;
            var profile = schedule.profile();
            var kept = schedule.keptPlaces();
            var asked = Request.of(0, 1 + (int) (now % PES), 1 + now % 10)
                    .ready(now)
                    .deadline(now + 100);

            asked.probe(20).ask(schedule, now);
            asked.split(2, "0.5", false).probe(20).ask(schedule, now);

            assertThat(schedule).isEqualTo(before);
            assertThat(schedule.profile()).isEqualTo(profile);
            assertThat(schedule.keptPlaces()).isEqualTo(kept);
        }

        /** Goes from one due instant to the next; jobs start last in each. */
        private void passTo(long until) {
            var plan = planned(schedule.plans(now).original());
            var promised = schedule.reservations();
            for (var due = schedule.nextDue(); due.isPresent() && due.get().at() <= until; due = schedule.nextDue()) {
                now = due.get().at();
                var events = decide(new AdvanceClock(Integer.MAX_VALUE));
                if (events.stream().anyMatch(Sequence::changesAPlan)) {
                    decide(new StartJobs());
                    plan = planned(schedule.plans(now).original());
                    promised = schedule.reservations();
                    continue;
                }
                for (var event : events) {
                    if (event instanceof ReservationEvent happens) {
                        isAsPromised(happens, promised);
                    }
                }
                var kept = schedule.keptPlaces();
                for (var event : decide(new StartJobs())) {
                    var job = ((JobEvent) event).job();
                    assertThat(OptionalLong.of(now)).isEqualTo(plan.remove(job.id()));
                    started++;
                }
                headIsNotDelayed(kept);
            }
            now = until;
            assertThat(plan.values())
                    .allSatisfy(
                            start -> assertThat(start.orElse(Long.MAX_VALUE)).isGreaterThan(until));
        }

        /** Whether a run has lost PEs or got others. */
        private static boolean changesAPlan(Event event) {
            return switch (event.type()) {
                case DEGRADED, REPLACED, RESTORED, FAILED -> true;
                default -> false;
            };
        }

        /** Checks that a reservation or a part of it begins or ends on time. */
        private static void isAsPromised(ReservationEvent event, Collection<Reservation> promised) {
            var reservation = event.reservation();
            assertThat(reservation.state()).isIn(ReservationState.RUNNING, ReservationState.COMPLETED);
            assertThat(slots(promised.stream()
                            .filter(one -> one.id().equals(reservation.id()))
                            .findFirst()
                            .orElseThrow()))
                    .isEqualTo(slots(reservation))
                    .flatExtracting(Slot::start, Slot::end)
                    .contains(event.at());
        }

        private static List<Slot> slots(Reservation reservation) {
            return reservation.parts().stream().map(Part::slot).toList();
        }

        /** Checks EASY's guarantee: backfilled jobs take nothing of the kept place. */
        private void headIsNotDelayed(List<Part> kept) {
            if (!kept.isEmpty() && kept.getFirst().slot().start() > now) {
                waited++;
                assertThat(schedule.keptPlaces().stream().map(Part::slot))
                        .isEqualTo(kept.stream().map(Part::slot).toList());
            }
        }

        private Map<JobId, OptionalLong> planned(Plan plan) {
            var starts = new HashMap<JobId, OptionalLong>();
            int place = 0;
            for (BatchJob job : schedule.jobs().waiting()) {
                starts.put(job.id(), plan.start(place++));
            }
            return starts;
        }
    }
}
