package berth.scheduling;

import static berth.reservation.ReservationState.CONFIRMED;
import static berth.reservation.ReservationState.HELD;
import static berth.reservation.ReservationState.RUNNING;

import berth.availability.PeSet;
import berth.availability.PlacementPolicy;
import berth.batch.BatchJob;
import berth.batch.JobId;
import berth.batch.JobSource;
import berth.batch.JobState;
import berth.cluster.AvailabilityMethod;
import berth.cluster.Binding;
import berth.cluster.Cluster;
import berth.cluster.JobIntake;
import berth.cluster.Juggling;
import berth.cluster.Outage;
import berth.cluster.OutageId;
import berth.cluster.ReplanOrder;
import berth.cluster.Reshaping;
import berth.intake.IntakeRequest;
import berth.pricing.Tariff;
import berth.reservation.Proposal;
import berth.reservation.Reservation;
import berth.reservation.ReservationId;
import berth.reservation.ReservationState;
import berth.scheduling.commands.AcceptProposal;
import berth.scheduling.commands.Admit;
import berth.scheduling.commands.AdvanceClock;
import berth.scheduling.commands.Cancel;
import berth.scheduling.commands.CancelJob;
import berth.scheduling.commands.ChangeCluster;
import berth.scheduling.commands.ChangeUsers;
import berth.scheduling.commands.Claim;
import berth.scheduling.commands.Collect;
import berth.scheduling.commands.Command;
import berth.scheduling.commands.Complete;
import berth.scheduling.commands.CompleteJob;
import berth.scheduling.commands.Confirm;
import berth.scheduling.commands.DeclineProposal;
import berth.scheduling.commands.Degrade;
import berth.scheduling.commands.EndOutage;
import berth.scheduling.commands.Fix;
import berth.scheduling.commands.Propose;
import berth.scheduling.commands.RecordOutage;
import berth.scheduling.commands.Renegotiate;
import berth.scheduling.commands.ReplaceJobs;
import berth.scheduling.commands.ReplaceJobs.OutsideJob;
import berth.scheduling.commands.Reserve;
import berth.scheduling.commands.StartJobs;
import berth.scheduling.commands.SubmitJob;
import berth.scheduling.commands.Transfer;
import berth.scheduling.commands.TurnDown;
import berth.scheduling.commands.Withdraw;
import berth.sla.AccountLimits;
import berth.sla.AccountName;
import berth.sla.Money;
import berth.sla.RequestedTerms;
import berth.time.Slot;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.Currency;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Random;
import java.util.Set;
import java.util.UUID;
import java.util.function.Function;
import java.util.stream.IntStream;

/**
 * A world for random commands: a cluster so small and busy that its limits are reached all the time.
 *
 * @param queue the source of most jobs
 * @param longest the usual longest duration of runs and outages, in seconds
 * @param pace the approximate mean number of commands between two seconds
 */
record SchedulingWorld(Cluster cluster, Queue queue, long begin, int steps, int longest, int pace) {

    /** The source of batch jobs. */
    enum Queue {
        NOBODYS,
        BERTHS,
        OUTSIDE
    }

    private static final Currency USD = Currency.getInstance("USD");
    private static final Currency EUR = Currency.getInstance("EUR");
    private static final int LONGEST_PAUSE = 3;
    private static final int LONGEST_HORIZON = 60;

    /** The reservations of one account on another cluster. */
    private static final Reservation ELSEWHERE = elsewhere();

    /**
     * A command and the time of its decision.
     *
     * @param follows whether it is decided right after the previous one at the same time, as in a batch
     * @param allowance how much more its account may reserve or have waiting
     * @param command creates it at that time from the schedule
     */
    record Step(
            long now, boolean follows, String what, Allowance allowance, Function<ClusterSchedule, Command> command) {

        /** Creates a step of an account without limits. */
        Step(long now, boolean follows, String what, Function<ClusterSchedule, Command> command) {
            this(now, follows, what, Allowance.UNLIMITED, command);
        }

        static Step of(long now, boolean follows, Command command) {
            return of(now, follows, command, Allowance.UNLIMITED);
        }

        static Step of(long now, boolean follows, Request request) {
            return of(now, follows, request.reserve(), request.allowance());
        }

        static Step of(long now, boolean follows, Command command, Allowance allowance) {
            return new Step(now, follows, "%s, %s".formatted(command, allowance.limits()), allowance, _ -> command);
        }

        @Override
        public String toString() {
            return "%d%s: %s".formatted(now, follows ? " too" : "", what);
        }
    }

