package berth.engine;

import static org.assertj.core.api.Assertions.assertThat;

import berth.Seeds;
import berth.budget.Budget.Balance;
import berth.budget.BudgetMode;
import berth.budget.BudgetUnit;
import berth.budget.BudgetUse;
import berth.budget.Dues;
import berth.budget.Grant;
import berth.budget.LowBudget;
import berth.cluster.Cluster;
import berth.engine.Answer.Done;
import berth.engine.Answer.Refused;
import berth.engine.MemoryLedger.Fault;
import berth.outcome.Outcome;
import berth.outcome.Refusal;
import berth.reservation.ClientLabels;
import berth.reservation.ClusterId;
import berth.reservation.Origin;
import berth.reservation.Reservation;
import berth.reservation.ReservationId;
import berth.runtime.StorageUnavailable;
import berth.runtime.Threads;
import berth.scheduling.Event.BudgetEvent;
import berth.scheduling.Event.ReservationEvent;
import berth.scheduling.Rejection;
import berth.scheduling.Target;
import berth.scheduling.commands.Cancel;
import berth.scheduling.commands.Complete;
import berth.scheduling.commands.Renegotiate;
import berth.scheduling.commands.Reserve;
import berth.sla.AccountName;
import berth.sla.RequestedTerms;
import berth.sla.ServiceClass;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.math.BigDecimal;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Currency;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Random;
import java.util.TreeMap;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** One budget and two desks: it is never exceeded and always equals the sum of both desks' events. */
class BudgetsTest {

    private static final Instant NOON = Instant.parse("2027-01-01T12:00:00Z");
    private static final String PROJECT = "climate";
    private static final BudgetUnit DOLLARS = new BudgetUnit.InMoney(Currency.getInstance("USD"));
    private static final AccountName ADA = new AccountName("ada");
    private static final ClusterId ONE = new ClusterId("one");
    private static final ClusterId OTHER = new ClusterId("other");
    private static final int SEEDS = Seeds.of(60);

    private final SettableClock clock = new SettableClock(NOON);
    private final MemoryLedger ledger = new MemoryLedger(Cluster.of("one", 8), Cluster.of("other", 8));
    private final Grants grants = new Grants();

    private Budgets budgets = new Budgets(grants);
    private Desks desks = open();

    /** Grants in memory and the sum of the ledger's entries. */
    private final class Grants implements BudgetStore {

        private final Map<String, Grant> all = new TreeMap<>();
        private boolean isAway;
        private boolean isSlow;
        private Runnable meanwhile = () -> {};

        @Override
        public List<Grant> grants() {
            return List.copyOf(all.values());
        }

        @Override
        public void add(Grant grant) {
            all.put(grant.id(), grant);
            if (isAway) {
                throw new StorageUnavailable(new IllegalStateException("as the test wants it"));
            }
        }

        @Override
        public void end(Grant grant) {
            all.put(grant.id(), grant);
        }

        @Override
        public BudgetUse spent(String project, BudgetUnit unit, Map<ClusterId, Long> upTo, long before) {
            if (isSlow) {
                meanwhile.run();
                throw new StorageUnavailable(new IllegalStateException("as the test wants it"));
            }
            var spent = BudgetUse.NOTHING;
            Map<ReservationId, Dues> last = new HashMap<>();
            for (var cluster : upTo.keySet()) {
                for (var event :
                        ledger.history(cluster).subList(0, upTo.get(cluster).intValue())) {
                    if (event instanceof ReservationEvent(var _, var after, var at, var _, var _, var _)
                            && after.origin().project().equals(Optional.of(project))
                            && at < before) {
                        var was = last.getOrDefault(after.id(), Dues.none(after.price()));
                        spent = spent.with(unit, was, Dues.of(after));
                        last.put(after.id(), Dues.of(after));
                    }
                }
            }
            return spent;
        }
    }

    private Desks open() {
        budgets = new Budgets(grants);
        budgets.heed(Map.of(PROJECT, BudgetMode.ENFORCE));
        var opened = new Desks(
                ledger, ledger, budgets, Threads.OF_THE_JVM, clock, Duration.ofSeconds(5), new SimpleMeterRegistry());
        opened.recover(Cluster.of("one", 8));
        return opened;
    }

    private void restart() {
        desks.close();
        desks = open();
    }

    private long now() {
        return clock.instant().getEpochSecond();
    }

