package berth.projects.web;

import static berth.http.ProblemCode.EXISTS;
import static berth.http.ProblemCode.INVALID_TERMS;
import static berth.http.ProblemCode.LIMIT_EXCEEDED;

import berth.accounts.Account;
import berth.accounts.Accounts;
import berth.budget.BudgetMode;
import berth.http.Fields;
import berth.http.Page;
import berth.http.Problem;
import berth.http.Refuses;
import berth.http.Required;
import berth.http.Texts;
import berth.outcome.Outcome;
import berth.outcome.Refusal;
import berth.projects.GroupsMode;
import berth.projects.Member;
import berth.projects.MemberOrigin;
import berth.projects.Project;
import berth.projects.ProjectGroups;
import berth.projects.ProjectRole;
import berth.projects.Projects;
import berth.sla.AccountName;
import com.fasterxml.jackson.annotation.JsonInclude;
import io.swagger.v3.oas.annotations.media.Schema;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.pcollections.PSortedMap;
import org.pcollections.TreePMap;
import org.springframework.http.HttpStatus;
import org.springframework.security.core.annotation.AuthenticationPrincipal;
import org.springframework.web.bind.annotation.DeleteMapping;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PatchMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.PutMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestController;

/** Projects. Administrators create them; owners of a project name it and manage its members. */
@RestController
@RequestMapping("/api/v1/projects")
class ProjectsController {

    private final Projects projects;
    private final Accounts accounts;
    private final InstantSource clock;

    ProjectsController(Projects projects, Accounts accounts, InstantSource clock) {
        this.projects = projects;
        this.accounts = accounts;
        this.clock = clock;
    }

    /**
     * A project to create.
     *
     * @param id the label under which its members file reservations
     * @param name the name for people
     * @param mode whether the budget is enforced or only tracked; only tracked, if left out
     */
    @Schema(name = "NewProject", example = "{\"id\":\"climate\",\"name\":\"Climate models\",\"mode\":\"ENFORCE\"}")
    record NewProjectBody(
            @Required @Nullable String id,
            @Required @Nullable String name,
            @Nullable BudgetMode mode) {}

    /**
     * Changes to a project. Fields that are left out stay as they are.
     *
     * @param name the name for people
     * @param mode whether the budget is enforced or only tracked; only an administrator may change it
     * @param groups the groups of the issuer whose people are members, at most 50; only an administrator may change them
     * @param groupsMode what a token of the issuer does to memberships by hand; only an administrator may change it
     * @param approval which reservations the owners must approve, as a whole; without rules, none
     */
    @Schema(name = "ChangedProject", example = "{\"name\":\"Climate and weather\"}")
    record ChangedProjectBody(
            @Nullable String name,
            @Nullable BudgetMode mode,
            @Nullable List<@Nullable GroupBody> groups,
            @Nullable GroupsMode groupsMode,
            @Nullable ProjectApprovalBody approval) {}

    /**
     * A group of the issuer whose people are members of a project.
     *
     * @param group the group as the tokens name it; letter case matters
     * @param role what its people may do; the strongest role counts for people of several groups
     */
    @Schema(name = "ProjectGroup", example = "{\"group\":\"/hpc/climate\",\"role\":\"MEMBER\"}")
    record GroupBody(
            @Required @Nullable String group,
            @Required @Nullable ProjectRole role) {}

    /**
     * A project: a label, and the accounts that file reservations under it and see what is filed there.
     *
     * @param id the label
     * @param name the name for people
     * @param mode whether the budget is enforced or only tracked
     * @param groups the groups of the issuer whose people are members; a person becomes one at its next token
     * @param groupsMode what a token of the issuer does to memberships by hand
     * @param members the members, sorted by account name, at most 500
     * @param createdAt when the project was created
     * @param approval which reservations the owners must approve
     */
    @Schema(name = "Project")
    record ProjectBody(
            String id,
            String name,
            BudgetMode mode,
            List<GroupBody> groups,
            GroupsMode groupsMode,
            List<ProjectMemberBody> members,
            Instant createdAt,
            ProjectApprovalBody approval) {

        static ProjectBody of(Project project, Accounts accounts) {
            return new ProjectBody(
                    project.id(),
                    project.name(),
                    project.mode(),
                    project.groups().roles().entrySet().stream()
                            .map(role -> new GroupBody(role.getKey(), role.getValue()))
                            .toList(),
                    project.groups().mode(),
                    project.inOrder().entrySet().stream()
                            .map(member -> ProjectMemberBody.of(member.getKey(), member.getValue(), accounts))
                            .toList(),
                    Texts.instant(project.createdAt()),
                    ProjectApprovalBody.of(project.approval()));
        }
    }

    /**
     * A member of a project.
     *
     * @param account the account's name; the account may have been deleted since
     * @param displayName the name of the person, for people
     * @param role what the member may do
     * @param origin whether somebody made the account a member by hand, or a group of the issuer
     */
    @Schema(name = "ProjectMember")
    record ProjectMemberBody(
            String account,

            @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable
            String displayName,

            ProjectRole role,
            MemberOrigin origin) {

        static ProjectMemberBody of(AccountName account, Member member, Accounts accounts) {
            return new ProjectMemberBody(
                    account.value(),
                    accounts.find(account).flatMap(Account::displayName).orElse(null),
                    member.role(),
                    member.origin());
        }
    }

    /**
     * The role of an account in a project.
     *
     * @param role what the account may do
     */
    @Schema(name = "Membership", example = "{\"role\":\"MEMBER\"}")
    record MembershipBody(@Required @Nullable ProjectRole role) {}

