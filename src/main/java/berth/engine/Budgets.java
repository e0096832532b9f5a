package berth.engine;

import berth.budget.Budget;
import berth.budget.BudgetMode;
import berth.budget.BudgetUse;
import berth.budget.Dues;
import berth.budget.Funds;
import berth.budget.Funds.Filing;
import berth.budget.Funds.Fund;
import berth.budget.Grant;
import berth.budget.LowBudget;
import berth.outcome.Outcome;
import berth.outcome.Refusal;
import berth.reservation.ClusterId;
import berth.reservation.Origin;
import berth.runtime.StorageUnavailable;
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
 * The amounts that projects can spend over all clusters. A granted amount is taken at once, so that no other desk can grant it again; a released amount
 * counts only once it is recorded. Only one process decides, so memory holds the current state and decisions never wait for the store. At
 * the start, the amounts are computed from the journal and then kept up to date. Thread-safe.
 */
public final class Budgets {

    /** The most grants of a project. */
    private static final int MAX_GRANTS = 200;

    private final BudgetStore store;

    // this and all fields below are guarded by the monitor
    private final Map<String, Budget> budgets = new TreeMap<>();
    private final Map<ClusterId, Long> positions = new HashMap<>();

    /** The version in which each project began to be counted. */
    private final Map<String, Long> begun = new HashMap<>();

    private Map<String, BudgetMode> modes = Map.of();
    private Filing filing = Funds.FREE.filing();
    private long version;
    private long nextChange = Long.MAX_VALUE;
    private long latest;
    private boolean isInDoubt;

    /** Grants whose expiry is not recorded yet. */
    private final Map<String, List<Grant>> toRecord = new TreeMap<>();

    private volatile boolean isReady;
    private volatile Funds funds = Funds.FREE;

    public Budgets(BudgetStore store) {
        this.store = store;
    }

    /** The change of what a reservation takes from a project's budget. */
    record Step(String project, Dues before, Dues after) {}

    // ---- desks

    /** Notes that the desk of a cluster is open and how many of the cluster's events are recorded. */
    synchronized void opened(ClusterId cluster, long sequence) {
        positions.put(cluster, sequence);
    }

    /** Whether it is known what was spent. Until then, automatic changes reserve nothing. */
    boolean isReady() {
        return isReady;
    }

    /**
     * The amounts that projects can spend at one time.
     *
     * @param version must be passed on when the amounts are taken
     */
    record Offer(Funds funds, long version) {}

    synchronized Offer offer(long now) {
        look(now);
        return new Offer(funds, version);
    }

    /** Returns what projects can spend at {@code now}, for a decision that will not be recorded. */
    Funds funds(long now) {
        return offer(now).funds();
    }

    /**
     * Takes the amounts for a decision that was based on {@code offer}.
     *
     * @return the amounts taken, by project; empty if other decisions have taken them meanwhile, so that this one must be repeated
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
        // released amounts count once they are recorded
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
     * The amounts taken for a decision.
     *
     * @param pending the amount for each project
     * @param low the budgets that reached a share that causes a notice
     * @param version the version after the amounts were taken
     */
    record Taken(Map<String, BigDecimal> pending, List<LowBudget> low, long version) {}

    private boolean isShort(String project, BigDecimal more) {
        var fund = funds.byProject().get(project);
        return fund != null && fund.available().compareTo(more) < 0;
    }

    /** Gives back the amounts of decisions that are not recorded and never will be. */
    synchronized void dropped(List<Taken> taken) {
        taken.forEach(this::release);
    }

    private void release(Taken taken) {
        taken.pending().forEach((project, amount) -> {
            var budget = budgets.get(project);
            // amounts taken before the project was counted anew are already forgotten
            if (budget != null && begun.getOrDefault(project, 0L) < taken.version()) {
                put(project, budget.pending(amount.negate()));
            }
        });
    }

    /** Notes that decisions are recorded up to that event of the cluster. */
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

    /**
     * Returns why a request can reserve nothing at another Berth, which does not know the budget of its project, nor who must approve it here;
     * empty if it can.
     */
    public Optional<Rejection> obstacleElsewhere(Origin origin) {
        return obstacleElsewhere(origin.project())
                .or(
                        () -> origin.policyAsks()
                                .map(
                                        _ -> Rejection.InvalidTerms.of(
                                                "cluster",
                                                "belongs to another Berth, but the site's policy wants a person to approve the request, which only clusters of this Berth can wait for; choose one of them")))
                .or(
                        () -> origin.project()
                                .filter(project -> !funds.filing()
                                        .approval(project)
                                        .rules()
                                        .isEmpty())
                                .map(
                                        _ -> Rejection.InvalidTerms.of(
                                                "project",
                                                "has rules for approval, which clusters of other Berths do not know; choose a cluster of this Berth")));
    }

