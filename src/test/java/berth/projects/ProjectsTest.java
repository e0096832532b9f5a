package berth.projects;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import berth.accounts.Access;
import berth.accounts.Account;
import berth.accounts.Accounts;
import berth.accounts.MemoryAccounts;
import berth.accounts.MemoryAccounts.Fault;
import berth.accounts.MemoryAccounts.NoAnswer;
import berth.accounts.Role;
import berth.approval.ApprovalRules;
import berth.budget.BudgetMode;
import berth.outcome.Outcome;
import berth.outcome.Refusal;
import berth.projects.Projects.Filing;
import berth.sla.AccountLimits;
import berth.sla.AccountName;
import berth.sla.ServiceClass;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.pcollections.TreePMap;

class ProjectsTest {

    private static final String CLIMATE = "climate";
    private static final Account ADMIN = account("admin", Role.ADMIN);
    private static final Account ALICE = account("alice", Role.CLIENT);
    private static final Account BOB = account("bob", Role.CLIENT);

    private final Accounts accounts = new Accounts(new MemoryAccounts());
    private final MemoryProjects store = new MemoryProjects();
    private final Projects projects;

    ProjectsTest() {
        for (var account : List.of(ADMIN, ALICE, BOB)) {
            assertThat(accounts.create(account)).isInstanceOf(Outcome.Done.class);
        }
        projects = new Projects(store, accounts);
        assertThat(projects.create(Project.fresh(CLIMATE, "Climate models", BudgetMode.TRACK, 7)))
                .isInstanceOf(Outcome.Done.class);
        projects.put(CLIMATE, ADMIN, ALICE.name(), ProjectRole.OWNER);
    }

    /** A store in memory whose next answer can be lost. */
    private static final class MemoryProjects implements ProjectStore {

        private final Map<String, Project> projects = new TreeMap<>();
        private Fault next = Fault.NONE;
        private boolean isAway;

        @Override
        public List<Project> all() {
            if (isAway) {
                throw new NoAnswer();
            }
            return List.copyOf(projects.values());
        }

        @Override
        public List<Project> recorded() {
            return all();
        }

        @Override
        public void create(Project project) {
            write(project);
        }

        @Override
        public void rename(String project, String name) {
            write(present(project).withName(name));
        }

        @Override
        public void setMode(String project, BudgetMode mode) {
            write(present(project).withMode(mode));
        }

        @Override
        public void setApproval(String project, ApprovalRules rules) {
            write(present(project).withApproval(rules));
        }

        @Override
        public void setGroups(String project, ProjectGroups groups) {
            write(present(project).withGroups(groups));
        }

        @Override
        public void put(String project, AccountName account, Member member) {
            write(present(project).withMember(account, member));
        }

        @Override
        public void remove(String project, AccountName account) {
            write(present(project).withoutMember(account));
        }

        private Project present(String project) {
            return Objects.requireNonNull(projects.get(project));
        }

        private void write(Project project) {
            var fault = next;
            next = Fault.NONE;
            if (isAway || fault == Fault.LOST_ON_THE_WAY) {
                throw new NoAnswer();
            }
            projects.put(project.id(), project);
            if (fault == Fault.ANSWER_LOST) {
                throw new NoAnswer();
            }
        }
    }

    private static Account account(String name, Role role) {
        return Account.fresh(
                new AccountName(name), role, Account.STANDARD_PRIORITY, ServiceClass.STANDARD, AccountLimits.NONE);
    }

    @Test
    void membershipsFollowTheGroupsOfAToken() {
        var ml = new ProjectGroups(
                GroupsMode.ADDITIVE, TreePMap.<String, ProjectRole>singleton("ml", ProjectRole.MEMBER));
        assertThat(projects.setGroups(CLIMATE, ALICE, _ -> ml))
                .as("an owner may not choose groups")
                .isInstanceOf(Outcome.NotDone.class);
        assertThat(projects.setGroups(CLIMATE, ADMIN, _ -> ml)).isInstanceOf(Outcome.Done.class);

        projects.follow(BOB, Set.of("ml"));
        projects.follow(ALICE, Set.of());
        assertThat(projects.filing(BOB, CLIMATE)).isEqualTo(Filing.OPEN);
        assertThat(projects.role(CLIMATE, ALICE)).contains(ProjectRole.OWNER);
        assertThat(new Projects(store, accounts).role(CLIMATE, BOB)).contains(ProjectRole.MEMBER);
        projects.follow(BOB, Set.of("other"));
        assertThat(projects.filing(BOB, CLIMATE)).isEqualTo(Filing.CLOSED);

        projects.follow(BOB, Set.of("ml"));
        assertThat(projects.setGroups(CLIMATE, ADMIN, _ -> ProjectGroups.NONE)).isInstanceOf(Outcome.Done.class);
        assertThat(projects.role(CLIMATE, BOB)).as("a project without groups").isEmpty();
        assertThat(projects.role(CLIMATE, ALICE)).contains(ProjectRole.OWNER);
    }