    /**
     * Returns a world. Most are short of PEs and time: one to six PEs and a horizon of 8 to 23 seconds. Every third has room to move, and
     * three of five have batch jobs. Each has a placement policy and a binding. A PE costs ten cents a second before discounts.
     */
    static SchedulingWorld of(int seed) {
        var random = new Random(seed);
        boolean hasRoom = seed % 3 == 0;
        var sample = SampleCluster.of(hasRoom ? 5 + seed % 8 : 1 + seed % 6)
                .horizon(hasRoom ? 45 + seed % 16 : 8 + seed % 16)
                .notice(random.nextInt(4))
                .label("gpu", "9")
                .tariff(tariff(random, USD));
        if (random.nextInt(3) == 0) {
            sample = sample.claimWithin(1 + random.nextInt(3));
        }
        if (random.nextInt(3) == 0) {
            sample = sample.rating(List.of("0.5", "0.8", "2", "3").get(random.nextInt(4)));
        }
        if (seed % 7 == 3) {
            sample = sample.advanceShare("0.6");
        }
        sample = sample.promising(seed);
        if (seed % 5 == 1) {
            sample = sample.defaultSlack(1 + seed % 9);
        }
        if (random.nextInt(4) == 0) {
            sample = sample.leadTime(1 + random.nextInt(2));
        }
        sample = sample.placement(any(random, PlacementPolicy.values()))
                .bound(any(random, Binding.values()))
                .juggling(any(random, Juggling.values()), any(random, ReplanOrder.values()))
                .reshaping(any(random, Reshaping.values()));
        if (seed % 4 == 0) {
            sample = sample.replanning(rules -> rules.pullingForward(true));
        }
        if (random.nextInt(3) == 0) {
            sample = sample.movingAtMost(1 + random.nextInt(3));
        }
        var queue = List.of(Queue.NOBODYS, Queue.BERTHS, Queue.BERTHS, Queue.NOBODYS, Queue.OUTSIDE)
                .get(seed % 5);
        if (queue != Queue.NOBODYS && random.nextInt(4) == 0) {
            sample = sample.available(AvailabilityMethod.LOAD, "0.5", "0", 20, 1);
        }
        if (queue == Queue.OUTSIDE) {
            sample = sample.jobs(JobIntake.OUTSIDE);
        }
        return new SchedulingWorld(sample.cluster(), queue, 100, 60, hasRoom ? 12 : 5, hasRoom ? 6 : 2);
    }

    private static <T> T any(Random random, T[] values) {
        return values[random.nextInt(values.length)];
    }

    private static Tariff tariff(Random random, Currency currency) {
        boolean neverLate = random.nextInt(5) == 0;
        int scale = 1 + random.nextInt(3);
        return Tariff.STANDARD
                .with("currency", currency)
                .with("pricePerPeHour", new BigDecimal("360"))
                .with("premiumFactor", new BigDecimal("2"))
                .with("flexibilityDiscount", new BigDecimal("0.3"))
                .with("latenessDiscount", neverLate ? BigDecimal.ZERO : new BigDecimal("0.6"))
                .with("latenessScale", BigDecimal.valueOf(scale))
                .with("renegotiationSurcharge", BigDecimal.valueOf(random.nextInt(3), 1))
                .with("breachCredit", new BigDecimal("0.75"))
                .with(
                        "returnShare",
                        List.of(BigDecimal.ZERO, new BigDecimal("0.5"), BigDecimal.ONE)
                                .get(scale - 1))
                .with("flexibilityScale", scale == 2 ? OptionalLong.of(20) : OptionalLong.empty());
    }

    private static Reservation elsewhere() {
        var other = LiveCluster.of(4).at(100);
        return other.grant(Request.of(1_000, 1, 50).start(130));
    }

    /** Returns all the time in which something can lie, except outages without end. */
    Slot all() {
        return new Slot(0, begin + (long) steps * LONGEST_PAUSE + LONGEST_HORIZON + 1);
    }

