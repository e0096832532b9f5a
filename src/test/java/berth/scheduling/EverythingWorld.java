package berth.scheduling;

import static berth.reservation.ReservationState.CONFIRMED;
import static berth.reservation.ReservationState.HELD;
import static berth.reservation.ReservationState.PENDING;
import static berth.reservation.ReservationState.RUNNING;

import berth.approval.ApprovalRule;
import berth.approval.ApprovalRules;
import berth.approval.ClusterApproval;
import berth.availability.PeSet;
import berth.availability.PlacementPolicy;
import berth.batch.BatchJob;
import berth.batch.JobId;
import berth.batch.JobState;
import berth.cluster.AvailabilityMethod;
import berth.cluster.Binding;
import berth.cluster.Cluster;
import berth.cluster.EnforcementRule;
import berth.cluster.JobIntake;
import berth.cluster.Juggling;
import berth.cluster.Outage;
import berth.cluster.OutageId;
import berth.cluster.ReplanOrder;
import berth.cluster.Reshaping;
import berth.intake.IntakeRequest;
import berth.pricing.LoadStep;
import berth.pricing.PriceFunction;
import berth.pricing.Signal;
import berth.pricing.SignalStep;
import berth.pricing.Tariff;
import berth.reservation.Cause;
import berth.reservation.Enforcement;
import berth.reservation.EnforcementState;
import berth.reservation.Occurrence;
import berth.reservation.Proposal;
import berth.reservation.Reservation;
import berth.reservation.ReservationId;
import berth.reservation.ReservationState;
import berth.reservation.SeriesId;
import berth.scheduling.Event.ReservationEvent;
import berth.scheduling.commands.AcceptProposal;
import berth.scheduling.commands.Admit;
import berth.scheduling.commands.Approve;
import berth.scheduling.commands.BookSeries;
import berth.scheduling.commands.BookSeries.GivenUp;
import berth.scheduling.commands.Cancel;
import berth.scheduling.commands.CancelJob;
import berth.scheduling.commands.ChangeCluster;
import berth.scheduling.commands.ChangeSignal;
import berth.scheduling.commands.ChangeUsers;
import berth.scheduling.commands.Claim;
import berth.scheduling.commands.Collect;
import berth.scheduling.commands.Command;
import berth.scheduling.commands.Complete;
import berth.scheduling.commands.CompleteJob;
import berth.scheduling.commands.Confirm;
import berth.scheduling.commands.Decline;
import berth.scheduling.commands.DeclineProposal;
import berth.scheduling.commands.Degrade;
import berth.scheduling.commands.EndOutage;
import berth.scheduling.commands.Extend;
import berth.scheduling.commands.Fix;
import berth.scheduling.commands.Propose;
import berth.scheduling.commands.RecordOutage;
import berth.scheduling.commands.ReplaceJobs;
import berth.scheduling.commands.ReplaceOutages;
import berth.scheduling.commands.ReplaceOutages.ToldOutage;
import berth.scheduling.commands.Reserve;
import berth.scheduling.commands.ReserveAt;
import berth.scheduling.commands.SubmitJob;
import berth.scheduling.commands.TellEnforcement;
import berth.scheduling.commands.TellEnforcement.ReportedPart;
import berth.scheduling.commands.TellEnforcement.There;
import berth.scheduling.commands.Transfer;
import berth.scheduling.commands.TurnDown;
import berth.scheduling.commands.WaitForRoom;
import berth.scheduling.commands.Withdraw;
import berth.sla.AccountLimits;
import berth.sla.AccountName;
import berth.sla.Leeway;
import berth.sla.Money;
import berth.sla.Part;
import berth.sla.RequestedTerms;
import berth.time.Slot;
import java.math.BigDecimal;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Random;
import java.util.Set;
import java.util.UUID;
import java.util.stream.IntStream;

/**
 * A world in which any command can come: runs with shapes and parts, jobs, collected requests, proposals, degraded reservations, outages,
 * and rules that change at any time. It is small and busy; each world has its own rules.
 */
