package berth.store;

import berth.approval.Approval;
import berth.approval.Approval.Answer;
import berth.approval.Approval.Ask;
import berth.approval.ApprovalRule;
import berth.approval.ApprovalRules;
import berth.approval.ClusterApproval;
import berth.approval.Side;
import berth.availability.PeSet;
import berth.availability.PlacementPolicy;
import berth.batch.BatchJob;
import berth.batch.BatchJob.Run;
import berth.batch.JobId;
import berth.batch.JobSource;
import berth.cluster.Admission;
import berth.cluster.AvailabilityMethod;
import berth.cluster.AvailabilityRules;
import berth.cluster.Binding;
import berth.cluster.Cluster;
import berth.cluster.EnforcementRule;
import berth.cluster.Intake;
import berth.cluster.IntakeOrder;
import berth.cluster.JobIntake;
import berth.cluster.Juggling;
import berth.cluster.Limits;
import berth.cluster.MoveRules;
import berth.cluster.Nodes;
import berth.cluster.Outage;
import berth.cluster.OutageId;
import berth.cluster.Policy;
import berth.cluster.ProjectRule;
import berth.cluster.ReplanOrder;
import berth.cluster.Replanning;
import berth.cluster.Reshaping;
import berth.cluster.Visibility;
import berth.pricing.Cancellation;
import berth.pricing.LoadStep;
import berth.pricing.PriceFunction;
import berth.pricing.Signal;
import berth.pricing.SignalStep;
import berth.pricing.Tariff;
import berth.reservation.Assignment;
import berth.reservation.Cause;
import berth.reservation.Charge;
import berth.reservation.ClientLabels;
import berth.reservation.ClusterId;
import berth.reservation.EndReason;
import berth.reservation.Enforcement;
import berth.reservation.Enforcement.Report;
import berth.reservation.EnforcementState;
import berth.reservation.MoveHistory;
import berth.reservation.Origin;
import berth.reservation.Placement;
import berth.reservation.Proposal;
import berth.reservation.Quantity;
import berth.reservation.Reservation;
import berth.reservation.ReservationId;
import berth.reservation.ReservationState;
import berth.reservation.Status;
import berth.reservation.Status.Flag;
import berth.reservation.TakenPes;
import berth.scheduling.Event.Move;
import berth.scheduling.Event.MoveReason;
import berth.sla.AccountName;
import berth.sla.AutoExtension;
import berth.sla.DeadlineSource;
import berth.sla.Fixing;
import berth.sla.Follow;
import berth.sla.Moldability;
import berth.sla.Moldability.AllowedPes;
import berth.sla.Moldability.Speedup;
import berth.sla.Money;
import berth.sla.MoveBounds;
import berth.sla.Part;
import berth.sla.Preemption;
import berth.sla.QosScenario;
import berth.sla.ServiceClass;
import berth.sla.Shape;
import berth.sla.Terms;
import berth.time.Slot;
import berth.time.Window;
import com.fasterxml.uuid.Generators;
import com.fasterxml.uuid.impl.TimeBasedEpochGenerator;
import java.math.BigDecimal;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Currency;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.UUID;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** Examples of everything that can be recorded, with varied fields. The same seed gives the same samples except for ids. */
public final class Samples {

    public static final Instant NOON = Instant.parse("2027-01-01T12:00:00Z");
    public static final long NOW = NOON.getEpochSecond();
    public static final Currency USD = Currency.getInstance("USD");

    /** Later ids sort after earlier ones. */
    private static final TimeBasedEpochGenerator ids = Generators.timeBasedEpochGenerator();

    private final Random random;

    Samples(long seed) {
        random = new Random(seed);
    }

    public static UUID id() {
        return ids.generate();
    }

    public static ReservationId reservationId() {
        return new ReservationId(id());
    }

    /** Returns a plain reservation of ten minutes that begins in ten minutes. */
    static Reservation reservation(ClusterId cluster, Status status) {
        return reservation(cluster, status, new Slot(NOW + 600, NOW + 1200));
    }

    /** Returns a plain reservation in that slot. */
    static Reservation reservation(ClusterId cluster, Status status, Slot slot) {
        return reservation(cluster, status, slot, usd("12.50"));
    }