    List<Step> steps(Random random) {
        var sequence = new ArrayList<Step>();
        long now = begin;
        for (int number = 0; number < steps; number++) {
            now += random.nextInt(pace) == 0 ? random.nextInt(LONGEST_PAUSE + 1) : 0;
            sequence.add(step(random, number, now));
        }
        return sequence;
    }

    /** Returns steps in which runs that fill the cluster lose PEs, and others give theirs up, again and again. */
    List<Step> losses(Random random) {
        var sequence = new ArrayList<Step>();
        long now = begin;
        for (int number = 0; number < steps / 2; number++) {
            int phase = number % 15;
            now += phase == 0 || phase == 6 || phase == 8 ? 1 : 0;
            boolean follows = random.nextBoolean();
            sequence.add(
                    switch (phase) {
                        case 0, 1, 2, 3, 4, 5 ->
                            Step.of(now, follows, soon(random, number).reserve());
                        case 6, 7 -> {
                            var to = OptionalLong.of(now + 1 + random.nextInt(2 * longest));
                            yield Step.of(now, follows, lossNow(random, number, to));
                        }
                        case 8, 9 -> whose(random, now, follows, "Cancel", EnumSet.of(RUNNING), Cancel::new);
                        case 10, 11 -> whose(random, now, follows, "Complete", EnumSet.of(RUNNING), Complete::new);
                        default -> step(random, number, now);
                    });
        }
        return sequence;
    }

    /** Returns steps in which PEs go out of service again and again, nobody knows for how long, while reservations are ahead. */
    List<Step> outagesWithoutEnd(Random random) {
        var sequence = new ArrayList<Step>();
        long now = begin;
        for (int number = 0; number < steps / 2; number++) {
            int phase = number % 12;
            now += phase == 0 || phase == 8 ? 1 : 0;
            boolean follows = random.nextBoolean();
            sequence.add(
                    switch (phase) {
                        case 0, 1, 2, 3 ->
                            Step.of(
                                    now,
                                    follows,
                                    soon(random, number)
                                            .start(now + random.nextInt(longest))
                                            .reserve());
                        case 4, 5 -> Step.of(now, follows, lossNow(random, number, OptionalLong.empty()));
                        case 6, 7 -> whose(random, now, false, "Cancel", EnumSet.of(CONFIRMED), Cancel::new);
                        case 8, 9, 10 -> endOfOutage(random, now, follows);
                        default -> step(random, number, now);
                    });
        }
        return sequence;
    }

    private RecordOutage lossNow(Random random, int number, OptionalLong to) {
        int pes = 1 + random.nextInt((cluster.pes() + 2) / 3);
        return new RecordOutage(
                LiveCluster.outageId(number),
                pes,
                random.nextBoolean() ? Optional.of(somePes(random, pes)) : Optional.empty(),
                OptionalLong.empty(),
                to,
                Optional.empty());
    }

    private Request soon(Random random, int number) {
        var request = Request.of(number, 1 + random.nextInt((cluster.pes() + 2) / 3), 2 + random.nextInt(2 * longest));
        return random.nextInt(4) == 0 ? request.premium() : request;
    }