record EverythingWorld(Cluster cluster, int seed) {

    static final long BEGIN = 100;

    /** May approve for the cluster; nobody else may, because no account here is an administrator. */
    static final AccountName APPROVER = new AccountName("carol");

    private static final int STEPS = 60;
    private static final int HORIZON = 60;

    /** The time of a decision; the command is drawn from the schedule at that time. */
    record Step(int number, long now, long seed) {}

    static EverythingWorld of(int seed) {
        var random = new Random(seed);
        var sample = SampleCluster.of(2 + random.nextInt(7))
                .horizon(HORIZON - random.nextInt(20))
                .notice(random.nextInt(4))
                .label("gpu", "9")
                .tariff(tariff(random))
                .bound(any(random, Binding.values()))
                .placement(random.nextBoolean() ? PlacementPolicy.FIRST_FIT : any(random, PlacementPolicy.values()))
                .juggling(random.nextBoolean() ? Juggling.ALWAYS : any(random, Juggling.values()), order(random))
                .reshaping(any(random, Reshaping.values()))
                .reservableShare(List.of("0.6", "1", "1").get(random.nextInt(3)));
        sample = available(random, sample);
        sample = sample.promising(seed);
        if (seed % 5 == 1) {
            sample = sample.defaultSlack(1 + seed % 30);
        }
        if (random.nextInt(3) == 0) {
            sample = sample.claimWithin(1 + random.nextInt(3));
        }
        if (sample.cluster().binding() == Binding.EARLY && random.nextInt(3) > 0) {
            sample = sample.enforcing(random.nextInt(4) > 0 ? EnforcementRule.REQUIRED : EnforcementRule.REPORTED);
        }
        if (random.nextInt(3) == 0) {
            sample = sample.movingAtMost(1 + random.nextInt(3));
        }
        if (random.nextInt(3) == 0) {
            sample = sample.replanning(rules -> rules.pullingForward(true));
        }
        if (random.nextInt(5) == 0) {
            sample = sample.rating(List.of("0.5", "2").get(random.nextInt(2)));
        }
        var nodes = new Random(~seed);
        if (nodes.nextInt(3) == 0) {
            sample = sample.granule(2 + nodes.nextInt(2));
        }
        if (seed % 6 == 4) {
            sample = sample.approval(approval(seed));
        }
        if (seed % 18 == 5) {
            sample = sample.advanceShare("0.6");
        }
        return new EverythingWorld(sample.cluster(), seed);
    }

    /** Returns rules that ask for approval of about half of all requests. */
    private static ClusterApproval approval(int seed) {
        var ofMany = new ApprovalRule(
                OptionalInt.of(1 + seed % 3),
                OptionalInt.empty(),
                Optional.empty(),
                OptionalLong.empty(),
                OptionalLong.empty(),
                Optional.empty());
        var ofLongOrSoon = new ApprovalRule(
                OptionalInt.empty(),
                OptionalInt.empty(),
                Optional.empty(),
                seed % 4 == 0 ? OptionalLong.of(6) : OptionalLong.empty(),
                seed % 4 == 0 ? OptionalLong.empty() : OptionalLong.of(4),
                Optional.empty());
        return new ClusterApproval(
                new ApprovalRules(List.of(ofMany, ofLongOrSoon), 2 + seed % 20), List.of(APPROVER), seed % 5);
    }

    /** Returns an order; for about half of them a replan memo is kept. */
    private static ReplanOrder order(Random random) {
        return random.nextBoolean() ? ReplanOrder.EARLIEST_DEADLINE_FIRST : any(random, ReplanOrder.values());
    }

    private static SampleCluster available(Random random, SampleCluster sample) {
        return switch (random.nextInt(3)) {
            case 0 -> sample.available(AvailabilityMethod.LOAD, "0.5", "0", 10, 1);
            case 1 -> sample.available(AvailabilityMethod.WHAT_IF, "0.5", "0", 10, 1);
            default -> sample.available(AvailabilityMethod.WHAT_IF, "0.5", "0.8", 4, 2);
        };
    }

