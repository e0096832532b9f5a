package berth.projects;

import java.util.Comparator;
import java.util.Optional;
import java.util.Set;
import org.pcollections.PSortedMap;
import org.pcollections.TreePMap;

/**
 * The groups of the issuer whose people are members of a project. A token shows the groups of a person; accounts that never come with such
 * a token are members by hand only.
 *
 * @param mode what happens to members by hand
 * @param roles the role that each group gives
 */
public record ProjectGroups(GroupsMode mode, PSortedMap<String, ProjectRole> roles) {

    /** The most groups of a project. */
    public static final int MAX = 50;

    /** The most characters of a group's name. */
    public static final int MAX_NAME = 200;

    /** No groups. */
    public static final ProjectGroups NONE = new ProjectGroups(GroupsMode.ADDITIVE, TreePMap.empty());

    /** Whether no group makes anybody a member. */
    public boolean isEmpty() {
        return roles.isEmpty();
    }

    /**
     * Returns the membership of an account whose token has these groups. If several of them give a role, the strongest counts.
     *
     * @param before its membership until now
     */
    Optional<Member> after(Optional<Member> before, Set<String> groups) {
        return mode == GroupsMode.ADDITIVE
                        && before.filter(member -> member.origin() == MemberOrigin.HAND)
                                .isPresent()
                ? before
                : roles.entrySet().stream()
                        .filter(role -> groups.contains(role.getKey()))
                        .map(role -> role.getValue())
                        .min(Comparator.naturalOrder())
                        .map(role -> new Member(role, MemberOrigin.GROUP));
    }
}