    private Step step(Random random, int number, long now) {
        boolean follows = random.nextBoolean();
        return switch (random.nextInt(queue == Queue.NOBODYS ? 54 : 80)) {
            case 0, 1, 2 -> whose(random, now, follows, "Confirm", EnumSet.of(HELD), Confirm::new);
            case 3, 4 -> whose(random, now, follows, "Cancel", EnumSet.allOf(ReservationState.class), Cancel::new);
            case 5, 6 ->
                whose(random, now, follows, "Fix", EnumSet.of(CONFIRMED), target -> new Fix(target, Fix.Wish.OWNERS));
            case 7, 8 -> whose(random, now, follows, "Claim", EnumSet.of(RUNNING), Claim::new);
            case 9 -> whose(random, now, follows, "Complete", EnumSet.of(RUNNING), Complete::new);
            case 10, 11, 12, 13, 14, 15 -> renegotiation(random, now, follows);
            case 16, 17, 18, 19 -> Step.of(now, follows, outage(random, number, now));
            case 20 -> endOfOutage(random, now, follows);
            case 21, 22 -> change(random, now, follows);
            case 23 -> Step.of(now, follows, new AdvanceClock(1 + random.nextInt(3)));
            case 42 -> whose(random, now, follows, "Degrade", EnumSet.of(HELD, CONFIRMED, RUNNING), Degrade::new);
            case 41 ->
                whose(
                        random,
                        now,
                        follows,
                        "ChangeUsers or Transfer",
                        EnumSet.of(HELD, CONFIRMED, RUNNING),
                        target -> now % 3 == 0
                                ? new Transfer(
                                        target,
                                        new AccountName(now % 2 == 0 ? "ada" : "grace"),
                                        new AccountName("root"))
                                : new ChangeUsers(target, now % 2 == 0 ? List.of() : List.of("ada", "bob")));
            case 43, 44 ->
                Step.of(
                        now,
                        follows,
                        collected(random, request(random, number, now).reserve()),
                        allowance(random));
            case 45, 46, 47 -> turn(random, now, follows);
            case 48, 49, 50 -> proposal(random, now, follows);
            case 51, 52, 53 -> answer(random, now, follows);
            case 54, 55, 56, 57, 58, 59, 60, 61 -> job(random, number, now, follows);
            case 62, 63, 64, 65, 66, 67, 68, 69 -> Step.of(now, follows, new StartJobs());
            case 70, 71, 72 -> whichJob(random, now, follows, JobState.RUNNING, CompleteJob::new);
            case 73, 74 -> whichJob(random, now, follows, any(random, JobState.values()), CancelJob::new);
            case 75, 76, 77, 78, 79 -> outsideJobs(random, number, now, follows);
            default -> Step.of(now, follows, request(random, number, now));
        };
    }

    /** Returns a command for a reservation in one of {@code states}, sometimes for another. */
    private Step whose(
            Random random,
            long now,
            boolean follows,
            String what,
            Set<ReservationState> states,
            Function<Target, Command> command) {
        int draw = random.nextInt(steps * steps);
        var meant = rarely(random) ? EnumSet.allOf(ReservationState.class) : states;
        var version = rarely(random) ? OptionalInt.of(random.nextInt(3)) : OptionalInt.empty();
        return new Step(
                now,
                follows,
                "%s one that is %s, draw %d".formatted(what, meant, draw),
                schedule -> command.apply(new Target(drawn(schedule, meant, draw), version)));
    }

    private static Collect collected(Random random, Reserve asked) {
        return new Collect(
                asked.id(),
                asked.origin(),
                1 + random.nextInt(10),
                asked.terms(),
                asked.start(),
                Optional.empty(),
                OptionalLong.empty());
    }

    /** Decides or withdraws one of the waiting requests. */
    private Step turn(Random random, long now, boolean follows) {
        int draw = random.nextInt(steps * steps);
        int how = random.nextInt(4);
        return new Step(now, follows, "turn of a request, draw %d, way %d".formatted(draw, how), schedule -> {
            var ids = schedule.requests().stream()
                    .map(IntakeRequest::id)
                    .sorted(Comparator.comparing(ReservationId::value))
                    .toList();
            var id = ids.isEmpty() ? Request.id(draw % steps) : ids.get(draw % ids.size());
            return switch (how) {
                case 0 -> new Withdraw(id);
                case 1 -> new TurnDown(id, new Rejection.NoSlot());
                default -> new Admit(id);
            };
        });
    }

    /** Returns a job for Berth, sometimes for a cluster with external jobs. */
    private Step job(Random random, int number, long now, boolean follows) {
        int pes = (rarely(random) ? 0 : 1) + random.nextInt(cluster.pes());
        long estimate = rarely(random) ? random.nextLong(cluster.policy().horizon() + 2) : 1 + random.nextInt(longest);
        return queue == Queue.OUTSIDE && random.nextInt(4) > 0
                ? Step.of(now, follows, new StartJobs())
                : Step.of(
                        now,
                        follows,
                        new SubmitJob(
                                new JobId(new UUID(7, number)),
                                new AccountName("ada"),
                                Optional.empty(),
                                pes,
                                estimate),
                        allowance(random));
    }