    private static Tariff tariff(Random random) {
        var like = SampleCluster.CENT_PER_SECOND;
        boolean neverLate = random.nextBoolean();
        boolean dependsOnLoad = random.nextInt(3) == 0;
        return like.with("function", PriceFunction.BERTH)
                .with("latenessDiscount", neverLate ? BigDecimal.ZERO : new BigDecimal("0.6"))
                .with(
                        "loadProfile",
                        dependsOnLoad ? List.of(new LoadStep(new BigDecimal("0.5"), BigDecimal.TWO)) : List.of())
                .with("returnShare", dependsOnLoad && !neverLate ? BigDecimal.ZERO : new BigDecimal("0.5"));
    }

    private static <T> T any(Random random, T[] values) {
        return values[random.nextInt(values.length)];
    }

    private static <T> T any(Random random, List<T> values) {
        return values.get(random.nextInt(values.size()));
    }

    private static final LocalDate DAY = LocalDate.of(2027, 1, 1);

    private static boolean rarely(Random random) {
        return random.nextInt(12) == 0;
    }

    List<Step> steps() {
        var random = new Random(seed);
        var steps = new ArrayList<Step>();
        long now = BEGIN;
        for (int number = 1; number <= STEPS; number++) {
            steps.add(new Step(number, now, random.nextLong()));
            now += random.nextInt(3) == 0 ? random.nextInt(6) : 0;
        }
        return steps;
    }

    /** Returns the command to decide then. */
    static Command command(Step step, ClusterSchedule schedule) {
        return new EverythingWorld.Draw(new Random(step.seed()), schedule, step.number(), step.now()).command();
    }

    /** Returns how much more the account of the command may reserve; seldom little. */
    static Allowance allowance(Step step) {
        var random = new Random(~step.seed());
        return rarely(random)
                ? new Allowance(
                        new AccountLimits(
                                OptionalInt.of(1 + random.nextInt(3)), OptionalInt.empty(), OptionalLong.empty()),
                        List.of())
                : Allowance.UNLIMITED;
    }

    /** Returns terms that find no place in their window about half of the time. */
    static RequestedTerms tight(Step step, ClusterSchedule schedule) {
        var random = new Random(step.seed() + 1);
        long duration = 1 + random.nextInt(12);
        long ready = step.now() + random.nextInt(20);
        int granule = schedule.cluster().nodes().granule();
        return Request.of(0, granule * (1 + random.nextInt(schedule.cluster().pes() / granule)), duration)
                .ready(ready)
                .deadline(ready + duration)
                .terms();
    }

    /** Draws among all possible commands. */
    private record Draw(Random random, ClusterSchedule schedule, int number, long now) {

        Command command() {
            // what is drawn too rarely: time that is returned and booked again, and PEs that others have taken
            if (number % 27 == 7) {
                return new Complete(target(EnumSet.of(RUNNING)));
            }
            if (number % 18 == 16 && schedule.cluster().policy().enforcement() != EnforcementRule.NONE) {
                return enforcement();
            }
            return approves() ? answerToRequest() : drawn();
        }

        /** Whether the step is about approvals, in a world that has them. */
        private boolean approves() {
            return number % 4 == 0
                    && !schedule.cluster().policy().approval().asks().rules().isEmpty();
        }

        private Command answerToRequest() {
            var meant = target(EnumSet.of(PENDING));
            var by = rarely(random) ? new AccountName("ada") : APPROVER;
            return random.nextInt(3) == 0
                    ? new Decline(meant, by, "no")
                    : new Approve(meant, by, random.nextBoolean() ? Optional.of("yes") : Optional.empty());
        }