    private Outcome<Grant, Refusal> grant(String id, String dollars, String creditLimit, long from, long until) {
        return budgets.grant(
                new Grant(
                        PROJECT,
                        id,
                        DOLLARS,
                        new BigDecimal(dollars),
                        new BigDecimal(creditLimit),
                        from,
                        until,
                        ADA,
                        now(),
                        Optional.empty()),
                now());
    }

    private Balance balance() {
        return budgets.balance(PROJECT, now()).orElseThrow();
    }

    private Answer reserve(ClusterId cluster, int pes, long start, long seconds) {
        return desks.decide(cluster, request(pes, start, seconds));
    }

    private static Reserve request(int pes, long start, long seconds) {
        return new Reserve(
                new ReservationId(UUID.randomUUID()),
                new Origin(ADA, ServiceClass.STANDARD, ClientLabels.NONE.with("project", Optional.of(PROJECT))),
                RequestedTerms.of(OptionalLong.of(start), OptionalLong.of(start + seconds), seconds, pes),
                OptionalLong.of(start),
                OptionalLong.empty());
    }

    private static boolean isForMoney(Answer answer) {
        return answer instanceof Refused(Rejection.BudgetExceeded _);
    }

    @Test
    void onlyOneOfTwoConcurrentDesksSpendsTheLastMoney() throws Exception {
        grant("q1", "4.00", "0", now(), now() + 1_000_000);
        try (var clients = Executors.newFixedThreadPool(2)) {
            for (int round = 0; round < 200; round++) {
                var barrier = new CyclicBarrier(2);
                long start = now() + 7200 + 3600L * round;
                List<Callable<Answer>> both = List.of(ONE, OTHER).stream()
                        .<Callable<Answer>>map(cluster -> () -> {
                            barrier.await();
                            return reserve(cluster, 4, start, 3600);
                        })
                        .toList();
                var answers = new ArrayList<Answer>();
                for (var answer : clients.invokeAll(both)) {
                    answers.add(answer.get());
                }
                assertThat(answers).filteredOn(Done.class::isInstance).hasSize(1);
                assertThat(answers).filteredOn(BudgetsTest::isForMoney).hasSize(1);
                assertThat(balance().available()).isEqualByComparingTo("0");
                cancelAll();
                assertThat(balance().available()).isEqualByComparingTo("4");
            }
        }
    }

    private void cancelAll() {
        for (var cluster : List.of(ONE, OTHER)) {
            for (var live : desks.schedule(cluster).orElseThrow().reservations()) {
                assertThat(desks.decide(cluster, new Cancel(target(live)))).isInstanceOf(Done.class);
            }
        }
    }

    private static Target target(Reservation reservation) {
        return new Target(reservation.id(), OptionalInt.empty());
    }

    @Test
    @Timeout(30)
    void aReservationThatWasNotRecordedTakesNoMoney() {
        grant("q1", "4.00", "0", now(), now() + 1_000_000);
        ledger.faults.add(Fault.FAILS);

        assertThat(reserve(ONE, 4, now() + 7200, 3600)).isInstanceOf(Answer.NotDecided.class);

        // the desk gives the money back just after it has answered
        while (balance().available().signum() == 0) {
            Thread.onSpinWait();
        }
        assertThat(balance().available()).isEqualByComparingTo("4");
        assertThat(reserve(OTHER, 4, now() + 7200, 3600)).isInstanceOf(Done.class);
    }

    @Test
    void returnedMoneyCanBeSpentOnceTheCancellationIsRecorded() throws Exception {
        grant("q1", "4.00", "0", now(), now() + 1_000_000);
        var held = ((Done) reserve(ONE, 4, now() + 7200, 3600)).reservation().orElseThrow();
        ledger.open.acquire();
        var cancelled = desks.desk(ONE).submit(new Cancel(target(held)), Optional.empty());
        while (!ledger.open.hasQueuedThreads()) {
            Thread.onSpinWait();
        }

        assertThat(isForMoney(reserve(OTHER, 4, now() + 7200, 3600))).isTrue();

        ledger.open.release();
        assertThat(cancelled.await(Threads.OF_THE_JVM, Duration.ofSeconds(5))).isInstanceOf(Done.class);
        assertThat(reserve(OTHER, 4, now() + 7200, 3600)).isInstanceOf(Done.class);
    }