    /** Returns a plain reservation of one PE, from now on, with a minute of slack, at that price. */
    static Reservation reservation(ClusterId cluster, Status status, Slot slot, Money price) {
        var terms = new Terms(
                new Window(NOW, slot.end() + 60),
                slot.duration(),
                List.of(new Shape(1, slot.duration())),
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                Map.of(),
                Fixing.BY_NOTICE,
                QosScenario.INTERVAL);
        return new Reservation(
                reservationId(),
                cluster,
                new Origin(new AccountName(cluster.value()), ServiceClass.STANDARD),
                terms,
                Placement.of(List.of(Part.whole(slot, 1)), NOW),
                Charge.of(price),
                status,
                Optional.empty());
    }

    public static Money usd(String amount) {
        return new Money(new BigDecimal(amount), USD);
    }

    Reservation reservation(ClusterId cluster, ReservationId id, int version) {
        var terms = terms();
        var parts = parts(terms);
        var status = status(version);
        var credit = status.state() == ReservationState.FAILED ? Optional.of(money()) : Optional.<Money>empty();
        return new Reservation(
                id,
                cluster,
                new Origin(
                        new AccountName("owner" + random.nextInt(3)),
                        one(ServiceClass.values()),
                        ClientLabels.NONE
                                .with("name", perhaps(() -> "ein schöner Name ✓ " + random.nextInt()))
                                .with("project", perhaps(() -> "project")),
                        perhaps(() -> figure(-10_000_000, 10_000_000)),
                        List.of(),
                        random.nextBoolean() ? List.of() : List.of("ada", "b_b"),
                        Optional.empty(),
                        OptionalInt.empty(),
                        perhaps(() -> new Assignment(
                                new AccountName("owner1"),
                                perhaps(() -> new AccountName("owner2")),
                                new AccountName("root"))),
                        version % 3 == 0 ? Optional.of("large") : Optional.empty()),
                terms,
                new Placement(parts, NOW - random.nextInt(1000), random.nextInt(2 * parts.size() + 1)),
                new Charge(
                        money(),
                        credit,
                        perhaps(() -> new BigDecimal("0.5")),
                        perhaps(() -> new Quantity(money(), random.nextInt(1000)))),
                status,
                perhaps(() -> new Proposal(
                        random.nextInt(1000),
                        terms(),
                        money(),
                        new AccountName("root"),
                        NOW - random.nextInt(1000),
                        NOW + 1 + random.nextInt(1000))),
                enforcement());
    }

    private Enforcement enforcement() {
        var told = IntStream.range(0, random.nextInt(3))
                .mapToObj(part -> new Report(
                        part,
                        one(EnforcementState.values()),
                        perhaps(() -> "berth.tux.1.0"),
                        perhaps(() -> "n[1-4]"),
                        perhaps(() -> one(Cause.values())),
                        perhaps(() -> "job 7 is in the way: ✓"),
                        NOW - random.nextInt(1000)))
                .toList();
        var pes = random.nextBoolean() ? PeSet.NONE : PeSet.range(0, 1 + random.nextInt(9));
        var taken = random.nextBoolean() ? TakenPes.NONE : new TakenPes(random.nextInt(1000), NOW, pes, NOW + 3600);
        return new Enforcement(perhaps(1000), told, taken);
    }

    /** Returns PEs of which some are adjacent. */
    private PeSet peIds(int pes) {
        int first = random.nextInt(1000);
        return PeSet.of(first).or(PeSet.range(first + 2, first + 1 + pes));
    }

    private Terms terms() {
        long ready = NOW + random.nextInt(100_000);
        long duration = 1 + random.nextInt(100_000);
        int pes = 1 + random.nextInt(1000);
        var moldability = perhaps(() -> moldability(pes, duration));
        var shapes = moldability
                .map(mold -> mold.shapes(duration))
                .orElseGet(() -> List.of(new Shape(pes, 1 + random.nextInt(100_000))));
        long slack = random.nextInt(random.nextBoolean() ? 1000 : 1_000_000);
        var preemption = perhaps(this::preemption);
        boolean isRigid = moldability.isEmpty() && preemption.isEmpty();
        return new Terms(
                new Window(ready, ready + shapes.getFirst().runTime() + slack),
                duration,
                shapes,
                moldability,
                preemption,
                perhaps(this::money),
                labels(),
                new Fixing(perhaps(() -> share(0)), perhaps(100_000)),
                one(QosScenario.values()),
                isRigid ? Optional.of(new AutoExtension(1 + random.nextInt(1000), ready)) : Optional.empty(),
                DeadlineSource.values()[(int) (duration % DeadlineSource.values().length)],
                duration % 2 == 0
                        ? MoveBounds.NONE
                        : new MoveBounds(
                                OptionalInt.of((int) (duration % 7)),
                                OptionalLong.of(duration),
                                Optional.of(Follow.CHEAPEST).filter(_ -> duration % 2 == 0)));
    }