        private Command drawn() {
            return switch (random.nextInt(60)) {
                case 0, 1 -> new Confirm(target(EnumSet.of(HELD)));
                case 2 -> new Cancel(target(EnumSet.allOf(ReservationState.class)));
                case 3 -> new Fix(target(EnumSet.of(CONFIRMED)), Fix.Wish.OWNERS);
                case 4 -> new Claim(target(EnumSet.of(RUNNING)));
                case 5 -> new Complete(target(EnumSet.of(RUNNING)));
                case 6, 7, 8, 9 -> renegotiation();
                case 10, 11 -> proposal();
                case 12, 13 -> answer();
                case 14 -> new Degrade(target(EnumSet.of(HELD, PENDING, CONFIRMED, RUNNING)));
                case 15, 16 -> outages();
                case 17 ->
                    new EndOutage(
                            one(schedule.outages().stream().map(Outage::id).toList())
                                    .orElse(LiveCluster.outageId(number)));
                case 18, 19 -> new ChangeCluster(rarely(random) ? other() : schedule.cluster(), other());
                case 42 -> number % 3 == 0 ? series() : submit();
                case 20 -> number % 2 == 0 ? signal() : submit();
                case 21, 22, 23, 24, 25, 26 -> submit();
                case 27, 37, 38, 39 ->
                    new CompleteJob(job(random.nextInt(4) == 0 ? JobState.QUEUED : JobState.RUNNING));
                case 28, 40, 41 -> new CancelJob(job(random.nextBoolean() ? JobState.QUEUED : JobState.RUNNING));
                case 29 -> outside();
                case 30, 31, 32 -> collect();
                case 33, 34 -> admit();
                case 35 -> new TurnDown(pending(), new Rejection.NoSlot());
                case 36 -> new Withdraw(rarely(random) || schedule.waiting().isEmpty() ? pending() : waiting());
                case 56, 57, 58, 59 -> waitForRoom();
                case 43 -> enforcement();
                case 44 -> {
                    var target = target(EnumSet.of(HELD, PENDING, CONFIRMED, RUNNING));
                    yield number % 3 == 0
                            ? new Transfer(
                                    target, new AccountName(number % 2 == 0 ? "ada" : "grace"), new AccountName("root"))
                            : new ChangeUsers(target, someUsers(random));
                }
                default ->
                    switch (random.nextInt(9)) {
                        case 0 -> extension();
                        case 1 -> atAPlace();
                        default -> request().reserve();
                    };
            };
        }

        /** Returns the number of nodes. */
        private int nodes() {
            return schedule.cluster().pes() / granule();
        }

        private int granule() {
            return schedule.cluster().nodes().granule();
        }

        /** Returns the PEs of that many nodes; sometimes a number that is not whole nodes. */
        private int pes(int nodes) {
            boolean isBroken = granule() > 1 && rarely(random);
            return nodes * granule() - (isBroken ? 1 : 0);
        }

        private <T> Optional<T> one(List<T> list) {
            return list.isEmpty() ? Optional.empty() : Optional.of(any(random, list));
        }

        private Optional<Reservation> reservation(Set<ReservationState> states) {
            var meant = rarely(random) ? EnumSet.allOf(ReservationState.class) : states;
            return one(schedule.reservations().stream()
                    .filter(one -> meant.contains(one.state()))
                    .sorted(Comparator.comparing(one -> one.id().value()))
                    .toList());
        }

        private Target target(Set<ReservationState> states) {
            var version = rarely(random) ? OptionalInt.of(random.nextInt(3)) : OptionalInt.empty();
            var id = reservation(states).map(Reservation::id).orElse(Request.id(number));
            return new Target(id, version);
        }

        private JobId job(JobState state) {
            return one(schedule.jobs().all().stream()
                            .filter(job -> job.state() == state)
                            .sorted(Comparator.comparing(BatchJob::rank))
                            .toList())
                    .map(BatchJob::id)
                    .orElse(new JobId(new UUID(7, number)));
        }

        private static List<String> someUsers(Random random) {
            return any(random, List.of(List.of(), List.of("ada"), List.of("ada", "bob")));
        }

        private ReservationId pending() {
            return pendingRequest().map(IntakeRequest::id).orElse(Request.id(number));
        }

        private ReservationId waiting() {
            return one(List.copyOf(schedule.waiting().all())).orElseThrow().id();
        }

