package berth.desk;

import berth.budget.Budget;
import berth.budget.BudgetMode;
import berth.budget.BudgetUnit;
import berth.budget.BudgetUse;
import berth.budget.Dues;
import berth.budget.Funds;
import berth.budget.Funds.Fund;
import berth.budget.Grant;
import berth.budget.LowBudget;
import berth.reservation.ClusterId;
import berth.scheduling.Rejection;
import berth.sla.Violation;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import org.pcollections.HashTreePMap;

/**
 * What projects have to spend, over all clusters. What a desk grants is taken at once, so that no other desk grants it too; what it gives
 * back counts once that is recorded. One process decides, so what is in memory is the truth, and a decision never waits for the store: what is
 * recorded of reservations is in the journal, and what is read of it at the start is counted on from there. Safe to use from any thread.
 */
public final class Budgets {

    /** The most grants of a project. */
    public static final int MAX_GRANTS = 200;

    private final BudgetStore store;

    // all that follows under this monitor
    private final Map<String, Budget> budgets = new TreeMap<>();
    private final Map<ClusterId, Long> positions = new HashMap<>();

    /** The version in which each project began to be counted. */
    private final Map<String, Long> begun = new HashMap<>();

    private Map<String, BudgetMode> modes = Map.of();
    private long version;
    private long nextChange = Long.MAX_VALUE;
    private long latest;
    private boolean isInDoubt;

    /** Grants whose expiry is to be recorded. */
    private final Map<String, List<Grant>> toRecord = new TreeMap<>();

    private volatile boolean isReady;
    private volatile Funds funds = Funds.FREE;

    public Budgets(BudgetStore store) {
        this.store = store;
    }

    /** What a reservation that is filed under a project takes after an event, and took before. */
    record Step(String project, Dues before, Dues after) {}

    /** What became of a change to a project's grants. */
    public sealed interface Outcome {
        /** Done, durably. */
        record Done(Grant grant) implements Outcome {}

        /** The project has a grant of that name. */
        record Exists() implements Outcome {}

        /** The project's budget is in another unit. */
        record OtherUnit(BudgetUnit unit) implements Outcome {}

        /** The project has as many grants as it may have. */
        record Enough() implements Outcome {}

        /** There is no such grant, or it is over. */
        record NoGrant() implements Outcome {}
    }

    // ---- the desks

    /** The desk of a cluster has been opened, of which so many events are recorded. */
    synchronized void opened(ClusterId cluster, long sequence) {
        positions.put(cluster, sequence);
    }

    /** Whether it is known what was spent; until then nothing is granted of which nobody asks at the moment. */
    boolean isReady() {
        return isReady;
    }

    /**
     * What projects can spend at {@code now}.
     *
     * @param version to be told when that is taken
     */
    record Offer(Funds funds, long version) {}

    synchronized Offer offer(long now) {
        look(now);
        return new Offer(funds, version);
    }

    /** What projects can spend at {@code now}, to consider something. */
    Funds funds(long now) {
        return offer(now).funds();
    }

    /**
     * Takes what a decision needs that was made on an offer.
     *
     * @return what was taken, by project; empty if others have taken meanwhile what it needs: it is to be decided again
     */
    synchronized Optional<Taken> take(Offer offer, List<Step> steps, long now) {
        look(now);
        var increases = new TreeMap<String, BigDecimal>();
        for (var step : steps) {
            var budget = budgets.get(step.project());
            if (budget != null) {
                var more =
                        step.after().taken(budget.unit()).subtract(step.before().taken(budget.unit()));
                increases.merge(step.project(), more, BigDecimal::add);
            }
        }
        // what is given back counts when that is recorded
        increases.values().removeIf(more -> more.signum() <= 0);
        boolean isStale = offer.version() != version;
        if (isStale && increases.entrySet().stream().anyMatch(entry -> isShort(entry.getKey(), entry.getValue()))) {
            return Optional.empty();
        }
        var low = new ArrayList<LowBudget>();
        increases.forEach((project, more) -> {
            var before = Objects.requireNonNull(budgets.get(project));
            var after = before.pending(more);
            put(project, after);
            int reached = after.percentReached(latest);
            if (reached > before.percentReached(latest)) {
                low.add(after.low(project, reached, latest));
            }
        });
        return Optional.of(new Taken(increases, low, version));
    }

    /**
     * What was taken for a decision.
     *
     * @param pending how much, by project
     * @param low the budgets of which most is spent since
     * @param version after it was taken
     */
    record Taken(Map<String, BigDecimal> pending, List<LowBudget> low, long version) {}

