package berth.persistence;

import berth.availability.PeSet;
import berth.availability.PlacementPolicy;
import berth.cluster.Admission;
import berth.cluster.Binding;
import berth.cluster.Cluster;
import berth.cluster.Juggling;
import berth.cluster.Limits;
import berth.cluster.Outage;
import berth.cluster.OutageId;
import berth.cluster.Policy;
import berth.cluster.ReplanOrder;
import berth.pricing.PriceFunction;
import berth.pricing.Tariff;
import berth.reservation.Charge;
import berth.reservation.EndReason;
import berth.reservation.Origin;
import berth.reservation.Placement;
import berth.reservation.Reservation;
import berth.reservation.ReservationId;
import berth.reservation.ReservationState;
import berth.reservation.Status;
import berth.sla.Fixing;
import berth.sla.Money;
import berth.sla.Part;
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
import java.util.Currency;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Random;
import java.util.UUID;
import java.util.function.Supplier;
import java.util.stream.Stream;

/** What can be recorded, with every field as it may be: the same for the same seed, but for the ids. */
final class Samples {

    static final Instant NOON = Instant.parse("2027-01-01T12:00:00Z");
    static final long NOW = NOON.getEpochSecond();
    static final Currency USD = Currency.getInstance("USD");

    /** Later ones sort after earlier ones. */
    private static final TimeBasedEpochGenerator ids = Generators.timeBasedEpochGenerator();

    private final Random random;

    Samples(long seed) {
        random = new Random(seed);
    }

    static UUID id() {
        return ids.generate();
    }

    static ReservationId reservationId() {
        return new ReservationId(id());
    }

    /** A plain one: ten minutes, ten minutes from now. */
    static Reservation reservation(String cluster, Status status) {
        return reservation(cluster, status, new Slot(NOW + 600, NOW + 1200));
    }

    /** A plain one: in that slot. */
    static Reservation reservation(String cluster, Status status, Slot slot) {
        return reservation(cluster, status, slot, usd("12.50"));
    }

    /** A plain one: one PE, from now on, with a minute to spare, at that price. */
    static Reservation reservation(String cluster, Status status, Slot slot, Money price) {
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
                new Origin(cluster, ServiceClass.STANDARD, Optional.empty(), Optional.empty()),
                terms,
                Placement.of(List.of(Part.whole(slot, 1)), NOW),
                Charge.of(price),
                status,
                Optional.empty());
    }

    static Money usd(String amount) {
        return new Money(new BigDecimal(amount), USD);
    }

    Reservation reservation(String cluster, ReservationId id, int version) {
        var terms = terms();
        long start = terms.window().readyTime() + random.nextLong(terms.flexibility() + 1);
        var status = status(version);
        var credit = status.state() == ReservationState.FAILED ? Optional.of(money()) : Optional.<Money>empty();
        return new Reservation(
                id,
                cluster,
                new Origin(
                        "owner" + random.nextInt(3),
                        one(ServiceClass.values()),
                        perhaps(() -> "ein schöner Name ✓ " + random.nextInt()),
                        perhaps(() -> "project")),
                terms,
                Placement.of(
                        List.of(new Part(
                                Slot.of(start, terms.runTime()), terms.pes(), perhaps(() -> peIds(terms.pes())), 1)),
                        NOW - random.nextInt(1000)),
                new Charge(money(), credit),
                status,
                Optional.empty());
    }

    /** Some of them next to each other, some not. */
    private PeSet peIds(int pes) {
        int first = random.nextInt(1000);
        return PeSet.of(first).or(PeSet.range(first + 2, first + 1 + pes));
    }

    private Terms terms() {
        long ready = NOW + random.nextInt(100_000);
        long runTime = 1 + random.nextInt(100_000);
        return new Terms(
                new Window(ready, ready + runTime + random.nextInt(1000)),
                1 + random.nextInt(100_000),
                List.of(new Shape(1 + random.nextInt(1000), runTime)),
                Optional.empty(),
                Optional.empty(),
                perhaps(this::money),
                labels(),
                new Fixing(perhaps(() -> share(0)), perhaps(100_000)),
                one(QosScenario.values()));
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
                version);
    }

    Cluster cluster(String id, int version) {
        var limits = new Limits(random.nextInt(1000), perhaps(100_000), share(1));
        var binding = one(Binding.values());
        return new Cluster(
                id,
                1 + random.nextInt(binding == Binding.EARLY ? Cluster.MAX_PES_EARLY : Cluster.MAX_PES),
                figure(10_000, 1_000_000_000),
                labels(),
                binding,
                one(Admission.values()),
                new Policy(
                        one(PlacementPolicy.values()),
                        ReplanOrder.EARLIEST_DEADLINE_FIRST,
                        Juggling.NEVER,
                        1 + random.nextLong(Policy.MAX_HORIZON),
                        random.nextInt(10_000),
                        perhaps(1000),
                        BigDecimal.ONE,
                        limits),
                tariff(),
                version);
    }

    private Tariff tariff() {
        return new Tariff(
                PriceFunction.BERTH,
                Currency.getInstance(one("USD", "JPY", "KWD")),
                figure(0, 1_000_000_000_000L),
                figure(1_000_000, 1_000_000_000),
                share(0),
                share(0),
                figure(10_000, 1_000_000_000),
                Tariff.STANDARD.preemptionIncentive(),
                figure(0, 1_000_000_000),
                figure(0, 1_000_000_000),
                List.of());
    }

    Outage outage(String cluster, long from) {
        int pes = 1 + random.nextInt(1000);
        return new Outage(
                new OutageId(id()),
                cluster,
                pes,
                perhaps(() -> peIds(pes)),
                from,
                random.nextBoolean() ? OptionalLong.of(from + 1 + random.nextInt(1000)) : OptionalLong.empty(),
                perhaps(() -> "Ölwechsel; 'quoted', \"twice\""),
                someIds(),
                someIds(),
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