        private WaitForRoom waitForRoom() {
            var reserve = request().reserve();
            return new WaitForRoom(
                    reserve.id(),
                    reserve.origin(),
                    1 + random.nextInt(10),
                    reserve.terms(),
                    reserve.start(),
                    random.nextBoolean() ? Long.MAX_VALUE : now - 1 + random.nextInt(40));
        }

        private Optional<IntakeRequest> pendingRequest() {
            return one(schedule.requests().stream()
                    .sorted(Comparator.comparing(one -> one.id().value()))
                    .toList());
        }

        // ---- requests

        private Request request() {
            int nodes = nodes();
            long duration = 1 + random.nextInt(rarely(random) ? 40 : 12);
            var request = Request.of(
                            number,
                            pes(1 + random.nextInt(rarely(random) ? nodes + 1 : Math.max(1, nodes * 2 / 3))),
                            duration)
                    .owner(random.nextBoolean() ? "ada" : "grace");
            long ready = now + random.nextInt(20);
            if (random.nextInt(4) > 0) {
                request = request.ready(ready);
            }
            if (random.nextInt(5) > 0) {
                request = request.deadline(ready + 2 * duration + random.nextInt(25) - (rarely(random) ? duration : 0));
            }
            request = goingOn(shaped(split(request), duration));
            if (random.nextInt(8) == 0) {
                request = request.start(ready);
            }
            if (random.nextInt(4) == 0) {
                request = request.hold(random.nextInt(12));
            }
            return priced(SchedulingWorld.bounded(new Random(number * 31L + now), request));
        }

        private Request goingOn(Request request) {
            var own = new Random(number * 31L + now);
            boolean isRigid = request.terms().moldability().isEmpty()
                    && request.terms().preemption().isEmpty();
            return isRigid && own.nextInt(3) == 0
                    ? request.autoExtend(1 + own.nextInt(8), now + own.nextInt(60))
                    : request;
        }

        private Request split(Request request) {
            return random.nextInt(3) == 0
                    ? request.split(
                            2 + random.nextInt(3),
                            List.of("0.25", "0.2", "0.125").get(random.nextInt(3)),
                            random.nextBoolean())
                    : request;
        }

        private Request shaped(Request request, long duration) {
            int nodes = nodes();
            if (random.nextInt(3) > 0 || nodes < 2) {
                return request;
            }
            int most = 2 + random.nextInt(nodes - 1);
            int fewer = 1 + random.nextInt(most - 1);
            return request.shapes(
                    "%d:%d %d:%d".formatted(pes(fewer), duration + 1 + random.nextInt(10), most * granule(), duration));
        }

        private Request priced(Request request) {
            var next = request;
            if (random.nextInt(4) == 0) {
                next = next.budget(new Money(
                        BigDecimal.valueOf(1 + random.nextInt(120), 2),
                        Request.usd("1").currency()));
            }
            if (rarely(random)) {
                next = next.requires("gpu", random.nextInt(3) == 0 ? "10" : "9");
            }
            next = switch (random.nextInt(8)) {
                case 0 -> next.fixAfter(List.of("0", "0.5", "1").get(random.nextInt(3)));
                case 1 -> next.fixBefore(random.nextInt(6));
                default -> next;
            };
            return random.nextInt(4) == 0 ? next.premium() : next;
        }

        private Collect collect() {
            var request = request();
            var reserve = request.reserve();
            return new Collect(
                    reserve.id(),
                    reserve.origin(),
                    1 + random.nextInt(10),
                    reserve.terms(),
                    reserve.start(),
                    random.nextBoolean() ? Optional.of(Leeway.ANY) : Optional.empty(),
                    random.nextInt(3) == 0 ? OptionalLong.of(now + random.nextInt(40)) : OptionalLong.empty());
        }

        private Admit admit() {
            var request = pendingRequest();
            var instead = request.filter(_ -> random.nextBoolean()).flatMap(one -> Admit.instead(one, schedule, now));
            return new Admit(request.map(IntakeRequest::id).orElse(Request.id(number)), instead);
        }

