package berth.rest;

import static berth.rest.ProblemCode.EXISTS;
import static berth.rest.ProblemCode.INVALID_TERMS;
import static berth.rest.ProblemCode.LIMIT_EXCEEDED;

import berth.budget.BudgetMode;
import berth.rest.Problem.FieldError;
import berth.security.Account;
import berth.security.Project;
import berth.security.ProjectRole;
import berth.security.Projects;
import berth.security.Projects.Outcome;
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

/** Projects: an administrator makes them; their owners name them and their members. */
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
     * A project to be made.
     *
     * @param id the label that its members file under
     * @param name for people
     * @param mode whether its budget is kept to, or only counted, as it is if this is left out
     */
    @Schema(name = "NewProject", example = "{\"id\":\"climate\",\"name\":\"Climate models\",\"mode\":\"ENFORCE\"}")
    record NewProjectBody(
            @Required @Nullable String id,
            @Required @Nullable String name,
            @Nullable BudgetMode mode) {}

    /**
     * A project as it is changed: what is left out stays as it is.
     *
     * @param name for people
     * @param mode whether its budget is kept to, or only counted; only an administrator changes it
     */
    @Schema(name = "ChangedProject", example = "{\"name\":\"Climate and weather\"}")
    record ChangedProjectBody(
            @Nullable String name, @Nullable BudgetMode mode) {}

    /**
     * Accounts that file under the same label, and see what is filed there.
     *
     * @param id the label
     * @param name for people
     * @param mode whether its budget is kept to, or only counted
     * @param members in the order of their accounts' names, at most 500
     * @param createdAt when it was made
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
     * @param account its name; it may have been deleted since
     * @param role what it may do
     */
    @Schema(name = "ProjectMember")
    record ProjectMemberBody(String account, ProjectRole role) {}

    /**
     * What an account may do in a project.
     *
     * @param role what it may do
     */
    @Schema(name = "Membership", example = "{\"role\":\"MEMBER\"}")
    record MembershipBody(@Required @Nullable ProjectRole role) {}

    /**
     * Makes a project. From now on its owners and members alone, and administrators, file under this label; what was filed under it before counts
     * to it.
     */
    @PostMapping
    @ResponseStatus(HttpStatus.CREATED)
    @Refuses({EXISTS, INVALID_TERMS})
    ProjectBody createProject(@RequestBody NewProjectBody body) {
        var fields = new Fields(body);
        var id = fields.newId(body.id);
        var name = name(body.name, fields);
        fields.check();
        var mode = body.mode == null ? BudgetMode.TRACK : body.mode;
        var project = Project.fresh(id, name, mode, clock.instant().getEpochSecond());
        if (!projects.create(project)) {
            throw new Problem(
                    EXISTS, "Choose another id, or change the project.", List.of(new FieldError("id", id, "is taken")));
        }
        return ProjectBody.of(project);
    }

    private static String name(@Nullable String given, Fields fields) {
        return fields.label("name", fields.required("name", given, "none")).orElse("none");
    }

    /** Lists projects, in the order of their ids. An account sees those that it is a member of, an administrator all. */
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

    /** Reads a project, for its members and administrators. */
    @GetMapping("/{id}")
    ProjectBody readProject(@PathVariable String id, @AuthenticationPrincipal Account account) {
        return ProjectBody.of(projects.find(id, account).orElseThrow(() -> Problem.notFound("project", id)));
    }

    /** Names a project anew, for its owners and administrators; or says whether its budget is kept to, for administrators. */
    @PatchMapping("/{id}")
    ProjectBody changeProject(
            @PathVariable String id, @RequestBody ChangedProjectBody body, @AuthenticationPrincipal Account account) {
        var fields = new Fields(body);
        var name = fields.label("name", body.name);
        if (body.name == null && body.mode == null) {
            fields.malformed("name", null, "is required, unless there is a mode");
        }
        fields.check();
        var mode = Optional.ofNullable(body.mode);
        // first what may be refused
        var changed = mode.map(wanted -> done(projects.setMode(id, account, wanted), id, ""));
        return name.map(wanted -> done(projects.rename(id, account, wanted), id, ""))
                .or(() -> changed)
                .orElseThrow();
    }

    /** Makes an account a member, or gives a member another role: for the project's owners and administrators. */
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
        return done(projects.put(id, caller, new AccountName(account), role), id, account);
    }

    /** Has an account be no member any more: for the project's owners and administrators. What it has filed stays its own. */
    @DeleteMapping("/{id}/members/{account}")
    @ResponseStatus(HttpStatus.NO_CONTENT)
    void removeProjectMember(
            @PathVariable String id, @PathVariable String account, @AuthenticationPrincipal Account caller) {
        var unused = done(projects.remove(id, caller, new AccountName(account)), id, account);
    }

    private static ProjectBody done(Outcome outcome, String project, String account) {
        return switch (outcome) {
            case Outcome.Done(var after) -> ProjectBody.of(after);
            case Outcome.NoProject() -> throw Problem.notFound("project", project);
            case Outcome.NotAllowed() ->
                throw new Problem(
                        ProblemCode.FORBIDDEN, "Only an owner of the project does that, or an administrator.");
            case Outcome.NoAccount() ->
                throw Problem.field(
                        INVALID_TERMS,
                        "account",
                        Texts.shown(account),
                        "is no account that may have reservations; create it first, as CLIENT or ADMIN");
            case Outcome.NoMember() -> throw Problem.notFound("member", account);
            case Outcome.Enough() ->
                throw new Problem(
                        LIMIT_EXCEEDED,
                        "The project has %d members, which is the most; remove one.".formatted(Project.MAX_MEMBERS));
        };
    }
}