    private boolean isShort(String project, BigDecimal more) {
        var fund = funds.byProject().get(project);
        return fund != null && fund.available().compareTo(more) < 0;
    }

    /** What was decided is not recorded, and never will be. */
    synchronized void dropped(List<Taken> taken) {
        taken.forEach(this::release);
    }

    private void release(Taken taken) {
        taken.pending().forEach((project, amount) -> {
            var budget = budgets.get(project);
            // what was taken before it began to be counted anew was forgotten then
            if (budget != null && begun.getOrDefault(project, 0L) < taken.version()) {
                put(project, budget.pending(amount.negate()));
            }
        });
    }

    /** What was decided is recorded, up to that event of the cluster. */
    synchronized void recorded(ClusterId cluster, long sequence, List<Taken> taken, List<Step> steps) {
        positions.put(cluster, sequence);
        taken.forEach(this::release);
        for (var step : steps) {
            var budget = budgets.get(step.project());
            if (budget != null) {
                put(step.project(), budget.spending(budget.spent().with(budget.unit(), step.before(), step.after())));
            }
        }
    }

    /** Why nothing can be reserved for a project at another Berth, which does not know its budget; empty where it need not. */
    public Optional<Rejection> obstacleElsewhere(Optional<String> project) {
        return project.filter(funds.byProject()::containsKey)
                .map(_ -> new Rejection.InvalidTerms(List.of(new Violation(
                        "project",
                        "must keep to a budget that other Berths do not know; choose a cluster of this Berth"))));
    }

    // ---- what projects are and have

    /** Heeds, from now on, what the budgets of all projects are for. */
    public synchronized void heed(Map<String, BudgetMode> all) {
        modes = Map.copyOf(all);
        refresh();
    }

    /**
     * Reads what there is, once every desk has been opened. May be repeated where it has failed.
     *
     * @throws StorageUnavailable if it cannot be read
     */
    public void load(long now) {
        if (isReady) {
            return;
        }
        stored().forEach((project, theirs) -> track(project, theirs, now));
        isReady = true;
    }

    private Map<String, List<Grant>> stored() {
        var grants = new TreeMap<String, List<Grant>>();
        store.grants()
                .forEach(grant -> grants.computeIfAbsent(grant.project(), _ -> new ArrayList<>())
                        .add(grant));
        return grants;
    }

    /** Begins to count what a project spends, on from what is recorded. */
    private void track(String project, List<Grant> grants, long now) {
        Map<ClusterId, Long> upTo;
        synchronized (this) {
            upTo = Map.copyOf(positions);
            begun.put(project, ++version);
            budgets.put(project, new Budget(grants, BudgetUse.NOTHING, BigDecimal.ZERO));
        }
        try {
            var budget = new Budget(grants, BudgetUse.NOTHING, BigDecimal.ZERO);
            for (var over = budget.toExpire(now); over.isPresent(); over = budget.toExpire(now)) {
                var ended = over.get();
                var taken =
                        store.spent(project, ended.unit(), upTo, ended.until()).taken();
                budget = budget.with(expire(budget, ended, taken));
            }
            var before = store.spent(project, budget.unit(), upTo, Long.MAX_VALUE);
            synchronized (this) {
                var since = budgets.get(project);
                put(project, new Budget(budget.grants(), before.and(since.spent()), since.pending()));
                refresh();
            }
        } catch (RuntimeException e) {
            synchronized (this) {
                budgets.remove(project);
                refresh();
            }
            throw e;
        }
    }

    private synchronized Grant expire(Budget budget, Grant over, BigDecimal taken) {
        var expired = over.endedWith(budget.left(over, taken));
        toRecord.computeIfAbsent(over.project(), _ -> new ArrayList<>()).add(expired);
        return expired;
    }

    /** How a project's budget stands; empty if it has none. */
    public synchronized Optional<Budget.Balance> balance(String project, long now) {
        look(now);
        return Optional.ofNullable(budgets.get(project)).map(budget -> budget.balance(latest));
    }

    /** The grants of a project, in the order in which they are used up. */
    public synchronized List<Grant> grants(String project, long now) {
        look(now);
        return Optional.ofNullable(budgets.get(project)).map(Budget::grants).orElse(List.of());
    }

