package berth.scheduling;

import berth.approval.ApprovalRule;
import berth.approval.ApprovalRules;
import berth.approval.ClusterApproval;
import berth.availability.PeSet;
import berth.availability.PlacementPolicy;
import berth.batch.JobId;
import berth.batch.JobSource;
import berth.cluster.Binding;
import berth.cluster.Cluster;
import berth.cluster.EnforcementRule;
import berth.cluster.JobIntake;
import berth.cluster.Juggling;
import berth.cluster.OutageId;
import berth.cluster.Policy;
import berth.cluster.ProjectRule;
import berth.cluster.ReplanOrder;
import berth.cluster.Replanning;
import berth.pricing.Signal;
import berth.pricing.SignalStep;
import berth.pricing.Tariff;
import berth.reservation.Cause;
import berth.reservation.ClientLabels;
import berth.reservation.Enforcement;
import berth.reservation.EnforcementState;
import berth.reservation.Origin;
import berth.reservation.Proposal;
import berth.reservation.Reservation;
import berth.reservation.ReservationId;
import berth.reservation.ReservationState;
import berth.scheduling.commands.AcceptProposal;
import berth.scheduling.commands.Admit;
import berth.scheduling.commands.Approve;
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
import berth.scheduling.commands.Fix;
import berth.scheduling.commands.Propose;
import berth.scheduling.commands.RecordOutage;
import berth.scheduling.commands.Renegotiate;
import berth.scheduling.commands.ReplaceJobs;
import berth.scheduling.commands.ReplaceJobs.OutsideJob;
import berth.scheduling.commands.ReplaceOutages;
import berth.scheduling.commands.ReplaceOutages.ToldOutage;
import berth.scheduling.commands.Reserve;
import berth.scheduling.commands.SubmitJob;
import berth.scheduling.commands.TellEnforcement;
import berth.scheduling.commands.TellEnforcement.ReportedPart;
import berth.scheduling.commands.TellEnforcement.There;
import berth.scheduling.commands.Transfer;
import berth.scheduling.commands.TurnDown;
import berth.scheduling.commands.WaitForRoom;
import berth.scheduling.commands.Withdraw;
import berth.sla.AccountName;
import berth.sla.AutoExtension;
import berth.sla.Fixing;
import berth.sla.Leeway;
import berth.sla.Moldability;
import berth.sla.Moldability.AllowedPes;
import berth.sla.Moldability.Speedup;
import berth.sla.Money;
import berth.sla.Preemption;
import berth.sla.RequestedTerms;
import berth.sla.ServiceClass;
import java.math.BigDecimal;
import java.time.InstantSource;
import java.util.Collection;
import java.util.Comparator;
import java.util.Currency;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Random;
import java.util.UUID;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.IntStream;

/** Random commands of every kind for a cluster of a few PEs; the same seed gives the same commands if later ids sort after earlier ones. */
public final class RandomCommands {

    private static final AccountName ALICE = new AccountName("alice");
    private static final AccountName ROOT = new AccountName("root");
    private static final AccountName BOB = new AccountName("bob");
    /** Asks for approval of the largest requests. */
    private static final ClusterApproval APPROVAL = new ClusterApproval(
            new ApprovalRules(
                    List.of(new ApprovalRule(
                            OptionalInt.of(6),
                            OptionalInt.empty(),
                            Optional.empty(),
                            OptionalLong.empty(),
                            OptionalLong.empty(),
                            Optional.empty())),
                    1200),
            List.of(ROOT),
            60);

    /** The project of most requests. */
    public static final String PROJECT = "climate";

    private static final Origin ORIGIN =
            new Origin(ALICE, ServiceClass.STANDARD, ClientLabels.NONE.with("project", Optional.of(PROJECT)));

    /** Every fourth request is of another account, which books what others return. */
    private static final Origin OTHERS = new Origin(BOB, ServiceClass.STANDARD);

    private final Random random;
    private final Supplier<UUID> ids;
    private final Cluster cluster;
    private final InstantSource clock;
    private int requests;

    /**
     * Creates the commands.
     *
     * @param ids creates new ids
     * @param cluster the cluster at its creation
     */
    public RandomCommands(Random random, Supplier<UUID> ids, Cluster cluster, InstantSource clock) {
        this.random = random;
        this.ids = ids;
        this.cluster = cluster;
        this.clock = clock;
    }

    private Reserve reserve(RequestedTerms terms, OptionalLong hold) {
        var origin = ++requests % 4 == 0 ? OTHERS : ORIGIN;
        return new Reserve(new ReservationId(ids.get()), origin, terms, OptionalLong.empty(), hold);
    }