    private Step whichJob(Random random, long now, boolean follows, JobState state, Function<JobId, Command> command) {
        int draw = random.nextInt(steps * steps);
        return new Step(now, follows, "a job that is %s, draw %d".formatted(state, draw), schedule -> {
            var all = schedule.jobs().all().stream()
                    .sorted(Comparator.comparing(BatchJob::rank))
                    .toList();
            var meant = all.stream().filter(job -> job.state() == state).toList();
            var some = meant.isEmpty() ? all : meant;
            return command.apply(
                    some.isEmpty()
                            ? new JobId(new UUID(7, draw % steps))
                            : some.get(draw % some.size()).id());
        });
    }

    /** Returns a report of an external batch system, sometimes an empty one or one to a cluster with its own jobs. */
    private Step outsideJobs(Random random, int number, long now, boolean follows) {
        if (queue == Queue.BERTHS && random.nextInt(5) > 0) {
            return job(random, number, now, follows);
        }
        var told = IntStream.range(0, random.nextInt(4))
                .mapToObj(job -> outsideJob(random, job, now))
                .toList();
        boolean isToldAgain = random.nextInt(3) == 0;
        return new Step(
                now,
                follows,
                "outside, again if possible: %s, %s".formatted(isToldAgain, told),
                schedule -> isToldAgain && schedule.jobs().source() == JobSource.OUTSIDE
                        ? new ReplaceJobs(asTold(schedule))
                        : new ReplaceJobs(told));
    }

    private OutsideJob outsideJob(Random random, int job, long now) {
        var told = new OutsideJob(
                "job-" + (rarely(random) ? 0 : job),
                new AccountName("eve"),
                (rarely(random) ? 0 : 1) + random.nextInt(cluster.pes()),
                (rarely(random) ? 0 : 1) + random.nextInt(longest),
                now - 5 + (rarely(random) ? 70 : 0),
                random.nextInt(3) > 0 ? OptionalLong.of(now - random.nextInt(6)) : OptionalLong.empty(),
                Optional.empty());
        boolean mayBeNamed = told.startedAt().isPresent() && cluster.binding() == Binding.EARLY;
        return rarely(random) || mayBeNamed && random.nextBoolean() ? named(random, told) : told;
    }

    /** Names PEs from a random one on, sometimes one too many or beyond the last. */
    private OutsideJob named(Random random, OutsideJob told) {
        int first = random.nextInt(Math.max(1, cluster.pes() - told.pes() + (rarely(random) ? 2 : 1)));
        int pes = told.pes() + (rarely(random) ? 1 : 0);
        return new OutsideJob(
                told.name(),
                told.owner(),
                told.pes(),
                told.estimate(),
                told.submittedAt(),
                told.startedAt(),
                Optional.of(PeSet.range(first, first + pes)));
    }

    /** Returns the jobs of an external batch system as it reported them. */
    private static List<OutsideJob> asTold(ClusterSchedule schedule) {
        return schedule.jobs().all().stream()
                .sorted(Comparator.comparing(BatchJob::rank))
                .map(job -> new OutsideJob(
                        job.name().orElseThrow(),
                        job.owner(),
                        job.pes(),
                        job.estimate(),
                        job.submittedAt(),
                        job.run().map(run -> OptionalLong.of(run.start())).orElse(OptionalLong.empty()),
                        Optional.empty()))
                .toList();
    }

    /** Offers other terms for a reservation with an incentive. */
    private Step proposal(Random random, long now, boolean follows) {
        long seed = random.nextLong();
        return new Step(now, follows, "proposal, seed %d".formatted(seed), schedule -> {
            var draw = new Random(seed);
            var states = rarely(draw) ? EnumSet.allOf(ReservationState.class) : EnumSet.of(CONFIRMED);
            var id = drawn(schedule, states, draw.nextInt(steps * steps));
            var wanted = schedule.find(id)
                    .map(found -> otherwise(draw, Request.like(found)).terms())
                    .orElseGet(() -> Request.of(0, 1, 1).terms());
            var incentive =
                    new Money(BigDecimal.valueOf(draw.nextInt(rarely(draw) ? 2_000 : 10), 2), rarely(draw) ? EUR : USD);
            return new Propose(
                    new Target(id, OptionalInt.empty()),
                    wanted,
                    incentive,
                    new AccountName("root"),
                    now + draw.nextInt(12));
        });
    }

