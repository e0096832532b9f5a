package berth.booking.web;

import berth.accounts.Access;
import berth.accounts.Account;
import berth.accounts.Accounts;
import berth.accounts.Feed;
import berth.accounts.Role;
import berth.engine.Records.Whose;
import berth.http.Problem;
import berth.http.ProblemCode;
import berth.projects.ProjectRole;
import berth.projects.Projects;
import berth.projects.Projects.Filing;
import berth.reservation.Origin;
import berth.sla.AccountName;
import java.util.List;
import java.util.Optional;
import org.springframework.stereotype.Component;

/** Decides what an account may do with reservations of other accounts, in whose name it acts, and under which projects it may file. */
@Component
public class Rights {

    private final Projects projects;
    private final Accounts accounts;

    Rights(Projects projects, Accounts accounts) {
        this.projects = projects;
        this.accounts = accounts;
    }

    /** Returns what an account may do with a reservation of the given origin. */
    public Access access(Account account, Origin origin) {
        return access(account, origin.owner(), origin.project());
    }

    /**
     * Returns what an account may do with a reservation.
     *
     * @param owner the account that made the reservation
     * @param project the project that it is filed under
     */
    public Access access(Account account, AccountName owner, Optional<String> project) {
        return projects.access(account, owner, project);
    }

    /**
     * Checks that an account may change what it can read.
     *
     * @throws Problem if the account may only read
     */
    public static void requireActs(Access access) {
        if (!access.acts()) {
            throw new Problem(
                    ProblemCode.FORBIDDEN,
                    "As a member of its project you may only read it. Its owner and the owners of the project may change it.");
        }
    }

    /**
     * Returns the account in whose name a change is made: for an owner of the project, the account that made the reservation; for an
     * administrator, its own account.
     *
     * @throws Problem if the account may not change the reservation, or if the account that made it has been deleted
     */
    public Account inNameOf(Account account, Origin origin) {
        var access = access(account, origin);
        requireActs(access);
        return access == Access.OWNS ? present(origin.owner()) : account;
    }

    private Account present(AccountName owner) {
        return accounts.find(owner)
                .orElseThrow(() -> new Problem(
                        ProblemCode.FORBIDDEN,
                        "The account %s, which would pay for this, has been deleted. Make a new reservation instead."
                                .formatted(owner)));
    }

    /**
     * Returns the account for which a caller reserves.
     *
     * @param named its name
     * @throws Problem if the caller may not reserve for it
     */
    Account bookedFor(Account caller, String named, Optional<String> project) {
        boolean isOthers = !caller.name().value().equals(named);
        if (isOthers && caller.role() != Role.ADMIN && !owns(caller, project)) {
            throw new Problem(
                    ProblemCode.FORBIDDEN,
                    "Leave account out, or name a project of which you are an owner.",
                    List.of(new Problem.FieldError(
                            "account",
                            named,
                            "is another account, for which only administrators and owners of the project reserve")));
        }
        return filing(caller, named, project);
    }

    private boolean owns(Account account, Optional<String> project) {
        return project.flatMap(id -> projects.role(id, account))
                .filter(ProjectRole.OWNER::equals)
                .isPresent();
    }

    /**
     * Returns an account that may have reservations under a project. To administrators that are not of the project only administrators give
     * one: otherwise a client could choose an account without limits.
     */
    private Account filing(Account caller, String name, Optional<String> project) {
        var account = accounts.find(new AccountName(name))
                .filter(Account::hasReservations)
                .orElseThrow(() -> Problem.field(
                        ProblemCode.INVALID_TERMS,
                        "account",
                        name,
                        "is not an account that may have reservations; name one with the role CLIENT or ADMIN"));
        boolean isClosed = project.filter(id -> caller.role() == Role.ADMIN
                        ? projects.filing(account, id) == Filing.CLOSED
                        : projects.role(id, account).filter(ProjectRole::files).isEmpty())
                .isPresent();
        if (isClosed) {
            throw new Problem(
                    ProblemCode.FORBIDDEN,
                    "Name an owner or member of the project, or ask an owner of the project to make the account a member.",
                    List.of(new Problem.FieldError(
                            "account", name, "is neither an owner nor a member of project " + project.get())));
        }
        return account;
    }

    /**
     * Returns the account to which a caller hands a reservation over.
     *
     * @param named its name
     * @throws Problem if the caller may not hand it over, or not to this account
     */
    Account receiver(Account caller, Origin origin, String named) {
        // a repeated call finds it with its new owner
        boolean isDone = origin.owner().value().equals(named)
                && origin.assignment()
                        .filter(how -> how.by().equals(caller.name()))
                        .isPresent();
        if (!isDone) {
            requireActs(access(caller, origin));
        }
        // who owes the price must not depend on what a client chooses
        boolean isOfProject = origin.project().filter(projects::isProject).isPresent();
        if (caller.role() != Role.ADMIN && !isOfProject) {
            throw new Problem(
                    ProblemCode.FORBIDDEN,
                    "The reservation is filed under no project, so the new owner would owe its price. Ask an administrator to hand it over.");
        }
        return filing(caller, named, origin.project());
    }

    /** Checks whether lists show an account all reservations: those of a project of which it is a member, or for an administrator all. */
    boolean listsAll(Account account, Optional<String> project) {
        return account.role() == Role.ADMIN
                || project.flatMap(id -> projects.role(id, account)).isPresent();
    }

    /**
     * Returns the account whose refused requests an account may list; empty if it may list those of all accounts, as an administrator or
     * viewer, or as an owner of the project to which the list is restricted.
     */
    public Optional<AccountName> listedRefusals(Account account, Optional<String> project) {
        return projects.oversees(account, project) ? Optional.empty() : Optional.of(account.name());
    }

    /** Returns which reservations lists show an account, restricted to a project if one is given. */
    public Whose listed(Account account, Optional<String> project) {
        return new Whose(listsAll(account, project) ? Optional.empty() : Optional.of(account.name()), project);
    }

    /**
     * A feed that is being read.
     *
     * @param account the account that owns the feed
     * @param whose the reservations that the feed shows
     */
    public record ReadFeed(AccountName account, Feed feed, Whose whose) {}

    /**
     * Returns the feed that a secret opens, with the account's current rights: its own reservations, or those that it may list of a
     * project. An account that is no longer a member of the project gets only its own.
     */
    public Optional<ReadFeed> feed(String secretHash) {
        return accounts.byFeed(secretHash).map(opened -> {
            var account = opened.account();
            var project = opened.feed().project();
            var whose = project.isPresent()
                    ? listed(account, project)
                    : new Whose(Optional.of(account.name()), Optional.empty());
            return new ReadFeed(account.name(), opened.feed(), whose);
        });
    }

    /**
     * Checks that an account may file reservations under a project.
     *
     * @throws Problem if it may not
     */
    public void requireFiling(Account account, Optional<String> project) {
        project.filter(id -> projects.filing(account, id) == Filing.CLOSED).ifPresent(id -> {
            throw new Problem(
                    ProblemCode.FORBIDDEN,
                    "Choose another project, or ask an owner of this one to make you a member.",
                    List.of(new Problem.FieldError(
                            "project", id, "is a project of which you are neither an owner nor a member")));
        });
    }
}