    private Optional<Rejection> obstacleElsewhere(Optional<String> project) {
        return project.filter(funds.byProject()::containsKey)
                .map(
                        _ -> new Rejection.InvalidTerms(
                                List.of(
                                        new Violation(
                                                "project",
                                                "must keep to a budget, which clusters of other Berths cannot charge; choose a cluster of this Berth"))));
    }

    // ---- projects and grants

    /** Applies that rule about who may file from now on. */
    public synchronized void heed(Filing who) {
        filing = who;
        refresh();
    }

    /** Applies the budget modes of all projects from now on. */
    public synchronized void heed(Map<String, BudgetMode> all) {
        modes = Map.copyOf(all);
        refresh();
    }

    /**
     * Reads all budgets, once every desk is open. May be repeated after a failure.
     *
     * @throws StorageUnavailable if they cannot be read
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

    /** Starts to count what a project spends, beginning with what is recorded. */
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

    /** Returns the balance of a project's budget; empty if it has none. */
    public synchronized Optional<Budget.Balance> balance(String project, long now) {
        look(now);
        return Optional.ofNullable(budgets.get(project)).map(budget -> budget.balance(latest));
    }

    /** Returns the grants of a project in the order of use. */
    public synchronized List<Grant> grants(String project, long now) {
        look(now);
        return Optional.ofNullable(budgets.get(project)).map(Budget::grants).orElse(List.of());
    }

    /**
     * Adds a grant.
     *
     * @throws RuntimeException of the store, if nothing was stored or the result is not known yet
     */
    public Outcome<Grant, Refusal> grant(Grant grant, long now) {
        synchronized (store) {
            resolve(now);
            var present = grants(grant.project(), now);
            if (present.stream().anyMatch(one -> one.id().equals(grant.id()))) {
                return new Outcome.NotDone<>(new Refusal.Exists("id", grant.id(), "Choose another id."));
            }
            if (!present.isEmpty() && !present.getFirst().unit().equals(grant.unit())) {
                return new Outcome.NotDone<>(new Refusal.Invalid(
                        "amount",
                        grant.unit().text(grant.amount()),
                        "must be in %s, like the other grants of the project"
                                .formatted(present.getFirst()
                                        .unit()
                                        .money()
                                        .map(currency -> currency.getCurrencyCode())
                                        .orElse("PE-hours"))));
            }
            if (present.size() >= MAX_GRANTS) {
                return new Outcome.NotDone<>(new Refusal.Enough(
                        "A project can have at most %d grants. Make fewer, larger grants.".formatted(MAX_GRANTS)));
            }
            keep(() -> {
                store.add(grant);
                if (present.isEmpty()) {
                    track(grant.project(), List.of(grant), now);
                } else {
                    change(grant);
                }
            });
            return new Outcome.Done<>(grant);
        }
    }

    /** Ends a grant now, so that the rest of it can no longer be spent. */
    public Outcome<Grant, Refusal> end(String project, String id, long now) {
        synchronized (store) {
            resolve(now);
            var present = grants(project, now).stream()
                    .filter(grant -> grant.id().equals(id) && grant.expired().isEmpty())
                    .findAny();
            if (present.isEmpty()) {
                return new Outcome.NotDone<>(new Refusal.NotFound("grant", id));
            }
            var ended = present.get().endingAt(now);
            keep(() -> store.end(ended));
            change(ended);
            return new Outcome.Done<>(ended);
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
     * Finds out the result of a failed write and records expired grants. Called periodically.
     *
     * @throws RuntimeException of the store, if it does not answer
     */
    public void resolve(long now) {
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

    // ---- available amounts

    private void put(String project, Budget budget) {
        budgets.put(project, budget);
        version++;
        if (modes.get(project) == BudgetMode.ENFORCE) {
            funds = new Funds(funds.byProject().plus(project, fund(Optional.of(budget))), filing);
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
        funds = new Funds(all, filing);
        version++;
    }
}