    /** Answers a present proposal, or makes one if there is none. */
    private Step answer(Random random, long now, boolean follows) {
        int draw = random.nextInt(steps * steps);
        boolean isAccepted = random.nextInt(5) > 0;
        int other = rarely(random) ? 1 : 0;
        var instead = proposal(random, now, follows);
        var allowance = limits(random, Request.of(0, 1, 1)).allowance();
        return new Step(
                now, follows, "answer, accepted %s, draw %d".formatted(isAccepted, draw), allowance, schedule -> {
                    var proposed = schedule.reservations().stream()
                            .filter(one -> one.proposal().isPresent())
                            .sorted(Comparator.comparing(one -> one.id().value()))
                            .toList();
                    if (proposed.isEmpty() && draw % 8 > 0) {
                        return instead.command().apply(schedule);
                    }
                    var id = proposed.isEmpty()
                            ? drawn(schedule, EnumSet.of(CONFIRMED), draw)
                            : proposed.get(draw % proposed.size()).id();
                    int number = other
                            + schedule.find(id)
                                    .flatMap(Reservation::proposal)
                                    .map(Proposal::number)
                                    .orElse(1);
                    var target = new Target(id, OptionalInt.empty());
                    return isAccepted ? new AcceptProposal(target, number) : new DeclineProposal(target, number);
                });
    }

    private ReservationId drawn(ClusterSchedule schedule, Set<ReservationState> states, int draw) {
        var ids = schedule.reservations().stream()
                .filter(reservation -> states.contains(reservation.state()))
                .map(Reservation::id)
                .sorted(Comparator.comparing(ReservationId::value))
                .toList();
        if (ids.isEmpty() && !schedule.reservations().isEmpty()) {
            return drawn(schedule, EnumSet.allOf(ReservationState.class), draw);
        }
        return ids.isEmpty() ? Request.id(draw % steps) : ids.get(draw % ids.size());
    }

    private Step endOfOutage(Random random, long now, boolean follows) {
        int draw = random.nextInt(steps * steps);
        return new Step(now, follows, "end of an outage, draw %d".formatted(draw), schedule -> {
            var ids = schedule.outages().stream()
                    .map(Outage::id)
                    .sorted(Comparator.comparing(OutageId::value))
                    .toList();
            return new EndOutage(ids.isEmpty() ? LiveCluster.outageId(draw % steps) : ids.get(draw % ids.size()));
        });
    }

    private RecordOutage outage(Random random, int number, long now) {
        long from = rarely(random)
                ? now - 59 - random.nextInt(3)
                : now - 1 + random.nextLong(cluster.policy().horizon() / 2);
        long length = random.nextInt(12) == 0 ? 0 : 1 + random.nextInt(longest);
        var to = random.nextInt(10) == 0 ? OptionalLong.empty() : OptionalLong.of(Math.max(from, now) + length);
        int pes = (rarely(random) ? 0 : 1) + random.nextInt(cluster.pes());
        boolean isNamed = random.nextBoolean();
        // not ahead, which would be refused most of the time
        boolean isNow = random.nextInt(isNamed && cluster.binding() == Binding.LATE ? 2 : 6) == 0;
        return new RecordOutage(
                LiveCluster.outageId(number),
                pes,
                isNamed ? Optional.of(somePes(random, rarely(random) ? pes + 1 : pes)) : Optional.empty(),
                isNow ? OptionalLong.empty() : OptionalLong.of(from),
                to,
                Optional.empty());
    }

    private PeSet somePes(Random random, int count) {
        int most = Math.max(count, cluster.pes() + (rarely(random) ? 1 : 0));
        var all = new ArrayList<>(IntStream.range(0, most).boxed().toList());
        Collections.shuffle(all, random);
        return PeSet.of(all.stream().limit(count).mapToInt(Integer::intValue).toArray());
    }

