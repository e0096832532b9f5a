package berth.projects.store;

import berth.approval.ApprovalRules;
import berth.budget.BudgetMode;
import berth.database.Database;
import berth.database.Sql;
import berth.projects.GroupsMode;
import berth.projects.Member;
import berth.projects.MemberOrigin;
import berth.projects.Project;
import berth.projects.ProjectGroups;
import berth.projects.ProjectRole;
import berth.projects.ProjectStore;
import berth.sla.AccountName;
import berth.store.JournalFormat;
import berth.store.Seconds;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Timestamp;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.pcollections.TreePMap;
import tools.jackson.databind.json.JsonMapper;

/** Stores projects in PostgreSQL. */
public record PostgresProjects(Database database) implements ProjectStore {

    /** One statement, so that the result is of one moment. */
    private static final String ALL = """
            select project.id, project.name, project.created_at, member.account, member.role, project.mode, member.origin, project.groups,
                project.approval
            from project left join project_member member on member.project = project.id
            """;

    private static final JsonMapper JSON = JsonMapper.shared();

    /** The groups of a project, as JSON. */
    private record Kept(GroupsMode mode, Map<String, ProjectRole> roles) {}

    private static final String PUT = """
            insert into project_member (project, account, role, origin) values (?, ?, ?, ?)
            on conflict (project, account) do update set role = excluded.role, origin = excluded.origin
            """;

    @Override
    public List<Project> all() {
        return database.inTransaction(session -> session.doReturningWork(connection -> {
            // waits until every open transaction that has written here has ended, whoever began it
            Sql.update(connection, "lock table project, project_member in share mode");
            return projects(connection);
        }));
    }

    @Override
    public List<Project> recorded() {
        return database.read(session -> session.doReturningWork(PostgresProjects::projects));
    }

    private static List<Project> projects(Connection connection) throws SQLException {
        var projects = new HashMap<String, Project>();
        try (var statement = Sql.prepare(connection, ALL);
                var found = statement.executeQuery()) {
            while (found.next()) {
                var id = found.getString(1);
                var project = projects.getOrDefault(
                        id,
                        Project.fresh(
                                        id,
                                        found.getString(2),
                                        BudgetMode.valueOf(found.getString(6)),
                                        found.getTimestamp(3).toInstant().getEpochSecond())
                                .withGroups(groups(found.getString(8)))
                                .withApproval(approval(found.getString(9))));
                var account = found.getString(4);
                projects.put(
                        id,
                        account == null
                                ? project
                                : project.withMember(
                                        new AccountName(account),
                                        new Member(
                                                ProjectRole.valueOf(found.getString(5)),
                                                found.getString(7) == null ? MemberOrigin.HAND : MemberOrigin.GROUP)));
            }
        }
        return List.copyOf(projects.values());
    }

    private static ApprovalRules approval(@Nullable String stored) {
        return stored == null ? ApprovalRules.NONE : JournalFormat.read(stored, ApprovalRules.class);
    }

    private static ProjectGroups groups(@Nullable String text) {
        if (text == null) {
            return ProjectGroups.NONE;
        }
        var kept = JSON.readValue(text, Kept.class);
        return new ProjectGroups(kept.mode, TreePMap.from(kept.roles));
    }

    private static @Nullable String text(ProjectGroups groups) {
        return groups.equals(ProjectGroups.NONE)
                ? null
                : JSON.writeValueAsString(new Kept(groups.mode(), groups.roles()));
    }

    private void write(String sql, @Nullable Object... parameters) {
        database.write(session -> session.doReturningWork(connection -> Sql.update(connection, sql, parameters)));
    }

    @Override
    public void create(Project project) {
        write(
                "insert into project (id, name, mode, created_at) values (?, ?, ?, ?)",
                project.id(),
                project.name(),
                project.mode().name(),
                Timestamp.from(Seconds.instant(project.createdAt())));
    }

    @Override
    public void rename(String project, String name) {
        write("update project set name = ? where id = ?", name, project);
    }

    @Override
    public void setMode(String project, BudgetMode mode) {
        write("update project set mode = ? where id = ?", mode.name(), project);
    }

    @Override
    public void setApproval(String project, ApprovalRules rules) {
        write(
                "update project set approval = nullif(?, ?) where id = ?",
                JournalFormat.json(rules),
                JournalFormat.json(ApprovalRules.NONE),
                project);
    }

    @Override
    public void setGroups(String project, ProjectGroups groups) {
        database.write(session -> session.doReturningWork(connection -> {
            if (groups.isEmpty()) {
                Sql.update(connection, "delete from project_member where project = ? and origin = 'GROUP'", project);
            }
            return Sql.update(connection, "update project set groups = ? where id = ?", text(groups), project);
        }));
    }

    @Override
    public void put(String project, AccountName account, Member member) {
        var origin =
                member.origin() == MemberOrigin.HAND ? null : member.origin().name();
        write(PUT, project, account.value(), member.role().name(), origin);
    }

    @Override
    public void remove(String project, AccountName account) {
        write("delete from project_member where project = ? and account = ?", project, account.value());
    }
}