    private Moldability moldability(int maxPes, long duration) {
        if (random.nextBoolean()) {
            var runTimes = new TreeMap<>(Map.of(maxPes, duration));
            for (int pes = maxPes / 2; pes > 0 && random.nextBoolean(); pes /= 2) {
                runTimes.put(pes, runTimes.firstEntry().getValue() + random.nextInt(10_000));
            }
            return new Moldability.Runtimes(runTimes);
        }
        var speedup = one(Speedup.values());
        return new Moldability.Function(
                maxPes - maxPes / 2,
                maxPes,
                speedup,
                speedup == Speedup.AMDAHL ? Optional.of(share(0)) : Optional.empty(),
                AllowedPes.POWERS_OF_TWO);
    }

    private Preemption preemption() {
        var step = one("1", "0.5", "thirds", "0.2", "0.01");
        if (step.equals("thirds")) {
            return new Preemption(
                    random.nextBoolean() ? OptionalInt.of(1 + random.nextInt(3)) : OptionalInt.empty(),
                    3,
                    random.nextBoolean());
        }
        var share = new BigDecimal(step);
        var most = random.nextBoolean()
                ? OptionalInt.of(1 + random.nextInt(BigDecimal.ONE.divide(share).intValueExact()))
                : OptionalInt.empty();
        return new Preemption(most, share, random.nextBoolean());
    }

    /** Returns parts with pauses between them, if they fit, otherwise one part. */
    private List<Part> parts(Terms terms) {
        var parts = new ArrayList<Part>();
        long at = terms.window().readyTime();
        var shape = terms.shapes().getFirst();
        for (int done = 0; done < terms.steps(); ) {
            int to = parts.size() + 1 == terms.mostParts()
                    ? terms.steps()
                    : done + 1 + random.nextInt(terms.steps() - done);
            at += random.nextInt(100);
            long end = at + shape.cut(to, terms.steps()) - shape.cut(done, terms.steps());
            if (end == at) {
                return whole(terms);
            }
            parts.add(new Part(new Slot(at, end), shape.pes(), perhaps(() -> peIds(shape.pes())), to - done));
            at = end;
            done = to;
        }
        return at <= terms.window().deadline() ? parts : whole(terms);
    }

    private List<Part> whole(Terms terms) {
        var fitting = terms.shapes().stream()
                .filter(shape -> shape.runTime() <= terms.window().length())
                .toList();
        var shape = fitting.get(random.nextInt(fitting.size()));
        long latest = terms.window().latestStart(shape.runTime());
        long start = random.nextLong(terms.window().readyTime(), latest + 1);
        return List.of(new Part(
                Slot.of(start, shape.runTime()), shape.pes(), perhaps(() -> peIds(shape.pes())), terms.steps()));
    }

    Move move() {
        return new Move(parts(terms()), one(MoveReason.values()));
    }

    private Status status(int version) {
        var state = one(ReservationState.values());
        return new Status(
                state,
                state.isLive() ? Optional.empty() : perhaps(() -> one(EndReason.values())),
                state == ReservationState.HELD ? OptionalLong.of(NOW + 1) : OptionalLong.empty(),
                state == ReservationState.RUNNING ? perhaps(1000) : OptionalLong.empty(),
                NOW - random.nextInt(1000),
                NOW + random.nextInt(1000),
                version,
                random.nextBoolean() ? Set.of(one(Flag.values())) : Set.of(),
                version % 2 == 0
                        ? MoveHistory.NONE
                        : new MoveHistory(version, Optional.of(new Slot(NOW, NOW + version))),
                state == ReservationState.PENDING
                        ? Optional.of(new Approval(List.of(Ask.ofPolicy("large")), NOW + 1))
                        : version % 3 == 0 ? Optional.of(answered(version)) : Optional.empty(),
                Optional.empty());
    }