    private Request request(Random random, int number, long now) {
        long horizon = cluster.policy().horizon();
        long duration = rarely(random) ? random.nextLong(horizon + 2) : 1 + random.nextInt(longest);
        int pes = 1 + random.nextInt(rarely(random) ? cluster.pes() + 1 : (cluster.pes() + 2) / 2);
        var request = Request.of(number, pes, duration).owner(random.nextBoolean() ? "ada" : "grace");
        long ready = rarely(random) ? now - 59 - random.nextInt(3) : now - 1 + random.nextLong(horizon * 2 / 3);
        if (random.nextInt(5) < 3) {
            request = request.ready(ready);
        }
        if (random.nextInt(5) < 3) {
            long runTime = RequestedTerms.runTime(duration, cluster.rating());
            long slack = random.nextInt(3 * longest) - (rarely(random) ? 1 : 0);
            long from = Math.max(now, request.terms().readyTime().orElse(now));
            request = request.deadline(
                    rarely(random) ? from + runTime + slack : Math.min(from + runTime + slack, now + horizon));
        }
        if (random.nextInt(6) == 0) {
            request = request.start(now - 1 + random.nextLong(horizon + 1));
        }
        if (random.nextInt(3) == 0) {
            request = request.hold(random.nextInt(12));
        }
        if (random.nextInt(3) == 0) {
            request = request.budget(budget(random, pes * duration));
        }
        if (rarely(random)) {
            request = request.requires("gpu", random.nextInt(3) == 0 ? "10" : "9");
        }
        request = fixing(random, bounded(new Random(number * 31L + now), request));
        request = limits(random, request);
        return random.nextInt(4) == 0 ? request.premium() : request;
    }

    private static Money budget(Random random, long work) {
        return new Money(BigDecimal.valueOf(1 + random.nextLong(Math.max(1, 12 * work)), 2), USD);
    }

    private static Request fixing(Random random, Request request) {
        return switch (random.nextInt(8)) {
            case 0 -> request.fixAfter(List.of("0", "0.5", "1").get(random.nextInt(3)));
            case 1 -> request.fixBefore(random.nextInt(6));
            default -> request;
        };
    }

    private static Request limits(Random random, Request request) {
        var limits = switch (random.nextInt(26)) {
            case 0 -> limits(OptionalInt.of(random.nextInt(3)), OptionalInt.empty());
            case 1 -> limits(OptionalInt.empty(), OptionalInt.of(1 + random.nextInt(4)));
            case 2 -> waiting(1 + random.nextInt(2), random);
            default -> AccountLimits.NONE;
        };
        return random.nextBoolean() ? request.limits(limits) : request.limits(limits, ELSEWHERE);
    }

    /** Returns the allowance of an account that may sometimes have little waiting. */
    private static Allowance allowance(Random random) {
        var limits = switch (random.nextInt(12)) {
            case 0 -> limits(OptionalInt.of(random.nextInt(4)), OptionalInt.empty());
            case 1 -> limits(OptionalInt.empty(), OptionalInt.of(1 + random.nextInt(6)));
            case 2 -> waiting(random.nextInt(3), random);
            default -> AccountLimits.NONE;
        };
        return new Allowance(limits, List.of());
    }

    private static AccountLimits waiting(int most, Random random) {
        return new AccountLimits(
                OptionalInt.empty(),
                OptionalInt.empty(),
                OptionalLong.empty(),
                OptionalInt.of(most),
                OptionalInt.of(most),
                OptionalInt.of(most),
                random.nextBoolean() ? OptionalLong.of(1 + random.nextInt(3)) : OptionalLong.empty());
    }

    private static AccountLimits limits(OptionalInt activeReservations, OptionalInt pes) {
        return new AccountLimits(activeReservations, pes, OptionalLong.empty());
    }

    /** Changes the terms of a reservation, starting from the agreed ones. */
    private Step renegotiation(Random random, long now, boolean follows) {
        long seed = random.nextLong();
        var allowance = limits(new Random(~seed), Request.of(0, 1, 1)).allowance();
        return new Step(now, follows, "renegotiation, seed %d".formatted(seed), allowance, schedule -> {
            var draw = new Random(seed);
            var states = rarely(draw) ? EnumSet.allOf(ReservationState.class) : EnumSet.of(CONFIRMED, RUNNING);
            var id = drawn(schedule, states, draw.nextInt(steps * steps));
            var found = schedule.find(id);
            return found.isPresent()
                    ? otherwise(draw, Request.like(found.get())).renegotiate()
                    : new Renegotiate(
                            new Target(id, OptionalInt.empty()),
                            Request.of(0, 1, 1).terms());
        });
    }

