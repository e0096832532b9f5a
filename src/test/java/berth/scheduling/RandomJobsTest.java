package berth.scheduling;

import static org.assertj.core.api.Assertions.assertThat;

import berth.batch.BatchJob;
import berth.batch.JobId;
import berth.batch.JobState;
import berth.cluster.Binding;
import berth.cluster.Juggling;
import berth.cluster.Outage;
import berth.cluster.ReplanOrder;
import berth.reservation.Reservation;
import berth.reservation.ReservationState;
import berth.scheduling.Event.JobEvent;
import berth.scheduling.Event.ReservationEvent;
import berth.sla.Part;
import berth.sla.RequestedTerms;
import berth.time.Slot;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Random;
import java.util.UUID;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/** Whatever comes, in whatever order: jobs keep the rules of paper 001, section 2, counted second by second. */
class RandomJobsTest {

    private static final int SEEDS = 400;
    private static final int STEPS = 70;
    /** Nothing that is counted second by second begins later. */
    private static final int END = 1500;

    private final EnumSet<Event.Type> seen = EnumSet.noneOf(Event.Type.class);
    private int backfilled;
    private int moved;
    private int alternatives;

    @Test
    void jobsNeitherDelayTheFirstNorAnyReservation() {
        for (int seed = 0; seed < SEEDS; seed++) {
            try {
                new World(seed).run();
            } catch (AssertionError | RuntimeException e) {
                throw new AssertionError("seed " + seed, e);
            }
        }
        assertThat(seen)
                .contains(
                        Event.Type.JOB_QUEUED,
                        Event.Type.JOB_STARTED,
                        Event.Type.JOB_COMPLETED,
                        Event.Type.JOB_CANCELLED,
                        Event.Type.JOB_REQUEUED,
                        Event.Type.OUTAGE_RECORDED,
                        Event.Type.CLUSTER_CHANGED,
                        Event.Type.FAILED,
                        Event.Type.EXPIRED);
        assertThat(backfilled).isGreaterThan(1000);
        assertThat(moved).isGreaterThan(100);
        assertThat(alternatives).isGreaterThan(1000);
    }

    private final class World {
        private final Random random;
        private final SampleCluster sample;
        private ClusterSchedule schedule;
        private long now;
        private int names;
        private Optional<BatchJob> first = Optional.empty();
        private long firstBy;
        /** Whether nothing was ever lost: then the share that may be reserved is kept to. */
        private boolean isWhole = true;

        World(int seed) {
            random = new Random(seed);
            var binding = seed % 3 == 0 ? Binding.EARLY : Binding.LATE;
            sample = SampleCluster.of(3 + random.nextInt(8))
                    .horizon(300)
                    .notice(random.nextInt(3) * 10)
                    .bound(binding)
                    .reservableShare(random.nextInt(3) == 0 ? "0.7" : "1")
                    .juggling(
                            Juggling.values()[random.nextInt(Juggling.values().length)],
                            ReplanOrder.values()[random.nextInt(ReplanOrder.values().length)]);
            schedule = ClusterSchedule.empty(sample.cluster());
        }

        void run() {
            for (int step = 0; step < STEPS; step++) {
                // the last event decides the place of the first of the queue, whenever something happens
                apply(new AdvanceClock(Integer.MAX_VALUE));
                var command = command();
                var events = apply(command);
                boolean isOfJobs =
                        command instanceof SubmitJob || command instanceof CompleteJob || command instanceof CancelJob;
                if (isOfJobs) {
                    assertThat(events).noneMatch(ReservationEvent.class::isInstance);
                }
                boolean isLoss = command instanceof RecordOutage || command instanceof ChangeCluster;
                startJobs();
                isWhole &= !isLoss;
                check(isLoss);
                if (step % 10 == 9) {
                    alternatives += Remedy.areAsAProbeSaysAndGranted(schedule, tight(), 3, now);
                }
                now = random.nextInt(4) == 0
                        ? now
                        : Math.min(
                                schedule.nextDue()
                                        .map(due -> Math.max(due.at(), now))
                                        .orElse(now),
                                now + random.nextInt(30));
            }
        }

        private List<Event> apply(Command command) {
            var decision = command.decide(schedule, now);
            assertThat(command.decide(rebuilt(), now))
                    .as("what is remembered makes no difference to %s", command)
                    .isEqualTo(decision);
            if (!(decision instanceof Decision.Accepted(var events, var next))) {
                return List.of();
            }
            events.forEach(event -> seen.add(event.type()));
            moved += (int) events.stream()
                    .filter(event -> event.type() == Event.Type.MOVED)
                    .count();
            schedule = next;
            return events;
        }

        private ClusterSchedule rebuilt() {
            return ClusterSchedule.of(
                    schedule.cluster(),
                    schedule.reservations(),
                    schedule.outages(),
                    schedule.jobs().all(),
                    schedule.requests(),
                    now);
        }

        private void startJobs() {
            var head = schedule.jobs().head();
            for (var event : apply(new StartJobs())) {
                var started = ((JobEvent) event).job();
                assertThat(started.run().orElseThrow().start()).isEqualTo(now);
                boolean isNext =
                        head.filter(job -> job.rank() <= started.rank()).isPresent();
                assertThat(isNext).isTrue();
                backfilled += head.filter(job -> job.id().equals(started.id())).isPresent() ? 0 : 1;
            }
        }

