package berth.rest;

import berth.desk.Records.Whose;
import berth.reservation.Origin;
import berth.security.Access;
import berth.security.Account;
import berth.security.Accounts;
import berth.security.Feed;
import berth.security.Projects;
import berth.security.Projects.Filing;
import berth.security.Role;
import berth.sla.AccountName;
import java.util.List;
import java.util.Optional;
import org.springframework.stereotype.Component;

/** What whoever calls may do with what is filed, in whose name, and under which labels it may file. */
@Component
class Rights {

    private final Projects projects;
    private final Accounts accounts;

    Rights(Projects projects, Accounts accounts) {
        this.projects = projects;
        this.accounts = accounts;
    }

    /** What an account may do with something of that origin. */
    Access access(Account account, Origin origin) {
        return access(account, origin.owner(), origin.project());
    }

    /**
     * What an account may do with something.
     *
     * @param owner the account that has reserved it
     * @param project what it is filed under
     */
    Access access(Account account, AccountName owner, Optional<String> project) {
        return projects.access(account, owner, project);
    }

    /** @throws Problem if what may be read may not be changed */
    static void requireActs(Access access) {
        if (!access.acts()) {
            throw new Problem(
                    ProblemCode.FORBIDDEN,
                    "You may read it as a member of its project; whose it is, or an owner of the project, changes it.");
        }
    }

    /**
     * In whose name an account acts on something of that origin: an owner of its project in that of the account that has reserved it, an
     * administrator in its own.
     *
     * @throws Problem if it may change nothing of it, or the account that has reserved it is deleted
     */
    Account inNameOf(Account account, Origin origin) {
        var access = access(account, origin);
        requireActs(access);
        return access == Access.OWNS ? present(origin.owner()) : account;
    }

    private Account present(AccountName owner) {
        return accounts.find(owner)
                .orElseThrow(() -> new Problem(
                        ProblemCode.FORBIDDEN,
                        "The account %s, which this would be charged to, is deleted; reserve anew.".formatted(owner)));
    }

    /** Whether an account is listed what anybody has reserved: under a project that it is a member of, or everywhere as an administrator. */
    boolean listsAll(Account account, Optional<String> project) {
        return account.role() == Role.ADMIN
                || project.flatMap(id -> projects.role(id, account)).isPresent();
    }

    /** What an account is listed, of a project if one is named. */
    Whose listed(Account account, Optional<String> project) {
        return new Whose(listsAll(account, project) ? Optional.empty() : Optional.of(account.name()), project);
    }

    /**
     * A feed that somebody reads.
     *
     * @param account whose it is
     * @param whose what it tells of
     */
    record ReadFeed(AccountName account, Feed feed, Whose whose) {}

    /**
     * The feed that a secret opens, as things stand: of what is its account's own, or of what that is listed of a project. Who is no member any
     * more is told of its own.
     */
    Optional<ReadFeed> feed(String secretHash) {
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
     * What an account hears of all that happens, as things stand: a client of what it is listed, an agent of its cluster, everybody else of
     * everything; of a project alone if one is named.
     */
    EventScope hears(Account account, Optional<String> project) {
        var whose = account.role() == Role.CLIENT ? listed(account, project) : new Whose(Optional.empty(), project);
        return new EventScope(whose, account.cluster());
    }

    /** @throws Problem if an account may not file under a project */
    void requireFiling(Account account, Optional<String> project) {
        project.filter(id -> projects.filing(account, id) == Filing.CLOSED).ifPresent(id -> {
            throw new Problem(
                    ProblemCode.FORBIDDEN,
                    "Choose another project, or ask an owner of this one to make you a member.",
                    List.of(new Problem.FieldError(
                            "project", id, "is a project of which you are neither an owner nor a member")));
        });
    }
}