    private static Request otherwise(Random random, Request agreed) {
        var terms = agreed.terms();
        long ready = terms.readyTime().orElseThrow();
        long deadline = terms.deadline().orElseThrow();
        var request = agreed;
        if (random.nextInt(4) == 0) {
            request = request.pes(Math.max(random.nextInt(2), terms.pes() - 1 + random.nextInt(3)));
        }
        if (random.nextInt(3) == 0) {
            request = request.duration(Math.max(random.nextInt(2), terms.duration() - 2 + random.nextInt(5)));
        }
        if (random.nextInt(5) == 0) {
            request = random.nextInt(3) == 0 ? request.readyAtOnce() : request.ready(ready - 3 + random.nextInt(8));
        }
        if (random.nextInt(3) == 0) {
            request =
                    random.nextInt(5) == 0 ? request.noDeadline() : request.deadline(deadline - 3 + random.nextInt(8));
        }
        if (random.nextInt(4) == 0) {
            request = request.budget(budget(random, terms.pes() * terms.duration()));
        }
        if (random.nextInt(12) == 0) {
            request = request.requires("gpu", random.nextBoolean() ? "10" : "9");
        }
        return fixing(random, bounded(new Random(ready * 31 + deadline), request));
    }

    /** Bounds the moves of some requests, seldom of those without freedom. */
    static Request bounded(Random random, Request request) {
        boolean isFree = request.terms().deadline().isPresent() || rarely(random);
        return switch (random.nextInt(isFree ? 6 : 1)) {
            case 1 -> request.maxMoves(random.nextInt(3));
            case 2 -> request.maxShift(random.nextInt(12));
            case 3 -> request.maxMoves(1 + random.nextInt(2)).maxShift(random.nextInt(12));
            case 4 -> request.following();
            default -> request;
        };
    }

    /** Changes the rules of the cluster, starting from the present ones. */
    private Step change(Random random, long now, boolean follows) {
        long seed = random.nextLong();
        return new Step(now, follows, "change of the cluster, seed %d".formatted(seed), schedule -> {
            var draw = new Random(seed);
            var before = rarely(draw) ? cluster : schedule.cluster();
            return new ChangeCluster(
                    before, otherwise(draw, SampleCluster.like(before)).cluster());
        });
    }

    private static SampleCluster otherwise(Random random, SampleCluster sample) {
        int pes = sample.cluster().pes();
        return switch (random.nextInt(22)) {
            case 0 -> sample.rating(List.of("0.5", "1", "2").get(random.nextInt(3)));
            case 1 -> sample.tariff(tariff(random, random.nextInt(3) == 0 ? EUR : USD));
            case 2 -> sample.horizon(8 + random.nextInt(LONGEST_HORIZON - 7));
            case 3 -> sample.notice(random.nextInt(5));
            case 4 -> sample.claimWithin(1 + random.nextInt(3));
            case 5 -> sample.leadTime(random.nextInt(3));
            case 6 -> sample.maxDuration(2 + random.nextInt(6));
            case 7 -> sample.label("gpu", random.nextBoolean() ? "9" : "10");
            case 8 -> random.nextInt(3) == 0 ? sample.closed() : sample.retired();
            case 16 ->
                random.nextInt(3) == 0
                        ? sample.jobs(any(random, JobIntake.values()))
                        : sample.maxHold(1 + random.nextInt(3));
            case 17 -> sample.maxJobDuration(2 + random.nextInt(6));
            case 9, 10 ->
                sample.reservableShare(List.of("0.5", "0.75", "1", "1").get(random.nextInt(4)));
            case 11 -> sample.placement(any(random, PlacementPolicy.values()));
            case 12 -> sample.bound(any(random, Binding.values()));
            case 13 -> sample.juggling(any(random, Juggling.values()), any(random, ReplanOrder.values()));
            case 14 -> sample.available(AvailabilityMethod.LOAD, "0.5", "0", 20, 1);
            case 18 -> sample.promising(random.nextInt(30));
            case 15 -> sample.available(AvailabilityMethod.WHAT_IF, "0.5", "0", 20, 1);
            default -> sample.open().pes(Math.max(1, pes - 2 + random.nextInt(5)));
        };
    }

    private static boolean rarely(Random random) {
        return random.nextInt(12) == 0;
    }
}