    @Test
    void sendsAnEventAt80PercentAndWhenTheBudgetIsSpent() {
        grant("q1", "10.00", "0", now(), now() + 1_000_000);
        for (int i = 0; i < 10; i++) {
            assertThat(reserve(i % 2 == 0 ? ONE : OTHER, 1, now() + 7200, 3600)).isInstanceOf(Done.class);
        }

        var told = new ArrayList<LowBudget>();
        for (var cluster : List.of(ONE, OTHER)) {
            ledger.history(cluster).forEach(event -> {
                if (event instanceof BudgetEvent(var budget, var _)) {
                    told.add(budget);
                }
            });
        }
        assertThat(told).extracting(LowBudget::percent).containsExactlyInAnyOrder(80, 100);
        assertThat(told)
                .extracting(budget -> budget.taken().toPlainString())
                .containsExactlyInAnyOrder("8.00", "10.00");
    }

    @Test
    void aGrantExpiresWithoutUncoveringReservations() {
        grant("q1", "10.00", "0", now(), now() + 1000);
        grant("q2", "3.00", "0", now() + 500, now() + 1_000_000);
        assertThat(reserve(ONE, 4, now() + 7200, 3600)).isInstanceOf(Done.class);
        assertThat(balance().available()).isEqualByComparingTo("6");

        clock.advance(Duration.ofSeconds(500));
        assertThat(balance().available()).isEqualByComparingTo("9");
        clock.advance(Duration.ofSeconds(500));

        assertThat(balance().expired()).isEqualByComparingTo("6");
        assertThat(balance().available()).isEqualByComparingTo("3");
        assertThat(isForMoney(reserve(OTHER, 4, now() + 7200, 3600))).isTrue();
        restart();
        assertThat(balance().expired()).isEqualByComparingTo("6");
        budgets.resolve(now());
        assertThat(grants.grants()).extracting(Grant::expired).contains(Optional.of(new BigDecimal("6.00")));
        cancelAll();
        assertThat(balance().available()).isEqualByComparingTo("7");
    }

    @Test
    void aGrantThatEndsEarlyLeavesNothingToSpend() {
        grant("q1", "10.00", "2.00", now(), now() + 1000);
        assertThat(balance().available()).isEqualByComparingTo("12");

        assertThat(budgets.end(PROJECT, "q1", now())).isInstanceOf(Outcome.Done.class);

        assertThat(balance().available()).isEqualByComparingTo("0");
        assertThat(budgets.end(PROJECT, "q1", now()))
                .isEqualTo(new Outcome.NotDone<>(new Refusal.NotFound("grant", "q1")));
    }

    @Test
    void aGrantWhoseAnswerWasLostCountsOnceItIsFound() {
        grants.isAway = true;
        assertThat(thrown(() -> grant("q1", "10.00", "0", now(), now() + 1000))).isInstanceOf(StorageUnavailable.class);
        grants.isAway = false;

        budgets.resolve(now());

        assertThat(balance().available()).isEqualByComparingTo("10");
        assertThat(grant("q1", "10.00", "0", now(), now() + 1000))
                .matches(outcome -> outcome instanceof Outcome.NotDone(Refusal.Exists _));
    }

    @Test
    void aGrantCountsOnceEarlierSpendingIsKnown() {
        budgets.heed(Map.of());
        assertThat(reserve(ONE, 4, now() + 7200, 3600)).isInstanceOf(Done.class);
        grants.isSlow = true;
        assertThat(thrown(() -> grant("q1", "10.00", "0", now(), now() + 1000))).isInstanceOf(StorageUnavailable.class);
        assertThat(budgets.balance(PROJECT, now())).isEmpty();
        grants.isSlow = false;

        budgets.resolve(now());

        assertThat(balance().available()).isEqualByComparingTo("6");
    }

    @Test
    void aRequestUnderWayWhileAGrantFailsIsCountedOnce() {
        budgets.heed(Map.of());
        var pending = new ArrayList<Pending>();
        grants.isSlow = true;
        grants.meanwhile = () -> {
            ledger.open.acquireUninterruptibly();
            pending.add(desks.desk(ONE).submit(request(4, now() + 7200, 3600), Optional.empty()));
            while (!ledger.open.hasQueuedThreads()) {
                Thread.onSpinWait();
            }
        };
        assertThat(thrown(() -> grant("q1", "10.00", "0", now(), now() + 1000))).isInstanceOf(StorageUnavailable.class);
        grants.isSlow = false;
        budgets.resolve(now());

        ledger.open.release();
        assertThat(pending.getFirst().await(Threads.OF_THE_JVM, Duration.ofSeconds(5)))
                .isInstanceOf(Done.class);

        assertThat(balance().spent().held()).isEqualByComparingTo("4");
        assertThat(balance().available()).isEqualByComparingTo("6");
    }

