package berth.projects;

import berth.accounts.Access;
import berth.accounts.Account;
import berth.accounts.Accounts;
import berth.accounts.Role;
import berth.approval.ApprovalRules;
import berth.budget.BudgetMode;
import berth.budget.Funds;
import berth.outcome.Outcome;
import berth.outcome.Refusal;
import berth.sla.AccountName;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import org.pcollections.PSortedMap;
import org.pcollections.TreePMap;

/**
 * All projects, and what accounts may do with what is filed under them. Only one process writes, so memory holds the current state and
 * reading never waits. A change is written to the store first and takes effect in memory afterwards. If a write fails, this class asks the
 * store for the result: at once, before the next change, and periodically until the store answers. Thread-safe.
 */
public final class Projects implements Funds.Filing {

    private static final Outcome<Project, Refusal> NOT_ALLOWED = new Outcome.NotDone<>(
            new Refusal.NotAllowed("Only an owner of the project or an administrator may do this."));

    private final ProjectStore store;
    private final Accounts accounts;

    private volatile PSortedMap<String, Project> byId = TreePMap.empty();
    private volatile boolean inDoubt;
    private volatile Consumer<Map<String, BudgetMode>> watcher = _ -> {};

    public Projects(ProjectStore store, Accounts accounts) {
        this.store = store;
        this.accounts = accounts;
        refresh();
    }

    /** Whether an account may file under a label. */
    public enum Filing {
        /** The account may file under it. */
        OPEN,
        /** The label is a project of which the account is neither an owner nor a member. */
        CLOSED
    }

    /**
     * Returns what an account may do with something filed. An administrator who is not its owner acts for the provider, even as a member of
     * the project.
     *
     * @param owner the account that reserved it
     * @param project the project under which it is filed
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

    /** Returns whether an account may file under a label. Everybody may file under a label that is not a project. */
    public Filing filing(Account account, String label) {
        return !byId.containsKey(label)
                        || account.role() == Role.ADMIN
                        || role(label, account).filter(ProjectRole::files).isPresent()
                ? Filing.OPEN
                : Filing.CLOSED;
    }

    /** Whether the account with that name may file under a label; an account that has been deleted may not file under a project. */
    @Override
    public boolean isOpen(AccountName account, String label) {
        return !byId.containsKey(label)
                || accounts.find(account)
                        .filter(present -> filing(present, label) == Filing.OPEN)
                        .isPresent();
    }

    @Override
    public boolean isProject(String label) {
        return byId.containsKey(label);
    }

    @Override
    public ApprovalRules approval(String label) {
        var project = byId.get(label);
        return project == null ? ApprovalRules.NONE : project.approval();
    }

    @Override
    public boolean owns(AccountName account, String label) {
        var project = byId.get(label);
        return project != null
                && accounts.find(account).isPresent()
                && project.role(account).filter(ProjectRole.OWNER::equals).isPresent();
    }

    @Override
    public boolean isAdministrator(AccountName account) {
        return accounts.find(account)
                .filter(present -> present.role() == Role.ADMIN)
                .isPresent();
    }

    /**
     * Returns whether an account may see what concerns all accounts: everything as an administrator or viewer, and what belongs to a project
     * as its owner.
     */
    public boolean oversees(Account account, Optional<String> project) {
        return account.role() == Role.ADMIN
                || account.role() == Role.VIEWER
                || project.flatMap(id -> role(id, account))
                        .filter(ProjectRole.OWNER::equals)
                        .isPresent();
    }

    /** Returns the account's role in the project; empty if it is not a member. */
    public Optional<ProjectRole> role(String project, Account account) {
        return Optional.ofNullable(byId.get(project)).flatMap(found -> found.role(account.name()));
    }

    /** Returns the owners of a project; none if there is no such project. */
    public List<AccountName> owners(String project) {
        return Optional.ofNullable(byId.get(project)).stream()
                .flatMap(found -> found.members().entrySet().stream())
                .filter(member -> member.getValue().role() == ProjectRole.OWNER)
                .map(Map.Entry::getKey)
                .toList();
    }