        private Command command() {
            int pes = schedule.cluster().pes();
            var jobs = List.copyOf(schedule.jobs().all());
            var running =
                    jobs.stream().filter(job -> job.state() == JobState.RUNNING).toList();
            var reservations = List.copyOf(schedule.reservations());
            return switch (random.nextInt(16)) {
                case 0, 1, 2, 3, 4 ->
                    new SubmitJob(
                            new JobId(new UUID(7, names++)),
                            "ada",
                            Optional.empty(),
                            1 + random.nextInt(pes),
                            1 + random.nextInt(40));
                case 5 ->
                    running.isEmpty()
                            ? reserve(pes)
                            : new CompleteJob(one(running).id());
                case 6 ->
                    jobs.isEmpty() ? reserve(pes) : new CancelJob(one(jobs).id());
                case 7 ->
                    reservations.isEmpty()
                            ? reserve(pes)
                            : new Cancel(new Target(one(reservations).id(), OptionalInt.empty()));
                case 8 -> random.nextInt(3) == 0 ? outage(pes) : reserve(pes);
                case 9 ->
                    schedule.outages().isEmpty()
                            ? reserve(pes)
                            : new EndOutage(schedule.outages().iterator().next().id());
                case 10 ->
                    random.nextInt(4) == 0
                            ? new ChangeCluster(
                                    schedule.cluster(),
                                    SampleCluster.like(schedule.cluster())
                                            .pes(Math.max(1, sample.cluster().pes() - random.nextInt(3)))
                                            .cluster())
                            : reserve(pes);
                default -> reserve(pes);
            };
        }

        private Command outage(int pes) {
            long from = schedule.cluster().binding() == Binding.EARLY ? now : now + random.nextInt(20);
            return LiveCluster.outage(names++, 1 + random.nextInt(pes), from, from + 1 + random.nextInt(60));
        }

        private Command reserve(int pes) {
            long duration = 1 + random.nextInt(30);
            long ready = now + random.nextInt(60);
            var request = Request.of(names++, 1 + random.nextInt(pes), duration)
                    .ready(ready)
                    .deadline(ready + duration + random.nextInt(80));
            if (random.nextInt(4) == 0) {
                request = request.start(ready);
            }
            return (random.nextInt(5) == 0 ? request.hold(1 + random.nextInt(20)) : request).reserve();
        }

        private RequestedTerms tight() {
            long duration = 1 + random.nextInt(30);
            long ready = now + random.nextInt(60);
            int pes = 1 + random.nextInt(schedule.cluster().pes());
            return Request.of(names++, pes, duration)
                    .ready(ready)
                    .deadline(ready + duration)
                    .terms();
        }

        private <T> T one(List<T> list) {
            return list.get(random.nextInt(list.size()));
        }

        private void check(boolean isLoss) {
            var taken = taken();
            schedule.keptPlaces().forEach(part -> take(taken, part));
            for (int second = (int) now; second < END; second++) {
                int free = schedule.profile().fewestFree(new Slot(second, second + 1));
                assertThat(free)
                        .as("free at %d", second)
                        .isNotNegative()
                        .isEqualTo(schedule.cluster().pes() - taken[second]);
            }
            assertThat(rebuilt()).isEqualTo(schedule);
            assertThat(rebuilt().keptPlaces()).isEqualTo(schedule.keptPlaces());
            checkTheFirst(isLoss);
            if (schedule.cluster().binding() == Binding.LATE) {
                schedule.jobs().waiting().stream()
                        .skip(1)
                        .forEach(job -> assertThat(fits(taken, job.pes(), now, job.estimate()))
                                .as("%s could start now", job)
                                .isFalse());
            }
        }

        private void checkTheFirst(boolean isLoss) {
            var head = schedule.jobs().head();
            var kept = schedule.keptPlaces();
            if (head.isEmpty() || kept.isEmpty()) {
                first = Optional.empty();
                return;
            }
            var job = head.get();
            long start = kept.getFirst().slot().start();
            assertThat(kept.getFirst().slot().duration()).isEqualTo(job.estimate());
            assertThat(start).isGreaterThan(now);
            if (schedule.cluster().binding() == Binding.LATE) {
                var taken = taken();
                assertThat(start)
                        .isEqualTo(LongStream.range(now, END)
                                .filter(at -> fits(taken, job.pes(), at, job.estimate()))
                                .findFirst()
                                .orElseThrow());
            }
            if (!isLoss && first.filter(job::equals).isPresent()) {
                assertThat(start).as("the first is delayed").isLessThanOrEqualTo(firstBy);
            }
            first = head;
            firstBy = start;
        }

        /** What runs, is reserved or is out of service. */
        private int[] taken() {
            var taken = new int[END + 500];
            for (Reservation reservation : schedule.reservations()) {
                assertThat(reservation.state()).isNotEqualTo(ReservationState.FAILED);
                for (var part : reservation.parts()) {
                    assertThat(reservation.terms().window().contains(part.slot()))
                            .isTrue();
                    take(taken, part);
                }
            }
            if (isWhole) {
                assertThat(Arrays.stream(taken).max().orElseThrow())
                        .isLessThanOrEqualTo(schedule.cluster().reservablePes());
            }
            for (var job : schedule.jobs().running()) {
                take(taken, job.part());
            }
            for (Outage outage : schedule.outages()) {
                int lost = outage.pesBelow(schedule.cluster().pes());
                for (long at = outage.from(); at < Math.min(outage.to().orElse(END), taken.length); at++) {
                    taken[(int) at] += lost;
                }
            }
            return taken;
        }

        private void take(int[] taken, Part part) {
            for (long at = part.slot().start(); at < Math.min(part.slot().end(), taken.length); at++) {
                taken[(int) at] += part.pes();
            }
        }

        private boolean fits(int[] taken, int pes, long start, long duration) {
            return LongStream.range(start, start + duration)
                    .allMatch(at -> taken[(int) at] + pes <= schedule.cluster().pes());
        }
    }
}