    private Optional<Leeway> someLeeway() {
        return random.nextBoolean()
                ? Optional.empty()
                : Optional.of(new Leeway(
                        random.nextBoolean() ? Optional.empty() : Optional.of(BigDecimal.valueOf(random.nextInt(5))),
                        random.nextBoolean()));
    }

    /** Returns the next command for that schedule. */
    public Command next(ClusterSchedule schedule) {
        if (schedule.cluster().policy().enforcement() != EnforcementRule.NONE && random.nextInt(4) == 0) {
            return enforcement(schedule);
        }
        if (random.nextInt(3) == 0) {
            return someCommandOfJobs(schedule);
        }
        var live = live(schedule);
        var waiting = oldestFirst(schedule.requests(), request -> request.id().value());
        if (random.nextInt(20) == 0) {
            return new Collect(
                    new ReservationId(ids.get()),
                    ORIGIN,
                    1 + random.nextInt(10),
                    someTerms(),
                    OptionalLong.empty(),
                    someLeeway(),
                    random.nextBoolean()
                            ? OptionalLong.empty()
                            : OptionalLong.of(clock.instant().getEpochSecond() + 3600));
        }
        if (random.nextInt(20) == 0) {
            var asked = reserve(termsOfSomeShape(), OptionalLong.empty());
            return new WaitForRoom(
                    asked.id(),
                    asked.origin(),
                    5,
                    asked.terms(),
                    asked.start(),
                    clock.instant().getEpochSecond() + 1200);
        }
        if (!schedule.waiting().isEmpty() && random.nextInt(40) == 0) {
            return new Withdraw(schedule.waiting().all().iterator().next().id());
        }
        if (!waiting.isEmpty() && random.nextInt(20) == 0) {
            var id = waiting.get(random.nextInt(waiting.size())).id();
            return switch (random.nextInt(4)) {
                case 0 -> new Withdraw(id);
                case 1 -> new TurnDown(id, new Rejection.NoSlot());
                default -> new Admit(id);
            };
        }
        if (live.isEmpty() && !schedule.outages().isEmpty() && random.nextBoolean()) {
            // otherwise outages without end could take all PEs for good, and no reservation would be left or possible
            return endOfAnOutage(schedule).orElseThrow();
        }
        var asked = live.stream()
                .filter(reservation -> reservation.state() == ReservationState.PENDING)
                .findFirst();
        if (asked.isPresent() && random.nextInt(4) == 0) {
            var pending = new Target(asked.get().id(), OptionalInt.empty());
            return random.nextBoolean()
                    ? new Approve(pending, ROOT, Optional.empty())
                    : new Decline(pending, ROOT, "no");
        }
        if (live.isEmpty() || random.nextInt(3) == 0) {
            return reserve(someTerms(), random.nextInt(4) == 0 ? OptionalLong.of(300) : OptionalLong.empty());
        }
        var target = new Target(live.get(random.nextInt(live.size())).id(), OptionalInt.empty());
        return switch (random.nextInt(18)) {
            case 16 -> new Transfer(target, random.nextBoolean() ? ALICE : BOB, ROOT);
            case 17 -> new ChangeSignal(someSignal());
            case 0 -> new Cancel(target);
            case 1 -> new Confirm(target);
            case 2 -> new Fix(target, Fix.Wish.OWNERS);
            case 3, 4, 5 -> new Claim(toBeClaimed(schedule, target));
            case 14 -> new Complete(target);
            case 15 -> new ChangeUsers(target, random.nextBoolean() ? List.of() : List.of("ada", "bob"));
            case 6 -> new Renegotiate(target, someTerms());
            case 7 ->
                new Propose(
                        target,
                        someTerms(),
                        new Money(new BigDecimal("0.01"), Currency.getInstance("USD")),
                        ROOT,
                        clock.instant().getEpochSecond() + 3600);
            case 8 -> accept(schedule, withProposal(schedule, target));
            case 9 -> decline(schedule, withProposal(schedule, target));
            case 10 ->
                new ChangeCluster(schedule.cluster(), cluster(schedule.cluster().binding()));
            case 11 -> someOutages();
            case 12 -> new Degrade(target);
            default -> endOfAnOutage(schedule).orElseGet(() -> new Cancel(target));
        };
    }

    /** Returns factors for the next hours, or none. */
    private Signal someSignal() {
        long now = clock.instant().getEpochSecond();
        var steps = IntStream.range(0, random.nextInt(4))
                .mapToObj(i -> new SignalStep(now + 1200 * i, 500_000 + random.nextInt(1_000_000)))
                .toList();
        return steps.isEmpty() ? Signal.NONE : new Signal("energy", steps, now + 7200);
    }