    /** Returns a project if the caller is a member or an administrator. */
    public Optional<Project> find(String id, Account by) {
        return Optional.ofNullable(byId.get(id)).filter(project -> isShown(project, by));
    }

    private static boolean isShown(Project project, Account by) {
        return by.role() == Role.ADMIN || project.role(by.name()).isPresent();
    }

    /**
     * Returns the projects of an account, or all projects for an administrator, in the order of their ids.
     *
     * @param after only projects with a greater id
     */
    public List<Project> list(Account by, Optional<String> after, int limit) {
        return byId.values().stream()
                .filter(project ->
                        after.filter(id -> id.compareTo(project.id()) >= 0).isEmpty())
                .filter(project -> isShown(project, by))
                .limit(limit)
                .toList();
    }

    /** Creates a project. */
    public synchronized Outcome<Project, Refusal> create(Project project) {
        resolve();
        if (byId.containsKey(project.id())) {
            return new Outcome.NotDone<>(
                    new Refusal.Exists("id", project.id(), "Choose another id, or change the project."));
        }
        keep(project, () -> store.create(project));
        return new Outcome.Done<>(project);
    }

    /**
     * Changes the name of a project.
     *
     * @param by the caller
     */
    public synchronized Outcome<Project, Refusal> rename(String id, Account by, String name) {
        return change(id, by, before -> {
            var after = before.withName(name);
            keep(after, () -> store.rename(id, name));
            return new Outcome.Done<>(after);
        });
    }

    /**
     * Changes how strictly the budget of a project applies. Only an administrator may do so.
     *
     * @param by the caller
     */
    public synchronized Outcome<Project, Refusal> setMode(String id, Account by, BudgetMode mode) {
        return change(id, by, before -> {
            if (by.role() != Role.ADMIN) {
                return NOT_ALLOWED;
            }
            var after = before.withMode(mode);
            keep(after, () -> store.setMode(id, mode));
            return new Outcome.Done<>(after);
        });
    }

    /**
     * Changes the groups of the issuer whose people are members. Only an administrator may do so, because the members of a project show who
     * is in a group.
     *
     * @param by the caller
     * @param change returns the groups after the change
     */
    public synchronized Outcome<Project, Refusal> setGroups(
            String id, Account by, UnaryOperator<ProjectGroups> change) {
        return change(id, by, before -> {
            if (by.role() != Role.ADMIN) {
                return NOT_ALLOWED;
            }
            var groups = change.apply(before.groups());
            var after = before.withGroups(groups);
            keep(after, () -> store.setGroups(id, groups));
            return new Outcome.Done<>(after);
        });
    }

    /**
     * Changes which requests the owners of a project must approve.
     *
     * @param by the caller
     */
    public synchronized Outcome<Project, Refusal> setApproval(String id, Account by, ApprovalRules rules) {
        return change(id, by, before -> {
            var after = before.withApproval(rules);
            keep(after, () -> store.setApproval(id, rules));
            return new Outcome.Done<>(after);
        });
    }

    /** Registers a listener that receives the budget mode of every project, now and after each change. */
    public synchronized void watch(Consumer<Map<String, BudgetMode>> who) {
        watcher = who;
        tell();
    }

    private void tell() {
        watcher.accept(byId.values().stream().collect(Collectors.toMap(Project::id, Project::mode)));
    }

    /**
     * Makes an account a member, or changes its role.
     *
     * @param by the caller
     */
    public synchronized Outcome<Project, Refusal> put(String id, Account by, AccountName account, ProjectRole role) {
        return change(id, by, before -> {
            if (accounts.find(account).filter(Account::hasReservations).isEmpty()) {
                return new Outcome.NotDone<>(
                        new Refusal.Invalid(
                                "account",
                                account.value(),
                                "is not an account that may have reservations; create one with the role CLIENT or ADMIN first"));
            }
            if (before.role(account).isEmpty() && before.members().size() >= Project.MAX_MEMBERS) {
                return new Outcome.NotDone<>(
                        new Refusal.Enough("The project has %d members, which is the maximum. Remove one first."
                                .formatted(Project.MAX_MEMBERS)));
            }
            var member = new Member(role, MemberOrigin.HAND);
            var after = before.withMember(account, member);
            keep(after, () -> store.put(id, account, member));
            return new Outcome.Done<>(after);
        });
    }

