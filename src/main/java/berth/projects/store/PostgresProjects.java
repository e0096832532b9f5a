package berth.projects.store;

import berth.budget.BudgetMode;
import berth.database.Database;
import berth.database.Sql;
import berth.projects.Project;
import berth.projects.ProjectRole;
import berth.projects.ProjectStore;
import berth.sla.AccountName;
import berth.store.Seconds;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Timestamp;
import java.util.HashMap;
import java.util.List;

/** Stores projects in PostgreSQL. */
public record PostgresProjects(Database database) implements ProjectStore {

    /** One statement, so that the result is of one moment. */
    private static final String ALL = """
            select project.id, project.name, project.created_at, member.account, member.role, project.mode
            from project left join project_member member on member.project = project.id
            """;

    private static final String PUT = """
            insert into project_member (project, account, role) values (?, ?, ?)
            on conflict (project, account) do update set role = excluded.role
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
                                found.getTimestamp(3).toInstant().getEpochSecond()));
                var account = found.getString(4);
                projects.put(
                        id,
                        account == null
                                ? project
                                : project.withMember(
                                        new AccountName(account), ProjectRole.valueOf(found.getString(5))));
            }
        }
        return List.copyOf(projects.values());
    }

    private void write(String sql, Object... parameters) {
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
    public void put(String project, AccountName account, ProjectRole role) {
        write(PUT, project, account.value(), role.name());
    }

    @Override
    public void remove(String project, AccountName account) {
        write("delete from project_member where project = ? and account = ?", project, account.value());
    }
}
