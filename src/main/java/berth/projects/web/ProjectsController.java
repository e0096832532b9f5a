package berth.projects.web;

import static berth.http.ProblemCode.EXISTS;
import static berth.http.ProblemCode.INVALID_TERMS;
import static berth.http.ProblemCode.LIMIT_EXCEEDED;

import berth.accounts.Account;
import berth.budget.BudgetMode;
import berth.http.Fields;
import berth.http.Page;
import berth.http.Problem;
import berth.http.Refuses;
import berth.http.Required;
import berth.http.Texts;
import berth.outcome.Outcome;
import berth.outcome.Refusal;
import berth.projects.Project;
import berth.projects.ProjectRole;
import berth.projects.Projects;
import berth.sla.AccountName;
import io.swagger.v3.oas.annotations.media.Schema;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
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
    private final InstantSource clock;

    ProjectsController(Projects projects, InstantSource clock) {
        this.projects = projects;
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
     */
    @Schema(name = "ChangedProject", example = "{\"name\":\"Climate and weather\"}")
    record ChangedProjectBody(
            @Nullable String name, @Nullable BudgetMode mode) {}

    /**
     * A project: a label, and the accounts that file reservations under it and see what is filed there.
     *
     * @param id the label
     * @param name the name for people
     * @param mode whether the budget is enforced or only tracked
     * @param members the members, sorted by account name, at most 500
     * @param createdAt when the project was created
     */
    @Schema(name = "Project")
    record ProjectBody(String id, String name, BudgetMode mode, List<ProjectMemberBody> members, Instant createdAt) {

        static ProjectBody of(Project project) {
            return new ProjectBody(
                    project.id(),
                    project.name(),
                    project.mode(),
                    project.inOrder().entrySet().stream()
                            .map(member -> new ProjectMemberBody(member.getKey().value(), member.getValue()))
                            .toList(),
                    Texts.instant(project.createdAt()));
        }
    }

    /**
     * A member of a project.
     *
     * @param account the account's name; the account may have been deleted since
     * @param role what the member may do
     */
    @Schema(name = "ProjectMember")
    record ProjectMemberBody(String account, ProjectRole role) {}

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
        return Page.of(projects.list(account, greaterThan, most + 1), most, ProjectBody::of, Project::id);
    }

    /** Reads a project. Members and administrators may do this. */
    @GetMapping("/{id}")
    ProjectBody readProject(@PathVariable String id, @AuthenticationPrincipal Account account) {
        return ProjectBody.of(projects.find(id, account).orElseThrow(() -> Problem.notFound("project", id)));
    }

    /**
     * Changes the name or the budget mode of a project. Owners and administrators may change the name; only administrators may change the
     * mode.
     */
    @PatchMapping("/{id}")
    ProjectBody changeProject(
            @PathVariable String id, @RequestBody ChangedProjectBody body, @AuthenticationPrincipal Account account) {
        var fields = new Fields(body);
        var name = fields.label("name", body.name);
        if (body.name == null && body.mode == null) {
            fields.malformed("name", null, "is required, unless mode is given");
        }
        fields.check();
        var mode = Optional.ofNullable(body.mode);
        // the mode first, because its change may be refused
        var changed = mode.map(newMode -> done(projects.setMode(id, account, newMode)));
        return name.map(newName -> done(projects.rename(id, account, newName)))
                .or(() -> changed)
                .orElseThrow();
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

    private static ProjectBody done(Outcome<Project, Refusal> outcome) {
        return ProjectBody.of(Problem.done(outcome));
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