    /**
     * Creates a project. From then on, only its owners and members, and administrators, may file reservations under its label. Reservations
     * that were filed under the label before belong to the project.
     */
    @PostMapping
    @ResponseStatus(HttpStatus.CREATED)
    @Refuses({EXISTS, INVALID_TERMS})
    ProjectBody createProject(@RequestBody NewProjectBody body) {
        var fields = new Fields(body);
        var id = newId(fields, body.id);
        var name = name(body.name, fields);
        fields.check();
        var mode = body.mode == null ? BudgetMode.TRACK : body.mode;
        var project = Project.fresh(id, name, mode, clock.instant().getEpochSecond());
        return done(projects.create(project));
    }

    private static String name(@Nullable String given, Fields fields) {
        return fields.label("name", fields.required("name", given, "none")).orElse("none");
    }

    /** Lists projects, sorted by id. An account sees the projects of which it is a member; an administrator sees all. */
    @GetMapping
    Page<ProjectBody> listProjects(
            @RequestParam @Nullable String limit,
            @RequestParam @Nullable String after,
            @AuthenticationPrincipal Account account) {
        int most = Page.limit(limit);
        var greaterThan = Optional.ofNullable(after);
        greaterThan.filter(id -> !Project.isWellFormed(id)).ifPresent(id -> {
            throw Page.badCursor(id);
        });
        return Page.of(projects.list(account, greaterThan, most + 1), most, this::body, Project::id);
    }

    /** Reads a project. Members and administrators may do this. */
    @GetMapping("/{id}")
    ProjectBody readProject(@PathVariable String id, @AuthenticationPrincipal Account account) {
        return body(projects.find(id, account).orElseThrow(() -> Problem.notFound("project", id)));
    }

    /**
     * Changes the name, the budget mode, the groups or the rules for approval of a project. Owners and administrators may change the name and
     * the rules; only administrators may change the others. If no group is left, the members that come from one are removed.
     */
    @PatchMapping("/{id}")
    @Refuses(INVALID_TERMS)
    ProjectBody changeProject(
            @PathVariable String id, @RequestBody ChangedProjectBody body, @AuthenticationPrincipal Account account) {
        var fields = new Fields(body);
        var name = fields.label("name", body.name);
        var roles = Optional.ofNullable(body.groups).map(given -> groups(given, fields));
        var approval = Optional.ofNullable(body.approval).map(given -> given.toRules(fields));
        if (body.name == null
                && body.mode == null
                && roles.isEmpty()
                && body.groupsMode == null
                && body.approval == null) {
            fields.malformed("name", null, "is required, unless mode, groups, groupsMode or approval is given");
        }
        fields.check();
        var mode = Optional.ofNullable(body.mode);
        // the mode and the groups first, because their change may be refused
        var withMode = mode.map(newMode -> done(projects.setMode(id, account, newMode)));
        var withGroups = roles.isEmpty() && body.groupsMode == null
                ? withMode
                : Optional.of(done(projects.setGroups(
                        id,
                        account,
                        before -> new ProjectGroups(
                                body.groupsMode == null ? before.mode() : body.groupsMode,
                                roles.orElse(before.roles())))));
        var withRules = approval.map(rules -> done(projects.setApproval(id, account, rules)))
                .or(() -> withGroups);
        return name.map(newName -> done(projects.rename(id, account, newName)))
                .or(() -> withRules)
                .orElseThrow();
    }

    private static PSortedMap<String, ProjectRole> groups(List<@Nullable GroupBody> given, Fields fields) {
        if (given.size() > ProjectGroups.MAX) {
            fields.invalid("groups", given.size() + " groups", "must have at most " + ProjectGroups.MAX);
        }
        var roles = new TreeMap<String, ProjectRole>();
        fields.each("groups", given, (body, at) -> {
            var name = fields.label(at + "group", fields.required(at + "group", body.group, "none"))
                    .orElse("none");
            var role = fields.required(at + "role", body.role, ProjectRole.VIEWER);
            if (roles.put(name, role) != null) {
                fields.invalid(at + "group", name, "is there twice. Leave one out.");
            }
            return role;
        });
        return TreePMap.from(roles);
    }

    /** Adds an account to a project, or gives a member another role. The project's owners and administrators may do this. */
    @PutMapping("/{id}/members/{account}")
    @Refuses({INVALID_TERMS, LIMIT_EXCEEDED})
    ProjectBody putProjectMember(
            @PathVariable String id,
            @PathVariable String account,
            @RequestBody MembershipBody body,
            @AuthenticationPrincipal Account caller) {
        var fields = new Fields(body);
        var role = fields.required("role", body.role, ProjectRole.VIEWER);
        fields.check();
        return done(projects.put(id, caller, new AccountName(account), role));
    }

    /** Removes a member from a project. Its reservations stay its own. The project's owners and administrators may do this. */
    @DeleteMapping("/{id}/members/{account}")
    @ResponseStatus(HttpStatus.NO_CONTENT)
    void removeProjectMember(
            @PathVariable String id, @PathVariable String account, @AuthenticationPrincipal Account caller) {
        var unused = done(projects.remove(id, caller, new AccountName(account)));
    }

    private ProjectBody done(Outcome<Project, Refusal> outcome) {
        return body(Problem.done(outcome));
    }

    private ProjectBody body(Project project) {
        return ProjectBody.of(project, accounts);
    }

    /** Reads the required field {@code id} of a project or a grant, whose id the client chooses. */
    static String newId(Fields fields, @Nullable String given) {
        var id = fields.required("id", given, "none");
        if (!Project.isWellFormed(id)) {
            fields.invalid(
                    "id",
                    id,
                    "must have 1 to 63 letters, digits, dots, hyphens and underscores, a letter or digit first");
        }
        return id;
    }
}