    private static Approval answered(int version) {
        return new Approval(List.of(Ask.of(Side.CLUSTER, rule(version)), Ask.of(Side.PROJECT, rule(version + 1))), NOW)
                .answered(
                        Set.of(Side.CLUSTER), new Answer(new AccountName("ada"), NOW, Optional.of("Für den Artikel ✓")))
                .answered(Set.of(Side.PROJECT), new Answer(new AccountName("bob"), NOW + 1, Optional.empty()));
    }

    private static ApprovalRule rule(int version) {
        return new ApprovalRule(
                OptionalInt.of(version),
                version % 2 == 0 ? OptionalInt.empty() : OptionalInt.of(version),
                version % 2 == 0 ? Optional.of(new BigDecimal("100.00")) : Optional.empty(),
                version % 2 == 0 ? OptionalLong.empty() : OptionalLong.of(version),
                version % 2 == 0 ? OptionalLong.of(3600) : OptionalLong.empty(),
                version % 2 == 0 ? Optional.empty() : Optional.of(ServiceClass.PREMIUM));
    }

    private static ClusterApproval approval(int version) {
        return new ClusterApproval(
                new ApprovalRules(List.of(rule(version), rule(version + 1)), 60 + version),
                List.of(new AccountName("ada"), new AccountName("bob")),
                version);
    }

    Cluster cluster(String id, int version) {
        var limits =
                new Limits(random.nextInt(1000), perhaps(100_000), share(1), share(0), perhaps(1000), perhaps(1000));
        var binding = one(Binding.values());
        var nodes = random.nextBoolean()
                ? Nodes.of(
                        1 + random.nextInt(32),
                        Optional.of("login,n[1-%d],b[007-013]".formatted(1 + random.nextInt(90))))
                : new Nodes(1 + random.nextInt(3), List.of());
        int most = binding == Binding.EARLY ? Cluster.MAX_PES_EARLY : Cluster.MAX_PES;
        int size = nodes.names().isEmpty()
                ? 1 + random.nextInt(most / nodes.granule())
                : nodes.names().size();
        return new Cluster(
                new ClusterId(id),
                size * nodes.granule(),
                nodes,
                random.nextBoolean() ? "GPU" : Cluster.PE,
                random.nextBoolean() ? Optional.of("Closed on Tuesday") : Optional.empty(),
                figure(10_000, 1_000_000_000),
                labels(),
                binding,
                one(Admission.values()),
                new Policy(
                        one(PlacementPolicy.values()),
                        replanning(version),
                        1 + random.nextLong(Policy.MAX_HORIZON),
                        random.nextInt(10_000),
                        perhaps(1000),
                        figure(0, 1_000_000_000),
                        new AvailabilityRules(
                                one(AvailabilityMethod.values()),
                                share(0),
                                share(0),
                                1 + random.nextInt(200),
                                1 + random.nextInt(10_000)),
                        limits,
                        one(JobIntake.values()),
                        one(Visibility.values()),
                        binding == Binding.EARLY ? one(EnforcementRule.values()) : EnforcementRule.NONE,
                        version % 2 == 0 ? OptionalLong.empty() : OptionalLong.of(version),
                        version % 2 == 0 ? ProjectRule.ANY : ProjectRule.KNOWN,
                        version % 2 == 0 ? ClusterApproval.NONE : approval(version)),
                new Intake(
                        one(IntakeOrder.values()),
                        random.nextInt(3601),
                        2 + random.nextInt(9),
                        1 + random.nextInt(1000)),
                tariff(),
                version);
    }

    private Replanning replanning(int version) {
        var juggling = one(Juggling.values());
        return new Replanning(
                one(ReplanOrder.values()),
                juggling,
                one(Reshaping.values()),
                random.nextBoolean(),
                random.nextBoolean() ? OptionalInt.empty() : OptionalInt.of(1 + random.nextInt(1000)),
                version % 2 == 0
                        ? MoveRules.NONE
                        : new MoveRules(
                                new MoveBounds(OptionalInt.of(version), OptionalLong.of(version)),
                                new BigDecimal("0.05")));
    }

    private Tariff tariff() {
        return new Tariff(
                one(PriceFunction.values()),
                Currency.getInstance(one("USD", "JPY", "KWD")),
                figure(0, 1_000_000_000_000L),
                figure(1_000_000, 1_000_000_000),
                share(0),
                share(0),
                figure(10_000, 1_000_000_000),
                share(0),
                share(0),
                figure(0, 1_000_000_000),
                figure(0, 1_000_000_000),
                loadProfile(),
                Cancellation.FREE,
                BigDecimal.ZERO,
                OptionalLong.empty(),
                signal());
    }