    private static List<Reservation> live(ClusterSchedule schedule) {
        return oldestFirst(
                schedule.reservations(), reservation -> reservation.id().value());
    }

    /** Sorts by id; the schedule keeps some things in the order of hash codes, which differs with other ids. */
    private static <T> List<T> oldestFirst(Collection<T> elements, Function<T, UUID> id) {
        return elements.stream().sorted(Comparator.comparing(id)).toList();
    }

    private static Optional<Command> endOfAnOutage(ClusterSchedule schedule) {
        return oldestFirst(schedule.outages(), outage -> outage.id().value()).stream()
                .findFirst()
                .map(outage -> new EndOutage(outage.id()));
    }

    private static Command accept(ClusterSchedule schedule, Target target) {
        return new AcceptProposal(target, proposal(schedule, target));
    }

    private static Command decline(ClusterSchedule schedule, Target target) {
        return new DeclineProposal(target, proposal(schedule, target));
    }

    /**
     * Returns a running reservation that must be claimed and is then extended automatically, if there is one; a draw among all finds one
     * too rarely.
     */
    private static Target toBeClaimed(ClusterSchedule schedule, Target otherwise) {
        return live(schedule).stream()
                .filter(reservation -> reservation.state() == ReservationState.RUNNING
                        && reservation.status().claimBy().isPresent()
                        && reservation.terms().autoExtension().isPresent())
                .findFirst()
                .map(reservation -> new Target(reservation.id(), OptionalInt.empty()))
                .orElse(otherwise);
    }

    /** Returns a reservation with an open proposal, if there is one; a draw among all finds one too rarely. */
    private static Target withProposal(ClusterSchedule schedule, Target otherwise) {
        return live(schedule).stream()
                .filter(reservation -> reservation.proposal().isPresent())
                .findFirst()
                .map(reservation -> new Target(reservation.id(), OptionalInt.empty()))
                .orElse(otherwise);
    }

    /** Alternates between Berth's own queue and an external one. */
    private Command someCommandOfJobs(ClusterSchedule schedule) {
        var jobs = schedule.jobs();
        var before = schedule.cluster();
        boolean isOutside = before.policy().jobs() == JobIntake.OUTSIDE;
        if (jobs.isEmpty() && random.nextInt(4) == 0) {
            var other = isOutside ? JobIntake.OPEN : JobIntake.OUTSIDE;
            return new ChangeCluster(before, before.under(before.policy().withJobs(other)));
        }
        if (jobs.isEmpty() ? isOutside : jobs.source() == JobSource.OUTSIDE) {
            return new ReplaceJobs(someQueue(before));
        }
        var all = oldestFirst(jobs.all(), job -> job.id().value());
        if (all.isEmpty() || random.nextInt(3) == 0) {
            return new SubmitJob(
                    new JobId(ids.get()), BOB, Optional.of("a job"), 1 + random.nextInt(7), 1 + random.nextInt(3600));
        }
        var job = all.get(random.nextInt(all.size())).id();
        return random.nextBoolean() ? new CompleteJob(job) : new CancelJob(job);
    }

    private List<OutsideJob> someQueue(Cluster cluster) {
        long now = clock.instant().getEpochSecond();
        return IntStream.range(0, random.nextInt(4))
                .mapToObj(i -> {
                    int pes = 1 + random.nextInt(7);
                    boolean isRunning = random.nextBoolean();
                    boolean isNamed = isRunning && cluster.binding() == Binding.EARLY && pes <= cluster.pes();
                    return new OutsideJob(
                            "job " + i,
                            new AccountName("carol"),
                            pes,
                            1 + random.nextInt(3600),
                            now - 600,
                            isRunning ? OptionalLong.of(now - random.nextInt(600)) : OptionalLong.empty(),
                            isNamed ? Optional.of(PeSet.range(0, pes)) : Optional.empty());
                })
                .toList();
    }

    /** Sometimes reports outages as a monitor does, as its complete list. */
    private Command someOutages() {
        var outage = someOutage();
        return outage.peIds().isPresent() && random.nextInt(3) == 0
                ? new ReplaceOutages(
                        "watch",
                        List.of(new ToldOutage(
                                outage.id(),
                                outage.peIds().orElseThrow(),
                                outage.from(),
                                outage.to(),
                                outage.reason())))
                : outage;
    }

