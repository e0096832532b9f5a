package berth.projects;

import berth.approval.ApprovalRules;
import berth.budget.BudgetMode;
import berth.sla.AccountName;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.regex.Pattern;
import org.pcollections.HashTreePMap;
import org.pcollections.PMap;

/**
 * A project: accounts that file reservations under the same label and see each other's.
 *
 * @param id the label
 * @param name the name that people read
 * @param mode how strictly the budget applies
 * @param groups the groups of the issuer whose people are members
 * @param members the members, including deleted accounts
 * @param createdAt seconds since the epoch
 * @param approval the rules by which it asks for the approval of its owners
 */
public record Project(
        String id,
        String name,
        BudgetMode mode,
        ProjectGroups groups,
        PMap<AccountName, Member> members,
        long createdAt,
        ApprovalRules approval) {

    /** The most members of a project. */
    public static final int MAX_MEMBERS = 500;

    private static final Pattern WELL_FORMED = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._-]{0,62}");

    /** Returns a project without members. */
    public static Project fresh(String id, String name, BudgetMode mode, long createdAt) {
        return new Project(id, name, mode, ProjectGroups.NONE, HashTreePMap.empty(), createdAt, ApprovalRules.NONE);
    }

    /** Whether the id has 1 to 63 letters, digits, dots, underscores and hyphens, beginning with a letter or digit. */
    public static boolean isWellFormed(String id) {
        return WELL_FORMED.matcher(id).matches();
    }

    /** Returns the role of an account; empty if it is not a member. */
    public Optional<ProjectRole> role(AccountName account) {
        return member(account).map(Member::role);
    }

    Optional<Member> member(AccountName account) {
        return Optional.ofNullable(members.get(account));
    }

    /** Returns the members in the order of their names. */
    public Map<AccountName, Member> inOrder() {
        return new TreeMap<>(members);
    }

    Project withName(String other) {
        return new Project(id, other, mode, groups, members, createdAt, approval);
    }

    Project withMode(BudgetMode other) {
        return new Project(id, name, other, groups, members, createdAt, approval);
    }

    /** Returns the same project with other groups. Without groups, it has no members that come from one. */
    public Project withGroups(ProjectGroups other) {
        var byHand = members;
        if (other.isEmpty()) {
            for (var member : members.entrySet()) {
                byHand = member.getValue().origin() == MemberOrigin.GROUP ? byHand.minus(member.getKey()) : byHand;
            }
        }
        return new Project(id, name, mode, other, byHand, createdAt, approval);
    }

    /** Returns the same project with other rules for approval. */
    public Project withApproval(ApprovalRules other) {
        return new Project(id, name, mode, groups, members, createdAt, other);
    }

    /** Returns the same project with that member. */
    public Project withMember(AccountName account, Member member) {
        return new Project(id, name, mode, groups, members.plus(account, member), createdAt, approval);
    }

    Project withoutMember(AccountName account) {
        return new Project(id, name, mode, groups, members.minus(account), createdAt, approval);
    }
}