    private Signal signal() {
        long from = random.nextInt(1_000_000);
        return random.nextBoolean()
                ? Signal.NONE
                : new Signal(
                        "day-ahead",
                        List.of(
                                new SignalStep(from, 10_000 + random.nextInt(1_000_000)),
                                new SignalStep(from + 1, 1_000_000)),
                        from + 3_600);
    }

    private List<LoadStep> loadProfile() {
        return switch (random.nextInt(3)) {
            case 0 -> List.of();
            case 1 -> List.of(new LoadStep(share(0), figure(1_000_000, 1_000_000_000)));
            default ->
                List.of(
                        new LoadStep(BigDecimal.ZERO, figure(1_000_000, 2_000_000)),
                        new LoadStep(share(1), figure(2_000_000, 3_000_000)));
        };
    }

    /** Returns one of Berth's own jobs in its initial state. */
    BatchJob job(ClusterId cluster, long rank) {
        return BatchJob.queued(
                new JobId(id()),
                cluster,
                new AccountName("owner" + random.nextInt(3)),
                perhaps(() -> "ein schöner Name ✓ " + random.nextInt()),
                1 + random.nextInt(1000),
                1 + random.nextInt(100_000),
                NOW - random.nextInt(1000),
                rank,
                JobSource.BERTH);
    }

    /** Returns the same job, running for a while. */
    BatchJob running(BatchJob job) {
        long start = NOW - random.nextInt(1000);
        long known = start + random.nextInt(100);
        return job.running(new Run(start, Slot.of(known, job.estimate()), peIds(job.pes())));
    }

    /** Returns the queue of an external batch system. */
    List<BatchJob> queue(ClusterId cluster, int size) {
        return IntStream.range(0, size)
                .mapToObj(i -> BatchJob.queued(
                        JobId.outside(cluster, "job " + i),
                        cluster,
                        new AccountName("owner" + random.nextInt(3)),
                        Optional.of("job " + i),
                        1 + random.nextInt(1000),
                        1 + random.nextInt(100_000),
                        NOW - random.nextInt(1000),
                        i,
                        JobSource.OUTSIDE))
                .map(job -> random.nextInt(4) == 0 ? running(job) : job)
                .toList();
    }

    Outage outage(ClusterId cluster, long from) {
        int pes = 1 + random.nextInt(1000);
        return new Outage(
                new OutageId(id()),
                cluster,
                pes,
                perhaps(() -> peIds(pes)),
                from,
                random.nextBoolean() ? OptionalLong.of(from + 1 + random.nextInt(1000)) : OptionalLong.empty(),
                perhaps(() -> "Ölwechsel; 'quoted', \"twice\""),
                perhaps(() -> "slurm"),
                someIds(),
                someIds(),
                OptionalLong.empty(),
                OptionalLong.empty());
    }

    private List<ReservationId> someIds() {
        return Stream.generate(Samples::reservationId).limit(random.nextInt(4)).toList();
    }

    private Map<String, String> labels() {
        return switch (random.nextInt(3)) {
            case 0 -> Map.of();
            case 1 -> Map.of("gpu", "none");
            default -> Map.of("os", "linux/6.12", "a-b_c", "1", "0", "x".repeat(63));
        };
    }

    private Money money() {
        return new Money(BigDecimal.valueOf(random.nextLong(100_000_000_000_000L), 2), USD);
    }

    private BigDecimal share(int leastMillionth) {
        return figure(leastMillionth, 1_000_000);
    }

    private BigDecimal figure(long leastMillionths, long mostMillionths) {
        return BigDecimal.valueOf(random.nextLong(leastMillionths, mostMillionths + 1), 6);
    }

    private <T> Optional<T> perhaps(Supplier<T> value) {
        return random.nextBoolean() ? Optional.of(value.get()) : Optional.empty();
    }

    private OptionalLong perhaps(int bound) {
        return random.nextBoolean() ? OptionalLong.of(1 + random.nextInt(bound)) : OptionalLong.empty();
    }

    @SafeVarargs
    private <T> T one(T... values) {
        return values[random.nextInt(values.length)];
    }
}