        /** Returns some runs of one of two series of each account, sometimes replacing existing ones. */
        private BookSeries series() {
            var occurrences = IntStream.range(0, 1 + random.nextInt(3))
                    .mapToObj(day -> occurrence(request().reserve(), day))
                    .toList();
            var owner = occurrences.getFirst().origin().owner();
            var givenUp = new GivenUp(series(owner), owner, DAY.plusDays(random.nextInt(3)));
            return new BookSeries(
                    random.nextInt(3) == 0 ? Optional.of(givenUp) : Optional.empty(),
                    occurrences,
                    random.nextInt(occurrences.size() + 1),
                    1 + random.nextInt(10));
        }

        private Reserve occurrence(Reserve plain, int day) {
            var which = new Occurrence(series(plain.origin().owner()), DAY.plusDays(day));
            return new Reserve(
                    Request.id(1000 * (1 + day) + number),
                    plain.origin().as(which),
                    plain.terms(),
                    plain.start(),
                    plain.hold());
        }

        private SeriesId series(AccountName owner) {
            return new SeriesId(new UUID(owner.value().hashCode(), random.nextInt(2)));
        }

        // ---- other terms

        private Command extension() {
            long by = 1 + random.nextInt(8);
            return new Extend(target(EnumSet.of(CONFIRMED, RUNNING)), by, 1 + random.nextLong(by));
        }

        /** Returns a request for a place that had room, or slightly later. */
        private Command atAPlace() {
            var asked = request().reserve();
            if (!(asked.decideAsOthersLie(new Basis(schedule, now)) instanceof Decision.Accepted(var events, var _))
                    || !(events.getLast() instanceof ReservationEvent placed)) {
                return asked;
            }
            int later = random.nextInt(4) == 0 ? 1 : 0;
            var parts = placed.reservation().parts().stream()
                    .map(part -> new Part(
                            new Slot(part.slot().start() + later, part.slot().end() + later),
                            part.pes(),
                            part.peIds(),
                            part.steps()))
                    .toList();
            return new ReserveAt(asked, parts);
        }

        private Command renegotiation() {
            return reservation(EnumSet.of(CONFIRMED, RUNNING))
                    .<Command>map(agreed -> otherwise(agreed).renegotiate())
                    .orElseGet(() -> request().renegotiate());
        }

        private Command proposal() {
            return reservation(EnumSet.of(CONFIRMED))
                    .<Command>map(agreed -> new Propose(
                            new Target(agreed.id(), OptionalInt.empty()),
                            otherwise(agreed).terms(),
                            new Money(
                                    BigDecimal.valueOf(random.nextInt(4), 2),
                                    agreed.price().currency()),
                            new AccountName("root"),
                            now + random.nextInt(10)))
                    .orElseGet(() -> request().reserve());
        }

        private Command answer() {
            var open = one(schedule.reservations().stream()
                    .filter(one -> one.proposal().isPresent())
                    .sorted(Comparator.comparing(one -> one.id().value()))
                    .toList());
            int proposed =
                    open.flatMap(Reservation::proposal).map(Proposal::number).orElse(1);
            var target = new Target(open.map(Reservation::id).orElse(Request.id(number)), OptionalInt.empty());
            return random.nextInt(3) == 0
                    ? new DeclineProposal(target, proposed + (rarely(random) ? 1 : 0))
                    : new AcceptProposal(target, proposed + (rarely(random) ? 1 : 0));
        }