    /** Returns an outage of one PE, or of so many that some reservations have no other place. */
    private RecordOutage someOutage() {
        boolean isNamed = random.nextBoolean();
        long now = clock.instant().getEpochSecond();
        return new RecordOutage(
                new OutageId(ids.get()),
                isNamed ? 1 : 1 + random.nextInt(4),
                isNamed ? Optional.of(PeSet.of(random.nextInt(7))) : Optional.empty(),
                isNamed || random.nextBoolean() ? OptionalLong.empty() : OptionalLong.of(now + random.nextInt(600)),
                random.nextBoolean() ? OptionalLong.of(now + 1200) : OptionalLong.empty(),
                Optional.empty());
    }

    /** Reports some reservations, whose first part is in its place or elsewhere. */
    private TellEnforcement enforcement(ClusterSchedule schedule) {
        return new TellEnforcement(live(schedule).stream()
                .filter(_ -> random.nextInt(3) > 0)
                .map(this::told)
                .toList());
    }

    private ReportedPart told(Reservation reservation) {
        var part = reservation.parts().getFirst();
        var state = random.nextInt(6) == 0 ? EnforcementState.DRIFTED : EnforcementState.MATERIALISED;
        var taken =
                state == EnforcementState.DRIFTED ? part.peIds().map(pes -> pes.lowest(1)) : Optional.<PeSet>empty();
        return new ReportedPart(
                reservation.id(),
                new Enforcement.Report(
                        0,
                        state,
                        Optional.of("berth.0"),
                        Optional.empty(),
                        taken.map(_ -> Cause.NODES_BUSY),
                        Optional.empty(),
                        0),
                part.peIds().map(pes -> new There(part.slot(), pes)),
                taken.orElse(PeSet.NONE));
    }

    private static int proposal(ClusterSchedule schedule, Target target) {
        return schedule.find(target.reservation())
                .flatMap(Reservation::proposal)
                .map(Proposal::number)
                .orElse(0);
    }

    /**
     * Returns terms with one or several shapes that may or may not be splittable; a rigid run in one part may be extended automatically.
     */
    private RequestedTerms someTerms() {
        var terms = termsOfSomeShape();
        boolean isRigid = terms.moldability().isEmpty() && terms.preemption().isEmpty();
        if (!isRigid || random.nextInt(4) == 0) {
            return terms;
        }
        // on one PE it is blocked by others often enough, and alone often enough
        var how = new AutoExtension(600, clock.instant().getEpochSecond() + 86_400);
        return terms.rigid(terms.duration(), 1).autoExtending(Optional.of(how));
    }

    private RequestedTerms termsOfSomeShape() {
        int pes = 1 + random.nextInt(8);
        Optional<Moldability> moldability = random.nextBoolean()
                ? Optional.of(
                        new Moldability.Function(1, pes, Speedup.LINEAR, Optional.empty(), AllowedPes.POWERS_OF_TWO))
                : Optional.empty();
        return new RequestedTerms(
                OptionalLong.empty(),
                OptionalLong.empty(),
                1 + random.nextInt(7200),
                pes,
                moldability,
                random.nextBoolean()
                        ? Optional.of(new Preemption(OptionalInt.empty(), 3, random.nextBoolean()))
                        : Optional.empty(),
                Optional.empty(),
                Map.of(),
                Fixing.BY_NOTICE);
    }

    /** Returns a cluster whose reservations must be claimed and, with early binding, be in place on the machine. */
    public Cluster cluster(Binding binding) {
        var placement = PlacementPolicy.values()[random.nextInt(PlacementPolicy.values().length)];
        var policy = Policy.STANDARD
                .with("placement", placement)
                .with(
                        "replanning",
                        Replanning.of(
                                Juggling.values()[random.nextInt(Juggling.values().length)],
                                ReplanOrder.values()[random.nextInt(ReplanOrder.values().length)]))
                .with("notice", 60)
                .with("claimWithin", OptionalLong.of(900))
                .with("enforcement", binding == Binding.EARLY ? EnforcementRule.REQUIRED : EnforcementRule.NONE)
                .with("projects", ProjectRule.KNOWN)
                .with("approval", APPROVAL);
        return Cluster.of(cluster.id().value(), 7 + random.nextInt(4))
                .with("binding", binding)
                .with("policy", policy)
                .with("intake", cluster.intake())
                .with("tariff", returning(Tariff.STANDARD));
    }

    /** Takes half of the price off for returned time at once, and the rest if others book it. */
    public static Tariff returning(Tariff like) {
        return like.with("returnShare", new BigDecimal("0.5"));
    }
}