    @Test
    void groupsMakeOnlyClientsAndAdministratorsMembersAndFillNoProjectBeyondItsMaximum() {
        var ml = new ProjectGroups(GroupsMode.EXACT, TreePMap.<String, ProjectRole>singleton("ml", ProjectRole.MEMBER));
        projects.setGroups(CLIMATE, ADMIN, _ -> ml);

        projects.follow(account("watcher", Role.VIEWER), Set.of("ml"));
        for (int i = 0; i <= Project.MAX_MEMBERS; i++) {
            projects.follow(account("member-" + i, Role.CLIENT), Set.of("ml"));
        }

        var members = projects.find(CLIMATE, ADMIN).orElseThrow().members();
        assertThat(members).hasSize(Project.MAX_MEMBERS).doesNotContainKey(new AccountName("watcher"));
        projects.follow(ALICE, Set.of());
        assertThat(projects.role(CLIMATE, ALICE))
                .as("EXACT ends a membership by hand")
                .isEmpty();
    }

    @Test
    void aMembershipThatCannotBeRemovedFailsTheToken() {
        var ml = new ProjectGroups(GroupsMode.EXACT, TreePMap.<String, ProjectRole>singleton("ml", ProjectRole.MEMBER));
        projects.setGroups(CLIMATE, ADMIN, _ -> ml);
        store.isAway = true;

        assertThatThrownBy(() -> projects.follow(ALICE, Set.of())).isInstanceOf(NoAnswer.class);
        projects.follow(BOB, Set.of());
        store.isAway = false;
        projects.follow(ALICE, Set.of());
        assertThat(projects.role(CLIMATE, ALICE)).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({
        "OWNER,OWNS,OPEN",
        "MEMBER,READS,OPEN",
        "VIEWER,READS,CLOSED",
    })
    void aMemberHasTheAccessOfItsRole(ProjectRole role, Access access, Filing filing) {
        projects.put(CLIMATE, ALICE, BOB.name(), role);

        assertThat(projects.access(BOB, ALICE.name(), Optional.of(CLIMATE))).isEqualTo(access);
        assertThat(projects.filing(BOB, CLIMATE)).isEqualTo(filing);
        assertThat(projects.access(BOB, ALICE.name(), Optional.of("another"))).isEqualTo(Access.NONE);
        assertThat(projects.access(BOB, ALICE.name(), Optional.empty())).isEqualTo(Access.NONE);
        assertThat(projects.access(BOB, BOB.name(), Optional.of(CLIMATE))).isEqualTo(Access.OWNS);
    }

    @Test
    void aStrangerHasNoAccessToAProject() {
        assertThat(projects.access(BOB, ALICE.name(), Optional.of(CLIMATE))).isEqualTo(Access.NONE);
        assertThat(projects.filing(BOB, CLIMATE)).isEqualTo(Filing.CLOSED);
        assertThat(projects.filing(BOB, "another")).isEqualTo(Filing.OPEN);
        assertThat(projects.find(CLIMATE, BOB)).isEmpty();
        assertThat(projects.list(BOB, Optional.empty(), 9)).isEmpty();
    }

    @Test
    void anAdministratorActsForTheProviderWithAnyRoleInTheProject() {
        projects.put(CLIMATE, ALICE, ADMIN.name(), ProjectRole.OWNER);

        assertThat(projects.access(ADMIN, ALICE.name(), Optional.of(CLIMATE))).isEqualTo(Access.PROVIDES);
        assertThat(projects.access(ADMIN, ADMIN.name(), Optional.of(CLIMATE))).isEqualTo(Access.OWNS);
        assertThat(projects.filing(ADMIN, CLIMATE)).isEqualTo(Filing.OPEN);
    }

    @Test
    void aFormerOwnerChangesNothing() {
        assertThat(projects.remove(CLIMATE, ALICE, ALICE.name())).isInstanceOf(Outcome.Done.class);

        assertThat(projects.rename(CLIMATE, ALICE, "Mine"))
                .isEqualTo(new Outcome.NotDone<>(new Refusal.NotFound("project", CLIMATE)));
        projects.put(CLIMATE, ADMIN, ALICE.name(), ProjectRole.MEMBER);
        assertThat(projects.rename(CLIMATE, ALICE, "Mine"))
                .matches(outcome -> outcome instanceof Outcome.NotDone(Refusal.NotAllowed _));
        assertThat(projects.remove(CLIMATE, ADMIN, BOB.name()))
                .isEqualTo(new Outcome.NotDone<>(new Refusal.NotFound("member", "bob")));
    }

    @Test
    void aProjectHasALimitedNumberOfMembers() {
        IntStream.range(1, Project.MAX_MEMBERS).forEach(i -> {
            var member = account("member-" + i, Role.CLIENT);
            assertThat(accounts.create(member)).isInstanceOf(Outcome.Done.class);
            assertThat(projects.put(CLIMATE, ALICE, member.name(), ProjectRole.VIEWER))
                    .isInstanceOf(Outcome.Done.class);
        });

        assertThat(projects.put(CLIMATE, ALICE, BOB.name(), ProjectRole.VIEWER))
                .matches(outcome -> outcome instanceof Outcome.NotDone(Refusal.Enough _));
        assertThat(projects.put(CLIMATE, ALICE, new AccountName("member-1"), ProjectRole.MEMBER))
                .isInstanceOf(Outcome.Done.class);
    }

    interface Change {
        Object of(Projects projects);
    }

    static Stream<Change> changes() {
        return Stream.of(
                projects -> projects.create(Project.fresh("later", "Later", BudgetMode.TRACK, 8)),
                projects -> projects.rename(CLIMATE, ALICE, "Weather"),
                projects -> projects.setGroups(
                        CLIMATE, ADMIN, groups -> new ProjectGroups(GroupsMode.EXACT, groups.roles())),
                projects -> projects.put(CLIMATE, ALICE, BOB.name(), ProjectRole.MEMBER),
                projects -> projects.put(CLIMATE, ADMIN, ALICE.name(), ProjectRole.VIEWER),
                projects -> projects.remove(CLIMATE, ADMIN, ALICE.name()));
    }

    @ParameterizedTest
    @MethodSource("changes")
    void aChangeWhoseAnswerIsLostIsLookedUp(Change change) {
        var before = store.all();
        store.next = Fault.ANSWER_LOST;

        assertThat(change.of(projects)).isNotInstanceOf(NoAnswer.class);

        assertThat(store.all()).isNotEqualTo(before);
        assertFollowsTheStore();
    }

    @ParameterizedTest
    @MethodSource("changes")
    void aChangeThatFailsChangesNothing(Change change) {
        var before = store.all();
        store.next = Fault.LOST_ON_THE_WAY;

        assertThatThrownBy(() -> change.of(projects)).isInstanceOf(NoAnswer.class);

        assertThat(store.all()).isEqualTo(before);
        assertFollowsTheStore();
    }

    @ParameterizedTest
    @MethodSource("changes")
    void anUncertainChangeCountsOnceTheStoreAnswersAgain(Change change) {
        var other = new Projects(store, accounts);
        store.isAway = true;
        assertThatThrownBy(() -> change.of(projects)).isInstanceOf(NoAnswer.class);
        assertThatThrownBy(projects::resolve).isInstanceOf(NoAnswer.class);
        store.isAway = false;
        // the write whose answer was lost
        change.of(other);

        projects.resolve();

        assertFollowsTheStore();
    }

    @ParameterizedTest
    @MethodSource("changes")
    void projectsFollowChangesOfAnotherProcess(Change change) {
        change.of(new Projects(store, accounts));

        projects.refresh();

        assertFollowsTheStore();
    }

    private void assertFollowsTheStore() {
        assertThat(projects.list(ADMIN, Optional.empty(), 9)).isEqualTo(store.all());
    }
}