        private Request otherwise(Reservation agreed) {
            var request = Request.like(agreed);
            var terms = request.terms();
            boolean isOpen = agreed.terms().moldability().isPresent();
            if (!isOpen && random.nextInt(4) == 0) {
                request = request.pes(Math.max(1, terms.pes() + granule() * (random.nextInt(3) - 1)));
            }
            if (!isOpen && random.nextInt(3) == 0) {
                request = request.duration(Math.max(1, terms.duration() - 2 + random.nextInt(5)));
            }
            if (random.nextInt(5) == 0) {
                request = request.ready(terms.readyTime().orElseThrow() - 2 + random.nextInt(6));
            }
            if (random.nextInt(2) == 0) {
                request = request.deadline(terms.deadline().orElseThrow() - 3 + random.nextInt(12));
            }
            return switch (random.nextInt(12)) {
                case 0 -> shaped(request, terms.duration());
                case 1 -> request.rigid();
                case 2 -> split(request);
                case 3 -> request.whole();
                case 4 -> request.fixBefore(random.nextInt(6));
                default -> request;
            };
        }

        // ---- the cluster

        private Command outages() {
            var outage = outage();
            return random.nextInt(3) == 0 ? told(outage) : outage;
        }

        /** Returns a source's report: most of its last report and one more. */
        private ReplaceOutages told(RecordOutage outage) {
            var told = new ArrayList<ToldOutage>();
            schedule.outages().stream()
                    .filter(present -> present.source().isPresent())
                    .sorted(Comparator.comparing(present -> present.id().value()))
                    .filter(_ -> random.nextInt(3) > 0)
                    .forEach(present -> told.add(new ToldOutage(
                            new OutageId(new UUID(2, told.size())),
                            present.peIds().orElseThrow(),
                            OptionalLong.of(present.from()),
                            present.to(),
                            Optional.empty())));
            told.add(new ToldOutage(
                    outage.id(),
                    outage.peIds().orElse(PeSet.range(0, outage.pes())),
                    outage.from(),
                    outage.to(),
                    Optional.empty()));
            return new ReplaceOutages("watch", told);
        }

        /** Reports some reservations as in place, in the right or another place, or not in place. */
        private TellEnforcement enforcement() {
            var told = new ArrayList<ReportedPart>();
            schedule.reservations().stream()
                    .sorted(Comparator.comparing(one -> one.id().value()))
                    .filter(_ -> random.nextBoolean())
                    .forEach(
                            one -> told.add(told(one, random.nextInt(one.parts().size()))));
            return new TellEnforcement(told);
        }

        private ReportedPart told(Reservation reservation, int number) {
            var part = reservation.parts().get(number);
            var state = random.nextInt(4) == 0 ? any(random, EnforcementState.values()) : EnforcementState.MATERIALISED;
            long later = rarely(random) ? 1 : 0;
            var there = part.peIds()
                    .map(pes -> new There(
                            new Slot(part.slot().start() + later, part.slot().end() + later), pes));
            var report = new Enforcement.Report(
                    number,
                    state,
                    Optional.empty(),
                    Optional.empty(),
                    random.nextBoolean() ? Optional.of(any(random, Cause.values())) : Optional.empty(),
                    random.nextBoolean() ? Optional.of("job 7") : Optional.empty(),
                    0);
            return random.nextInt(3) == 0
                    ? taken(reservation, number)
                    : new ReportedPart(reservation.id(), report, there);
        }

        /** Reports that jobs of others have PEs of a part, or beside it. */
        private ReportedPart taken(Reservation reservation, int number) {
            var report = new Enforcement.Report(
                    number,
                    EnforcementState.DRIFTED,
                    Optional.empty(),
                    Optional.empty(),
                    Optional.of(Cause.NODES_BUSY),
                    Optional.empty(),
                    0);
            int from = random.nextInt(schedule.cluster().pes());
            int to = from + 1 + random.nextInt(schedule.cluster().pes());
            return new ReportedPart(reservation.id(), report, Optional.empty(), PeSet.range(from, to));
        }

        private RecordOutage outage() {
            int pes = pes(1 + random.nextInt(nodes()));
            boolean isNow = random.nextBoolean();
            var ids = random.nextInt(3) == 0 ? Optional.of(somePes(pes)) : Optional.<PeSet>empty();
            long from = now + random.nextInt(15);
            return new RecordOutage(
                    LiveCluster.outageId(number),
                    pes,
                    ids,
                    isNow ? OptionalLong.empty() : OptionalLong.of(from),
                    rarely(random) ? OptionalLong.empty() : OptionalLong.of(from + 1 + random.nextInt(12)),
                    Optional.empty());
        }

