package berth.security;

import berth.budget.BudgetMode;
import berth.sla.AccountName;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import org.pcollections.PSortedMap;
import org.pcollections.TreePMap;

/**
 * All projects, and what accounts may do with what is filed under them. One process writes, so what is in memory is the truth, and reading it
 * never waits. A change is written to the store first and counts in memory once it is there. Where a write fails, the store is asked what it has
 * come to: at once, before the next change, and by the clock, until it answers. Safe to use from any thread.
 */
public final class Projects {

    private final ProjectStore store;
    private final Accounts accounts;

    private volatile PSortedMap<String, Project> byId = TreePMap.empty();
    private volatile boolean inDoubt;
    private volatile Consumer<Map<String, BudgetMode>> watcher = _ -> {};

    public Projects(ProjectStore store, Accounts accounts) {
        this.store = store;
        this.accounts = accounts;
        look();
    }

    /** What became of a change to a project. */
    public sealed interface Outcome {
        /** Done, durably: the project as it is now. */
        record Done(Project project) implements Outcome {}

        /** There is no such project, or it is not the business of whoever asks. */
        record NoProject() implements Outcome {}

        /** Whoever asks is neither an administrator nor an owner of the project. */
        record NotAllowed() implements Outcome {}

        /** There is no account of that name that may have reservations. */
        record NoAccount() implements Outcome {}

        /** The account is no member. */
        record NoMember() implements Outcome {}

        /** The project has as many members as it may have. */
        record Enough() implements Outcome {}
    }

    /** Whether an account may file under a project. */
    public enum Filing {
        /** It may. */
        OPEN,
        /** There is a project of that id, of which it is neither an owner nor a member. */
        CLOSED
    }

    /**
     * What an account may do with something that is filed. An administrator who has not reserved it acts for the provider, also where it is a
     * member of the project.
     *
     * @param owner the account that has reserved it
     * @param project what it is filed under
     */
    public Access access(Account account, AccountName owner, Optional<String> project) {
        if (account.name().equals(owner)) {
            return Access.OWNS;
        }
        if (account.role() == Role.ADMIN) {
            return Access.PROVIDES;
        }
        return project.flatMap(id -> role(id, account))
                .map(role -> role == ProjectRole.OWNER ? Access.OWNS : Access.READS)
                .orElse(Access.NONE);
    }

    /** Whether an account may file under a label: under one that is no project, everybody may. */
    public Filing filing(Account account, String label) {
        return !byId.containsKey(label)
                        || account.role() == Role.ADMIN
                        || role(label, account).filter(ProjectRole::files).isPresent()
                ? Filing.OPEN
                : Filing.CLOSED;
    }

    /** What an account may do as a member of a project; empty if it is none. */
    public Optional<ProjectRole> role(String project, Account account) {
        return Optional.ofNullable(byId.get(project)).flatMap(found -> found.role(account.name()));
    }

    /** A project, for its members and administrators. */
    public Optional<Project> find(String id, Account by) {
        return Optional.ofNullable(byId.get(id)).filter(project -> isShown(project, by));
    }

    private static boolean isShown(Project project, Account by) {
        return by.role() == Role.ADMIN || project.role(by.name()).isPresent();
    }

    /**
     * The projects of an account, or all for an administrator, in the order of their ids.
     *
     * @param after only those of a greater id
     */
    public List<Project> list(Account by, Optional<String> after, int limit) {
        return byId.values().stream()
                .filter(project ->
                        after.filter(id -> id.compareTo(project.id()) >= 0).isEmpty())
                .filter(project -> isShown(project, by))
                .limit(limit)
                .toList();
    }

    /** Adds a project; {@code false} if there is one of that id. */
    public synchronized boolean create(Project project) {
        settle();
        if (byId.containsKey(project.id())) {
            return false;
        }
        keep(project, () -> store.create(project));
        return true;
    }

    /**
     * Names a project.
     *
     * @param by who asks
     */
    public synchronized Outcome rename(String id, Account by, String name) {
        return change(id, by, before -> {
            var after = before.withName(name);
            keep(after, () -> store.rename(id, name));
            return new Outcome.Done(after);
        });
    }

    /**
     * Says what the budget of a project does: an administrator alone.
     *
     * @param by who asks
     */
    public synchronized Outcome setMode(String id, Account by, BudgetMode mode) {
        return change(id, by, before -> {
            if (by.role() != Role.ADMIN) {
                return new Outcome.NotAllowed();
            }
            var after = before.withMode(mode);
            keep(after, () -> store.setMode(id, mode));
            return new Outcome.Done(after);
        });
    }

    /** Tells somebody, from now on, what the budgets of all projects do. */
    public synchronized void watch(Consumer<Map<String, BudgetMode>> who) {
        watcher = who;
        tell();
    }

    private void tell() {
        watcher.accept(byId.values().stream().collect(Collectors.toMap(Project::id, Project::mode)));
    }

    /**
     * Makes an account a member, or gives it another role.
     *
     * @param by who asks
     */
    public synchronized Outcome put(String id, Account by, AccountName account, ProjectRole role) {
        return change(id, by, before -> {
            if (accounts.find(account).filter(Account::hasReservations).isEmpty()) {
                return new Outcome.NoAccount();
            }
            if (before.role(account).isEmpty() && before.members().size() >= Project.MAX_MEMBERS) {
                return new Outcome.Enough();
            }
            var after = before.withMember(account, role);
            keep(after, () -> store.put(id, account, role));
            return new Outcome.Done(after);
        });
    }

    /**
     * Has an account be no member any more.
     *
     * @param by who asks
     */
    public synchronized Outcome remove(String id, Account by, AccountName account) {
        return change(id, by, before -> {
            if (before.role(account).isEmpty()) {
                return new Outcome.NoMember();
            }
            var after = before.withoutMember(account);
            keep(after, () -> store.remove(id, account));
            return new Outcome.Done(after);
        });
    }

    private interface Change {
        Outcome of(Project before);
    }

    private Outcome change(String id, Account by, Change change) {
        settle();
        // both as they are now: they may have changed since the call was let in
        var caller = accounts.find(by.name());
        var before = caller.flatMap(present -> find(id, present));
        if (before.isEmpty()) {
            return new Outcome.NoProject();
        }
        boolean mayChange =
                caller.filter(present -> present.role() == Role.ADMIN).isPresent()
                        || before.get().role(by.name()).equals(Optional.of(ProjectRole.OWNER));
        return mayChange ? change.of(before.get()) : new Outcome.NotAllowed();
    }

    /** @throws RuntimeException of the store, if nothing is kept, or if that cannot be told yet */
    private void keep(Project project, Runnable write) {
        inDoubt = true;
        try {
            write.run();
        } catch (RuntimeException e) {
            settle();
            if (project.equals(byId.get(project.id()))) {
                return;
            }
            throw e;
        }
        byId = byId.plus(project.id(), project);
        inDoubt = false;
        tell();
    }

    /**
     * Finds out what became of a write that failed, if one did.
     *
     * @throws RuntimeException of the store, if it does not answer; what it holds may be ahead of memory until it does
     */
    synchronized void settle() {
        if (inDoubt) {
            remember(store.all());
            inDoubt = false;
        }
    }

    /** Reads all projects again, which another process has changed until now. */
    public synchronized void reread() {
        inDoubt = true;
        settle();
    }

    /** Reads all projects again, which another process changes. */
    public synchronized void look() {
        remember(store.recorded());
    }

    private void remember(List<Project> projects) {
        byId = TreePMap.from(projects.stream().collect(Collectors.toMap(Project::id, UnaryOperator.identity())));
        tell();
    }
}
