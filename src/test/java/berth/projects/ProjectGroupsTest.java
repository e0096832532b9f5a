package berth.projects;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.Optional;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.pcollections.TreePMap;

class ProjectGroupsTest {

    /** In each case, the group "own" gives OWNER, "mem" gives MEMBER, and "view" gives VIEWER. */
    @ParameterizedTest
    @CsvSource({
        // mode, before, groups, after
        "ADDITIVE, , mem, MEMBER by GROUP",
        "ADDITIVE, , other, ",
        "ADDITIVE, , view own mem, OWNER by GROUP",
        "ADDITIVE, MEMBER by GROUP, view, VIEWER by GROUP",
        "ADDITIVE, OWNER by GROUP, other, ",
        "ADDITIVE, VIEWER by HAND, own, VIEWER by HAND",
        "ADDITIVE, OWNER by HAND, other, OWNER by HAND",
        "EXACT, , mem, MEMBER by GROUP",
        "EXACT, MEMBER by GROUP, other, ",
        "EXACT, OWNER by HAND, view, VIEWER by GROUP",
        "EXACT, OWNER by HAND, other, ",
        "EXACT, , Own OWN own2, ",
    })
    void aTokenDecidesAboutAMembership(
            GroupsMode mode, @Nullable String before, String groups, @Nullable String after) {
        var roles = TreePMap.<String, ProjectRole>empty()
                .plus("own", ProjectRole.OWNER)
                .plus("mem", ProjectRole.MEMBER)
                .plus("view", ProjectRole.VIEWER);

        assertThat(new ProjectGroups(mode, roles)
                        .after(member(before), Arrays.stream(groups.split(" ")).collect(Collectors.toSet())))
                .isEqualTo(member(after));
    }

    private static Optional<Member> member(@Nullable String text) {
        return Optional.ofNullable(text)
                .map(words -> words.split(" by "))
                .map(words -> new Member(ProjectRole.valueOf(words[0]), MemberOrigin.valueOf(words[1])));
    }
}
