package berth.rest;

import berth.reservation.Origin;
import berth.security.Access;
import berth.security.Account;
import berth.security.Accounts;
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
