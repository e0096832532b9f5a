package berth.security;

import berth.budget.BudgetMode;
import berth.sla.AccountName;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.regex.Pattern;
import org.pcollections.HashTreePMap;
import org.pcollections.PMap;

/**
 * Accounts that file under the same label, and see what is filed there.
 *
 * @param id the label
 * @param name for people
 * @param mode what its budget does
 * @param members what each may do; of those that were deleted, too
 * @param createdAt seconds since the epoch
 */
public record Project(String id, String name, BudgetMode mode, PMap<AccountName, ProjectRole> members, long createdAt) {

    /** The most members. */
    public static final int MAX_MEMBERS = 500;

    private static final Pattern WELL_FORMED = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._-]{0,62}");

    /** One that has no members yet. */
    public static Project fresh(String id, String name, BudgetMode mode, long createdAt) {
        return new Project(id, name, mode, HashTreePMap.empty(), createdAt);
    }

    /** Whether a project may have this id: 1 to 63 letters, digits, dots, underscores and hyphens, a letter or digit first. */
    public static boolean isWellFormed(String id) {
        return WELL_FORMED.matcher(id).matches();
    }

    /** What an account may do; empty if it is no member. */
    public Optional<ProjectRole> role(AccountName account) {
        return Optional.ofNullable(members.get(account));
    }

    /** The members in the order of their names. */
    public Map<AccountName, ProjectRole> inOrder() {
        return new TreeMap<>(members);
    }

    Project withName(String other) {
        return new Project(id, other, mode, members, createdAt);
    }

    Project withMode(BudgetMode other) {
        return new Project(id, name, other, members, createdAt);
    }

    /** The same, where the account is a member in that role. */
    public Project withMember(AccountName account, ProjectRole role) {
        return new Project(id, name, mode, members.plus(account, role), createdAt);
    }

    Project withoutMember(AccountName account) {
        return new Project(id, name, mode, members.minus(account), createdAt);
    }
}