    /**
     * Removes a member.
     *
     * @param by the caller
     */
    public synchronized Outcome<Project, Refusal> remove(String id, Account by, AccountName account) {
        return change(id, by, before -> {
            if (before.role(account).isEmpty()) {
                return new Outcome.NotDone<>(new Refusal.NotFound("member", account.value()));
            }
            var after = before.withoutMember(account);
            keep(after, () -> store.remove(id, account));
            return new Outcome.Done<>(after);
        });
    }

    /**
     * Makes the memberships of an account those that the groups of its person give it. If that changes nothing, this method reads only
     * memory.
     *
     * @param groups the groups of the person at the issuer
     */
    public void follow(Account account, Set<String> groups) {
        var theirs = account.hasReservations() ? groups : Set.<String>of();
        if (byId.values().stream().anyMatch(project -> isChanged(project, account.name(), theirs))) {
            followNow(account.name(), theirs);
        }
    }

    private static boolean isChanged(Project project, AccountName account, Set<String> groups) {
        return !project.groups().isEmpty() && !after(project, account, groups).equals(project.member(account));
    }

    /** Returns the membership that groups give; none to a newcomer if the project is full. */
    private static Optional<Member> after(Project project, AccountName account, Set<String> groups) {
        var before = project.member(account);
        return before.isEmpty() && project.members().size() >= Project.MAX_MEMBERS
                ? before
                : project.groups().after(before, groups);
    }

    private synchronized void followNow(AccountName account, Set<String> groups) {
        resolve();
        for (var project : byId.values()) {
            if (isChanged(project, account, groups)) {
                after(project, account, groups)
                        .ifPresentOrElse(
                                member -> keep(
                                        project.withMember(account, member),
                                        () -> store.put(project.id(), account, member)),
                                () -> keep(project.withoutMember(account), () -> store.remove(project.id(), account)));
            }
        }
    }

    private interface Change {
        Outcome<Project, Refusal> of(Project before);
    }

    private Outcome<Project, Refusal> change(String id, Account by, Change change) {
        resolve();
        // the current accounts: both may have changed since the call was admitted
        var caller = accounts.find(by.name());
        var before = caller.flatMap(present -> find(id, present));
        if (before.isEmpty()) {
            return new Outcome.NotDone<>(new Refusal.NotFound("project", id));
        }
        boolean mayChange =
                caller.filter(present -> present.role() == Role.ADMIN).isPresent()
                        || before.get().role(by.name()).equals(Optional.of(ProjectRole.OWNER));
        return mayChange ? change.of(before.get()) : NOT_ALLOWED;
    }

    /**
     * Writes a change and applies it to memory.
     *
     * @throws RuntimeException of the store, if nothing was stored or the result is not known yet
     */
    private void keep(Project project, Runnable write) {
        inDoubt = true;
        try {
            write.run();
        } catch (RuntimeException e) {
            resolve();
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
     * Finds out the result of a failed write, if there was one.
     *
     * @throws RuntimeException of the store, if it does not answer; until it does, it may hold newer projects than memory
     */
    public synchronized void resolve() {
        if (inDoubt) {
            remember(store.all());
            inDoubt = false;
        }
    }

    /** Reads all projects again, because another process wrote them until now. */
    public synchronized void reread() {
        inDoubt = true;
        resolve();
    }

    /** Reads all projects again while another process writes them. */
    public synchronized void refresh() {
        remember(store.recorded());
    }

    private void remember(List<Project> projects) {
        byId = TreePMap.from(projects.stream().collect(Collectors.toMap(Project::id, UnaryOperator.identity())));
        tell();
    }
}