    private static Throwable thrown(Runnable work) {
        try {
            work.run();
        } catch (RuntimeException e) {
            return e;
        }
        throw new AssertionError("Nothing was thrown.");
    }

    @Test
    void theEventsAlwaysAddUpToTheBalance() {
        int refused = 0;
        for (int seed = 0; seed < SEEDS; seed++) {
            refused += play(new Random(seed));
        }
        assertThat(refused).isGreaterThan(SEEDS);
    }

    private int play(Random random) {
        int refused = 0;
        for (int step = 0; step < 40; step++) {
            var cluster = random.nextBoolean() ? ONE : OTHER;
            if (random.nextInt(6) == 0) {
                ledger.faults.add(Fault.values()[random.nextInt(Fault.values().length)]);
            }
            switch (random.nextInt(10)) {
                case 0, 1, 2, 3 -> {
                    var answer = reserve(
                            cluster, 1 + random.nextInt(4), now() + random.nextInt(20_000), 600 + random.nextInt(7200));
                    refused += isForMoney(answer) ? 1 : 0;
                }
                case 4, 5 -> one(cluster, random).ifPresent(live -> desks.decide(cluster, new Cancel(target(live))));
                case 6 -> one(cluster, random).ifPresent(live -> desks.decide(cluster, new Complete(target(live))));
                case 7 ->
                    one(cluster, random)
                            .ifPresent(live -> desks.decide(
                                    cluster,
                                    new Renegotiate(
                                            target(live),
                                            RequestedTerms.of(live.terms())
                                                    .rigid(
                                                            600 + random.nextInt(7200),
                                                            live.terms().pes()))));
                case 8 -> {
                    ledger.faults.clear();
                    if (random.nextBoolean()) {
                        restart();
                    } else {
                        long from = now() + random.nextInt(3000);
                        grant(
                                "g" + random.nextInt(1_000_000),
                                "%d.00".formatted(1 + random.nextInt(8)),
                                "%d.00".formatted(random.nextInt(2)),
                                from,
                                from + 1 + random.nextInt(20_000));
                        budgets.resolve(now());
                    }
                }
                default -> clock.advance(Duration.ofSeconds(random.nextInt(4000)));
            }
            ledger.faults.clear();
            desks.catchUp();
            agrees();
        }
        return refused;
    }

    private Optional<Reservation> one(ClusterId cluster, Random random) {
        var live = desks.schedule(cluster).orElseThrow().reservations().stream()
                .sorted((a, b) -> a.id().value().compareTo(b.id().value()))
                .toList();
        return live.isEmpty() ? Optional.empty() : Optional.of(live.get(random.nextInt(live.size())));
    }

    private void agrees() {
        if (grants.all.isEmpty()) {
            return;
        }
        var upTo = new HashMap<ClusterId, Long>();
        for (var cluster : List.of(ONE, OTHER)) {
            upTo.put(cluster, (long) ledger.history(cluster).size());
        }
        var balance = balance();
        assertThat(balance.spent().taken())
                .isEqualByComparingTo(
                        grants.spent(PROJECT, DOLLARS, upTo, Long.MAX_VALUE).taken());
        assertThat(balance.spent().held())
                .isEqualByComparingTo(
                        grants.spent(PROJECT, DOLLARS, upTo, Long.MAX_VALUE).held());
        assertThat(balance.available())
                .isEqualByComparingTo(
                        balance.granted().subtract(balance.spent().taken()).add(balance.creditLimit()));
        // applies the store's grants and expiries as soon as they are recorded
        budgets.resolve(now());
        var recorded = grants.all.values().stream()
                .filter(grant -> grant.from() <= now())
                .map(grant -> grant.amount().subtract(grant.expired().orElse(BigDecimal.ZERO)))
                .reduce(BigDecimal.ZERO, BigDecimal::add);
        assertThat(balance.granted()).isEqualByComparingTo(recorded);
        var lowest = Objects.requireNonNull(balance.available());
        var covered = balance.granted().add(balance.creditLimit());
        assertThat(lowest.signum() >= 0 || covered.compareTo(balance.spent().taken()) < 0)
                .isTrue();
    }
}