    /**
     * Adds a grant.
     *
     * @throws RuntimeException of the store, if nothing is kept, or if that cannot be told yet
     */
    public Outcome grant(Grant grant, long now) {
        synchronized (store) {
            settle(now);
            var present = grants(grant.project(), now);
            if (present.stream().anyMatch(one -> one.id().equals(grant.id()))) {
                return new Outcome.Exists();
            }
            if (!present.isEmpty() && !present.getFirst().unit().equals(grant.unit())) {
                return new Outcome.OtherUnit(present.getFirst().unit());
            }
            if (present.size() >= MAX_GRANTS) {
                return new Outcome.Enough();
            }
            keep(() -> {
                store.add(grant);
                if (present.isEmpty()) {
                    track(grant.project(), List.of(grant), now);
                } else {
                    change(grant);
                }
            });
            return new Outcome.Done(grant);
        }
    }

    /** Ends a grant now: what is left of it cannot be spent any more. */
    public Outcome end(String project, String id, long now) {
        synchronized (store) {
            settle(now);
            var present = grants(project, now).stream()
                    .filter(grant -> grant.id().equals(id) && grant.expired().isEmpty())
                    .findAny();
            if (present.isEmpty()) {
                return new Outcome.NoGrant();
            }
            var ended = present.get().endingAt(now);
            keep(() -> store.end(ended));
            change(ended);
            return new Outcome.Done(ended);
        }
    }

    private void keep(Runnable write) {
        isInDoubt = true;
        write.run();
        isInDoubt = false;
    }

    private synchronized void change(Grant grant) {
        put(
                grant.project(),
                Objects.requireNonNull(budgets.get(grant.project())).with(grant));
        refresh();
    }

    /**
     * Finds out what became of a write that failed, and records which grants have expired; to be called by the clock.
     *
     * @throws RuntimeException of the store, if it does not answer
     */
    public void settle(long now) {
        synchronized (store) {
            if (isInDoubt) {
                stored().forEach((project, theirs) -> {
                    if (grants(project, now).isEmpty()) {
                        track(project, theirs, now);
                    } else {
                        theirs.stream().filter(this::isNews).forEach(this::change);
                    }
                });
                isInDoubt = false;
            }
            offer(now);
            for (var grant = nextToRecord(); grant.isPresent(); grant = nextToRecord()) {
                store.end(grant.get());
                recorded(grant.get());
            }
        }
    }

    private synchronized boolean isNews(Grant grant) {
        return Optional.ofNullable(budgets.get(grant.project()))
                .flatMap(budget -> budget.grant(grant.id()))
                .filter(known -> known.until() == grant.until())
                .isEmpty();
    }

    private synchronized Optional<Grant> nextToRecord() {
        return toRecord.values().stream().flatMap(List::stream).findFirst();
    }

    private synchronized void recorded(Grant grant) {
        toRecord.computeIfPresent(grant.project(), (_, grants) -> {
            grants.remove(grant);
            return grants.isEmpty() ? null : grants;
        });
    }

    // ---- what can be spent, kept at hand

    private void put(String project, Budget budget) {
        budgets.put(project, budget);
        version++;
        if (modes.get(project) == BudgetMode.ENFORCE) {
            funds = new Funds(funds.byProject().plus(project, fund(Optional.of(budget))));
        }
    }

    private Fund fund(Optional<Budget> budget) {
        return budget.map(one ->
                        new Fund(Optional.of(one.unit()), one.balance(latest).available()))
                .orElseGet(() -> new Fund(Optional.empty(), BigDecimal.ZERO));
    }

    private void look(long now) {
        latest = Math.max(latest, now);
        if (latest >= nextChange) {
            refresh();
        }
    }

    private void refresh() {
        nextChange = Long.MAX_VALUE;
        for (var entry : List.copyOf(budgets.entrySet())) {
            var budget = entry.getValue();
            for (var over = budget.toExpire(latest); isReady && over.isPresent(); over = budget.toExpire(latest)) {
                budget = budget.with(expire(budget, over.get(), budget.taken()));
            }
            budgets.put(entry.getKey(), budget);
            nextChange = Math.min(nextChange, budget.nextChange(latest).orElse(Long.MAX_VALUE));
        }
        var all = HashTreePMap.<String, Fund>empty();
        for (var entry : modes.entrySet()) {
            if (entry.getValue() == BudgetMode.ENFORCE) {
                all = all.plus(entry.getKey(), fund(Optional.ofNullable(budgets.get(entry.getKey()))));
            }
        }
        funds = new Funds(all);
        version++;
    }
}
