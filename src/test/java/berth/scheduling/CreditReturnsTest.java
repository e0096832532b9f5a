package berth.scheduling;

import static berth.scheduling.LiveCluster.outage;
import static berth.scheduling.Request.id;
import static berth.scheduling.Request.target;
import static berth.scheduling.Request.usd;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import berth.budget.Dues;
import berth.cluster.Cluster;
import berth.reservation.OpenReturn;
import berth.reservation.Quantity;
import berth.reservation.Reservation;
import berth.reservation.ReservationId;
import berth.reservation.ReservationState;
import berth.scheduling.Event.ReservationEvent;
import berth.scheduling.Event.ReturnCredit;
import berth.scheduling.commands.Cancel;
import berth.scheduling.commands.Command;
import berth.scheduling.commands.Complete;
import berth.scheduling.commands.PullForward;
import berth.sla.Money;
import berth.sla.Part;
import java.math.BigDecimal;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Random;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class CreditReturnsTest {

    private final LiveCluster cluster = half(8);

    private static LiveCluster half(int pes) {
        return LiveCluster.of(sharing(pes, "0.5"));
    }

    private static SampleCluster sharing(int pes, String share) {
        return SampleCluster.of(pes)
                .tariff(SampleCluster.tariff(SampleCluster.CENT_PER_SECOND, share, OptionalLong.empty()));
    }

    private static Request bobs(int number, int pes, long duration) {
        return Request.of(number, pes, duration).owner("bob");
    }

    /** Ends a run of 8 PEs for 100 seconds after 25 seconds; it owes 2.00 for what it had and 3.00 of 6.00 for the rest. */
    private Reservation isReturned() {
        cluster.grant(Request.of(1, 8, 100));
        cluster.advance();
        return cluster.at(25).grant(new Complete(target(1)));
    }

    @Test
    void whoReturnedTimeIsCreditedTheRestOnceAnotherOwnerWasCharged() {
        assertThat(isReturned().charge().openReturns())
                .extracting(OpenReturn::rest)
                .containsExactly(new Quantity(usd("3.00"), 300));

        cluster.grant(bobs(2, 8, 75));
        cluster.at(99).advance();
        assertThat(cluster.latest(1).price()).isEqualTo(usd("5.00"));
        var events = cluster.at(100).advance();

        assertThat(events).extracting(Event::type).containsExactly(Event.Type.COMPLETED, Event.Type.RETURN_CREDITED);
        assertThat(((ReservationEvent) events.getLast()).returned())
                .contains(new ReturnCredit(id(2), new Quantity(usd("3.00"), 300)));
        var credited = cluster.latest(1);
        assertThat(credited.price()).isEqualTo(usd("2.00"));
        assertThat(Dues.of(credited).charged()).isEqualTo(new Quantity(usd("2.00"), 200));
        assertThat(credited.charge().openReturns()).isEmpty();
        assertThat(credited.status().updatedAt()).isEqualTo(25);
        assertThat(credited.version()).isEqualTo(3);
        assertThat(cluster.schedule().openReturns()).isEmpty();
    }

    @Test
    void aRunThatGoesOnIsCreditedForThePesThatItReturned() {
        cluster.grant(Request.of(1, 8, 100));
        cluster.advance();
        cluster.at(25).grant(Request.like(cluster.find(id(1))).pes(2).renegotiate());
        cluster.grant(bobs(2, 6, 25));
        cluster.at(50).advance();

        // 150 of the 450 returned PE-seconds were booked again, for half of 1.50
        assertThat(cluster.latest(1).state()).isEqualTo(ReservationState.RUNNING);
        assertThat(cluster.latest(1).price()).isEqualTo(usd("5.00"));
        cluster.at(100).advance();
        assertThat(cluster.latest(1).price()).isEqualTo(usd("5.00"));
        assertThat(Dues.of(cluster.latest(1)).charged().peSeconds()).isEqualTo(500);
        assertThat(cluster.schedule().openReturns()).isEmpty();
    }

    @Test
    void timeThatNobodyBooksIsForgottenWhenItIsOver() {
        isReturned();
        assertThat(cluster.at(99).advance()).isEmpty();

        assertThat(cluster.at(100).advance()).extracting(Event::type).containsExactly(Event.Type.RETURN_ENDED);
        assertThat(cluster.latest(1).price()).isEqualTo(usd("5.00"));
        assertThat(cluster.schedule().openReturns()).isEmpty();
    }

    @Test
    void aRunThatGoesOnAfterTheReturnedTimePaysAtItsEnd() {
        isReturned();
        cluster.at(50).grant(bobs(2, 4, 100));
        assertThat(cluster.at(100).advance()).extracting(Event::type).contains(Event.Type.RETURN_ENDED);
        assertThat(cluster.latest(1).charge().openReturns())
                .extracting(OpenReturn::rest, OpenReturn::by)
                .containsExactly(tuple(new Quantity(usd("1.00"), 100), Optional.of(id(2))));

        cluster.at(150).advance();

        assertThat(cluster.latest(1).price()).isEqualTo(usd("4.00"));
        assertThat(cluster.schedule().openReturns()).isEmpty();
    }

    @Test
    void aRunThatFailsAfterTheReturnedTimePaysNothing() {
        isReturned();
        cluster.at(50).grant(bobs(2, 8, 100));
        cluster.at(100).advance();
        var events = cluster.at(120).happens(outage(1, 8, 120, 300));

        assertThat(events).extracting(Event::type).contains(Event.Type.FAILED, Event.Type.RETURN_ENDED);
        assertThat(cluster.latest(1).price()).isEqualTo(usd("5.00"));
        assertThat(cluster.schedule().openReturns()).isEmpty();
    }

    @Test
    void bookingsOfTheSameOwnerPayNothing() {
        isReturned();
        cluster.grant(Request.of(2, 8, 75));
        cluster.at(100).advance();

        assertThat(cluster.latest(1).price()).isEqualTo(usd("5.00"));
    }

    @Test
    void bookingsForTheSameProjectPayNothing() {
        cluster.grant(Request.of(1, 8, 100).project("physics"));
        cluster.advance();
        cluster.at(25).grant(new Complete(target(1)));
        cluster.grant(bobs(2, 4, 75).project("physics"));
        cluster.grant(bobs(3, 4, 75).project("chemistry"));
        cluster.at(100).advance();

        assertThat(cluster.latest(1).price()).isEqualTo(usd("3.50"));
    }

    @Test
    void bookingsFromBeforeTheReturnPayNothingWhereverTheyAreMoved() {
        var pulling = LiveCluster.of(sharing(8, "0.5"));
        pulling.grant(Request.of(1, 8, 100));
        pulling.grant(bobs(2, 8, 50).ready(0).deadline(900));
        pulling.advance();
        pulling.at(25).grant(new Complete(target(1)));
        var before = pulling.schedule();
        pulling.happens(new PullForward(before));
        pulling.at(200).advance();

        assertThat(pulling.latest(1).price()).isEqualTo(usd("5.00"));
    }

    @Test
    void cancelledBookingsPayNothing() {
        isReturned();
        cluster.grant(bobs(2, 8, 50).start(50));
        cluster.at(40).grant(new Cancel(target(2)));
        cluster.at(100).advance();

        assertThat(cluster.latest(1).price()).isEqualTo(usd("5.00"));
    }

    @Test
    void timeThatIsReturnedAgainIsCreditedToTheLastOwnerWhoReturnedIt() {
        isReturned();
        cluster.grant(bobs(2, 8, 75));
        cluster.advance();
        // 3.00 for 25 of 75 seconds are credited at once, to Alice, and Bob has 2.00 + 2.00 to pay
        cluster.at(50).happens(new Complete(target(2)));
        assertThat(cluster.latest(1).price()).isEqualTo(usd("4.00"));
        assertThat(cluster.latest(2).price()).isEqualTo(usd("4.00"));

        cluster.grant(Request.of(3, 8, 50).owner("carol"));
        cluster.at(100).advance();

        assertThat(cluster.latest(1).price()).isEqualTo(usd("4.00"));
        assertThat(cluster.latest(2).price()).isEqualTo(usd("2.00"));
        assertThat(cluster.schedule().openReturns()).isEmpty();
    }

    @Test
    void noMoreIsCreditedThanTheNewReservationIsCharged() {
        isReturned();
        cluster.change(SampleCluster.of(8)
                .tariff(SampleCluster.tariff(
                        SampleCluster.tariff(
                                new BigDecimal("9"),
                                BigDecimal.ZERO,
                                sharing(8, "0.5").cluster().tariff().cancellation()),
                        "0.5",
                        OptionalLong.empty())));
        cluster.grant(bobs(2, 8, 75));
        cluster.at(100).advance();

        assertThat(cluster.latest(2).price()).isEqualTo(usd("1.50"));
        assertThat(cluster.latest(1).price()).isEqualTo(usd("3.50"));
    }

    @Test
    void aRunThatLostPesPaysNothing() {
        isReturned();
        cluster.grant(bobs(2, 8, 75));
        cluster.advance();
        cluster.at(50).happens(outage(1, 4, 50, 300));
        cluster.at(100).advance();

        assertThat(cluster.latest(1).price()).isEqualTo(usd("5.00"));
        assertThat(cluster.schedule().openReturns()).isEmpty();
    }

    @Test
    void aRunThatGotOtherPesForLostOnesPaysNothing() {
        isReturned();
        cluster.grant(bobs(2, 4, 75));
        cluster.advance();
        var had = cluster.latest(2).placement().pesNow();
        cluster.at(50).happens(LiveCluster.outageOf(1, "0"));
        assertThat(cluster.latest(2).placement().pesNow()).isNotEqualTo(had);
        cluster.at(100).advance();

        assertThat(cluster.latest(2).price()).isEqualTo(usd("3.00"));
        assertThat(cluster.latest(1).price()).isEqualTo(usd("5.00"));
    }

    @Test
    void whoReturnedTimeOwesAtLeastWhatALateCancellationCosts() {
        var late = LiveCluster.of(
                SampleCluster.of(8).tariff(SampleCluster.tariff(BillingTest.late(), "0.5", OptionalLong.empty())));
        late.grant(Request.of(1, 8, 100));
        late.advance();
        late.at(10).grant(new Complete(target(1)));
        assertThat(late.latest(1).price()).isEqualTo(usd("4.40"));
        late.grant(bobs(2, 8, 90));
        late.at(100).advance();

        assertThat(late.latest(1).price()).isEqualTo(usd("4.00"));
    }

    @Test
    void aTariffWithoutAShareCreditsNothingLater() {
        var none = LiveCluster.of(8);
        none.grant(Request.of(1, 8, 100));
        none.advance();
        none.at(25).grant(new Complete(target(1)));

        assertThat(none.schedule().openReturns()).isEmpty();
    }

    @Test
    void aTariffThatTakesEverythingOffAtOnceCreditsNothingLater() {
        var all = LiveCluster.of(sharing(8, "1"));
        all.grant(Request.of(1, 8, 100));
        all.advance();
        all.at(25).grant(new Complete(target(1)));

        assertThat(all.schedule().openReturns()).isEmpty();
    }

    @Test
    void aRestThatWasAgreedStandsWhenTheTariffOrTheClusterChanges() {
        isReturned();
        cluster.change(SampleCluster.of(10));
        cluster.grant(bobs(2, 8, 75));
        cluster.at(100).advance();

        assertThat(cluster.latest(1).price()).isEqualTo(usd("2.00"));
    }

    @Test
    void theScheduleThatIsReadFromTheRecordsIsTheSame() {
        isReturned();
        cluster.grant(bobs(2, 8, 75));
        var now = cluster.schedule();
        assertThat(now.billed()).containsExactlyInAnyOrder(cluster.latest(1), cluster.latest(2));

        assertThat(ClusterSchedule.of(now.cluster(), now.billed(), now.outages()))
                .isEqualTo(now);
        assertThat(ClusterSchedule.of(now.cluster(), now.reservations(), now.outages()))
                .isNotEqualTo(now);
    }

    /**
     * Plays reservations of three owners, one of them in another's project, who return time, cancel, and book what others returned, among
     * outages. Every owner pays at least for the PE-time that it had, the provider gets at least as much as if nobody had booked the returned
     * time again, and no PE-time is paid for twice.
     */
    @Test
    void noTricksWithTimeThatIsBookedAgainPay() {
        int credited = 0;
        int over = 0;
        for (int seed = 0; seed < 2_000; seed++) {
            var world = new World(seed);
            world.plays();
            credited += world.credits;
            over += world.over;
        }
        assertThat(credited).isGreaterThan(1_000);
        assertThat(over).isGreaterThan(500);
    }

    private static final class World {

        private static final List<String> OWNERS = List.of("alice", "bob", "carol");

        private final int seed;
        private final Random random;
        private final LiveCluster on;
        private final boolean isCalm;
        private final Map<ReservationId, Reservation> all = new HashMap<>();
        private final Map<ReservationId, Money> paid = new HashMap<>();
        private final Set<String> sold = new HashSet<>();
        private Map<ReservationId, Reservation> open = Map.of();
        private @Nullable ReservationId paying;
        private int last;
        private int credits;
        private int over;

        World(int seed) {
            this.seed = seed;
            this.random = new Random(seed);
            this.isCalm = random.nextBoolean();
            this.on = LiveCluster.of(sharing(6, List.of("0.2", "0.5", "0.9").get(random.nextInt(3))));
        }

        void plays() {
            for (int step = 0; step < 25; step++) {
                note(on.at(on.now() + random.nextInt(12)).advance());
                note(on.tries(step()));
                checkRecords();
            }
            note(on.at(1_000).advance());
            assertThat(on.schedule().openReturns()).as("seed %d", seed).isEmpty();
            all.values().forEach(this::checkOwner);
            paid.forEach(
                    (payer, money) -> assertThat(money.exceeds(latest(payer).price()))
                            .as("seed %d: %s was paid for %s", seed, money, latest(payer))
                            .isFalse());
        }

        private Command step() {
            var live = List.copyOf(on.schedule().reservations());
            if (live.isEmpty() || random.nextInt(3) == 0) {
                var owner = OWNERS.get(random.nextInt(3));
                var request = Request.of(++last, 1 + random.nextInt(6), 1 + random.nextInt(60))
                        .owner(owner)
                        .start(on.now() + (random.nextBoolean() ? 0 : random.nextInt(20)));
                return (owner.equals("carol") ? request : request.project("p")).reserve();
            }
            var one = live.get(random.nextInt(live.size()));
            var target = new Target(one.id(), OptionalInt.empty());
            int what = random.nextInt(isCalm ? 5 : 6);
            if (what == 5) {
                return outage(++last, 1 + random.nextInt(3), on.now(), on.now() + 1 + random.nextInt(30));
            }
            if (what == 4 || one.state() != ReservationState.RUNNING) {
                return new Cancel(target);
            }
            var as = Request.like(one);
            return switch (what) {
                case 0, 1 -> new Complete(target);
                case 2 ->
                    as.pes(Math.max(1, one.terms().pes() - random.nextInt(4))).renegotiate();
                default ->
                    as.duration(Math.max(1, one.terms().duration() + random.nextInt(40) - 25))
                            .noDeadline()
                            .renegotiate();
            };
        }

        private void note(List<Event> events) {
            for (var event : events) {
                if (!(event instanceof ReservationEvent about)) {
                    continue;
                }
                var after = about.reservation();
                var before = all.put(after.id(), after);
                over += event.type() == Event.Type.RETURN_ENDED ? 1 : 0;
                if (event.type() == Event.Type.RETURN_CREDITED && before != null) {
                    note(before, about);
                }
            }
        }

        private void note(Reservation before, ReservationEvent event) {
            credits++;
            var after = event.reservation();
            var credit = event.returned().orElseThrow();
            var payer = latest(credit.by());
            var money = credit.credited().money();
            assertThat(before.price().less(after.price())).as("seed %d", seed).isEqualTo(money);
            assertThat(payer.state().isLive()).isFalse();
            assertThat(payer.origin().owner()).isNotEqualTo(after.origin().owner());
            assertThat(payer.origin().project().isPresent()
                            && payer.origin().project().equals(after.origin().project()))
                    .isFalse();
            paid.merge(payer.id(), money, Money::plus);
            if (!payer.id().equals(paying)) {
                paying = payer.id();
                open = new HashMap<>(all);
                open.put(after.id(), before);
            }
            long seconds = 0;
            for (var part : payer.occupied()) {
                for (long second = part.slot().start(); second < part.slot().end(); second++) {
                    for (int pe = 0; pe < 8; pe++) {
                        if (part.peIds().orElseThrow().contains(pe)
                                && lastWhoReturned(payer, pe, second)
                                        .filter(after.id()::equals)
                                        .isPresent()) {
                            assertThat(sold.add(pe + " " + second))
                                    .as("seed %d: PE %d in second %d", seed, pe, second)
                                    .isTrue();
                            seconds++;
                        }
                    }
                }
            }
            assertThat(credit.credited().peSeconds()).as("seed %d", seed).isBetween(0L, seconds);
            assertThat(money.amount())
                    .as("seed %d: a cent for each PE-second is charged", seed)
                    .isLessThanOrEqualTo(BigDecimal.valueOf(seconds).movePointLeft(2));
        }

        /** Returns the reservation that was last to return a PE in a second which another then had. */
        private Optional<ReservationId> lastWhoReturned(Reservation payer, int pe, long second) {
            return open.values().stream()
                    .flatMap(owner -> owner.charge().openReturns().stream()
                            .filter(each -> has(each.parts(), pe, second) && pays(payer, owner, each))
                            .map(each -> Map.entry(owner.id(), each.since())))
                    .min(Map.Entry.<ReservationId, Long>comparingByValue()
                            .reversed()
                            .thenComparing(entry -> entry.getKey().value()))
                    .map(Map.Entry::getKey);
        }

        private static boolean pays(Reservation payer, Reservation owner, OpenReturn open) {
            return open.by()
                    .map(payer.id()::equals)
                    .orElseGet(() -> payer.status().createdAt() >= open.since()
                            && !payer.origin().owner().equals(owner.origin().owner())
                            && (payer.origin().project().isEmpty()
                                    || !payer.origin()
                                            .project()
                                            .equals(owner.origin().project())));
        }

        private static boolean has(List<Part> parts, int pe, long second) {
            return parts.stream()
                    .anyMatch(part -> part.slot().contains(second)
                            && part.peIds().orElseThrow().contains(pe));
        }

        private Reservation latest(ReservationId reservation) {
            return Objects.requireNonNull(all.get(reservation));
        }

        /** What is read from the records after a crash is what was known before. */
        private void checkRecords() {
            var now = on.schedule();
            var recorded = all.values().stream()
                    .filter(each -> each.state().isLive()
                            || !each.charge().openReturns().isEmpty())
                    .toList();
            Cluster rules = now.cluster();
            assertThat(ClusterSchedule.of(
                            rules, recorded, now.outages(), now.jobs().all(), List.of(), on.now()))
                    .as("seed %d", seed)
                    .isEqualTo(now);
        }

        /** A cent for each PE-second that the run had is the least. */
        private void checkOwner(Reservation run) {
            if (run.state() == ReservationState.FAILED || run.placement().begun() == 0 || run.lost() > 0) {
                return;
            }
            var least = new BigDecimal(OpenReturn.work(run.occupied())).movePointLeft(2);
            assertThat(run.price().amount()).as("seed %d: %s", seed, run).isGreaterThanOrEqualTo(least);
        }
    }
}
