package berth.database;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.OptionalInt;
import java.util.Properties;
import java.util.stream.Stream;
import org.flywaydb.core.Flyway;
import org.flywaydb.core.api.MigrationVersion;
import org.springframework.boot.jdbc.autoconfigure.JdbcConnectionDetails;

/**
 * The versions of the database's schema and the migrations between them. The first migration makes the tables of Berth 0.1.0, so that each
 * database and export since then can be opened.
 */
public final class Schema {

    /** The version of Berth 0.1.0. */
    public static final int FIRST = 45;

    private Schema() {}

    public static Flyway flyway(JdbcConnectionDetails database) {
        return flyway(database, MigrationVersion.LATEST);
    }

    public static Flyway flyway(JdbcConnectionDetails database, MigrationVersion target) {
        return Flyway.configure()
                .dataSource(database.getJdbcUrl(), database.getUsername(), database.getPassword())
                .target(target)
                .load();
    }

    public static Connection connect(JdbcConnectionDetails database) throws SQLException {
        return DriverManager.getConnection(database.getJdbcUrl(), credentials(database));
    }

    /** Returns the user and password as driver properties. */
    public static Properties credentials(JdbcConnectionDetails database) {
        var properties = new Properties();
        if (database.getUsername() != null) {
            properties.setProperty("user", database.getUsername());
        }
        if (database.getPassword() != null) {
            properties.setProperty("password", database.getPassword());
        }
        return properties;
    }

    /** Returns the version of a database; empty if it has nothing of Berth. */
    public static OptionalInt version(Flyway flyway) {
        var current = flyway.info().current();
        return current == null
                ? OptionalInt.empty()
                : OptionalInt.of(current.getVersion().getMajor().intValueExact());
    }

    /** Returns the version that this Berth uses. */
    public static int known(Flyway flyway) {
        int known = 0;
        for (var migration : flyway.info().all()) {
            if (!migration.getState().isResolved()) {
                continue;
            }
            known = Math.max(known, migration.getVersion().getMajor().intValueExact());
        }
        return known;
    }

    /**
     * Migrates a database to the version that this Berth uses. In a database of 0.1.0, the first version was reached in smaller steps; they
     * are marked as removed first.
     */
    public static void migrate(Flyway flyway) {
        if (Stream.of(flyway.info().applied()).anyMatch(each -> !each.getState().isResolved())) {
            flyway.repair();
        }
        flyway.migrate();
    }

    /**
     * Checks that a database comes neither from a later Berth nor from one before 0.1.0.
     *
     * @throws StartRefused if it does
     */
    public static void requireKnown(Flyway flyway) {
        int known = known(flyway);
        version(flyway).ifPresent(version -> {
            if (version < FIRST) {
                throw new StartRefused(
                        "The database has version %d of the schema, made by a Berth before 0.1.0, but this one knows versions from %d on."
                                .formatted(version, FIRST),
                        "Start Berth 0.1.0 once; it migrates the database.");
            }
            if (version > known) {
                throw new StartRefused(
                        "The database has version %d of the schema, made by a later Berth, but this one knows versions up to %d."
                                .formatted(version, known),
                        "Start the later Berth, or import an export from before its migration into an empty database; the"
                                + " directory of backups has one.");
            }
        });
    }

    /**
     * Returns the version of a database, which must be that of this Berth.
     *
     * @throws StartRefused if it is another one
     */
    static int requireCurrent(JdbcConnectionDetails database) {
        var flyway = flyway(database);
        requireKnown(flyway);
        int known = known(flyway);
        var version = version(flyway);
        if (version.isEmpty()) {
            throw new StartRefused(
                    "The database has no tables of Berth.",
                    "Set BERTH_DATA_DIR or SPRING_DATASOURCE_URL as for the service.");
        }
        if (version.getAsInt() < known) {
            throw new StartRefused(
                    "The database has version %d of the schema, but this Berth works with version %d."
                            .formatted(version.getAsInt(), known),
                    "Start the service of this version once; it migrates the database.");
        }
        return known;
    }
}