        private PeSet somePes(int count) {
            var all = new ArrayList<>(IntStream.range(0, nodes()).boxed().toList());
            Collections.shuffle(all, random);
            return PeSet.of(all.stream()
                    .flatMapToInt(node -> IntStream.range(node * granule(), (node + 1) * granule()))
                    .limit(count)
                    .toArray());
        }

        private Cluster other() {
            var sample = SampleCluster.like(schedule.cluster());
            return (switch (random.nextInt(16)) {
                        case 0 -> sample.notice(random.nextInt(5));
                        case 1 -> sample.claimWithin(1 + random.nextInt(3));
                        case 2 -> sample.leadTime(random.nextInt(3));
                        case 3 -> number % 2 == 0 ? sample.closed() : sample.retired();
                        case 4 ->
                            sample.reservableShare(List.of("0.5", "0.75", "1").get(random.nextInt(3)));
                        case 5 -> sample.placement(any(random, PlacementPolicy.values()));
                        case 6 -> sample.juggling(any(random, Juggling.values()), any(random, ReplanOrder.values()));
                        case 7 -> sample.reshaping(any(random, Reshaping.values()));
                        case 8 -> available(random, sample);
                        case 9 -> sample.advanceShare(List.of("0.5", "1").get(random.nextInt(2)));
                        case 10 -> sample.bound(any(random, Binding.values()));
                        case 11 -> sample.jobs(any(random, JobIntake.values()));
                        case 13 ->
                            schedule.cluster().binding() == Binding.EARLY
                                    ? sample.enforcing(any(random, EnforcementRule.values()))
                                    : sample;
                        case 12 -> sample.maxHold(1 + random.nextInt(3)).maxJobDuration(2 + random.nextInt(12));
                        default ->
                            sample.open()
                                    .advanceShare("1")
                                    .pes(granule() * Math.max(2, nodes() - 2 + random.nextInt(5)));
                    })
                    .cluster();
        }

        /** Returns factors on prices by time, some of them past; sometimes none. */
        private ChangeSignal signal() {
            long from = now - 5 + random.nextInt(20);
            var steps = IntStream.range(0, random.nextInt(5))
                    .mapToObj(step -> new SignalStep(from + 5L * step, 10_000 + random.nextInt(5_000_000)))
                    .toList();
            return new ChangeSignal(steps.isEmpty() ? Signal.NONE : new Signal("energy", steps, from + 30));
        }

        // ---- jobs

        private SubmitJob submit() {
            int pes = pes(1 + random.nextInt(nodes() + (rarely(random) ? 1 : 0)));
            return new SubmitJob(
                    new JobId(new UUID(7, number)),
                    new AccountName("ada"),
                    Optional.empty(),
                    pes,
                    1 + random.nextInt(15));
        }

        /** Returns a command of an external batch system, after switching the cluster to one if there are no jobs. */
        private Command outside() {
            var present = schedule.cluster();
            return schedule.jobs().isEmpty() && present.policy().jobs() != JobIntake.OUTSIDE && !rarely(random)
                    ? new ChangeCluster(
                            present,
                            SampleCluster.like(present).jobs(JobIntake.OUTSIDE).cluster())
                    : new ReplaceJobs(outsideJobs());
        }

        /** Returns the report of an external batch system; sometimes an empty one, after which Berth has its own jobs again. */
        private List<ReplaceJobs.OutsideJob> outsideJobs() {
            int count = random.nextInt(3);
            return IntStream.range(0, count)
                    .mapToObj(job -> new ReplaceJobs.OutsideJob(
                            "job-" + job,
                            new AccountName("eve"),
                            pes(1 + random.nextInt(nodes())),
                            1 + random.nextInt(15),
                            now - 5,
                            random.nextBoolean() ? OptionalLong.of(now - random.nextInt(5)) : OptionalLong.empty(),
                            Optional.empty()))
                    .toList();
        }
    }
}
