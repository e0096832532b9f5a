package berth.contract;

import berth.booking.Coallocations;
import berth.booking.Renegotiations;
import berth.booking.Reservations;
import berth.clusters.JobLookup;
import berth.engine.Backups;
import berth.engine.ProjectLedger;
import berth.engine.Records;
import berth.engine.ReportRecords;
import berth.instances.Instances;
import berth.mail.Mailboxes;
import berth.refusals.PostgresRefusals;
import berth.series.Maintenances;
import berth.series.SeriesBookings;
import io.swagger.v3.oas.models.PathItem.HttpMethod;
import java.util.Arrays;
import java.util.Optional;
import java.util.Set;

/**
 * How recent the data is that a reading call returns. This depends on the source that the call reads: the schedules in memory, the tables
 * for reading, or something else.
 */
final class Freshness {

    /** The types that read the tables for reading. */
    private static final Set<Class<?>> TABLES = Set.of(
            Records.class,
            Reservations.class,
            Renegotiations.class,
            Coallocations.class,
            SeriesBookings.class,
            ProjectLedger.class,
            ReportRecords.class,
            Maintenances.class,
            JobLookup.class,
            Mailboxes.class);

    /** The calls that try something on the schedules without changing them. */
    private static final Set<String> TRIALS = Set.of("probe", "map", "findOutageSlots");

    private Freshness() {}

    /**
     * Returns the sentences of the document on how recent a call's data is; empty for calls that change something.
     *
     * @param name the name of the controller's method
     * @param controller the controller, whose constructor parameters show the sources it reads
     */
    static Optional<String> of(HttpMethod method, String path, String name, Class<?> controller) {
        if (TRIALS.contains(name)) {
            return Optional.of(
                    "Berth tries it in memory, on schedules that include all changes acknowledged before the call.");
        }
        if (method != HttpMethod.GET) {
            return Optional.empty();
        }
        if (path.endsWith("/stream")) {
            return Optional.of(
                    "Berth sends an event once it is recorded and in the tables for reading. The events of each cluster"
                            + " come in order and without gaps.");
        }
        if (name.equals("readReservation")) {
            return Optional.of(
                    "Berth reads a live reservation from memory and any other reservation from its tables. Both include all"
                            + " changes acknowledged before the call. If the tables are not up to date within five seconds,"
                            + " the response is 503.");
        }
        if (isMadeOf(controller, Set.of(Instances.class))) {
            return Optional.of("The data about each instance is at most two seconds old.");
        }
        if (isMadeOf(controller, Set.of(Backups.class))) {
            return Optional.of("The list shows the files that exist at the time of the call.");
        }
        if (isMadeOf(controller, Set.of(PostgresRefusals.class))) {
            return Optional.of("The response has a refused request once it is recorded, which takes up to a second.");
        }
        return Optional.of(
                isMadeOf(controller, TABLES)
                        ? "The response includes all changes acknowledged before the call. If the tables for reading are not"
                                + " up to date within five seconds, the response is 503."
                        : "Berth reads it from memory, including all changes acknowledged before the call.");
    }

    private static boolean isMadeOf(Class<?> controller, Set<Class<?>> parts) {
        return Arrays.stream(controller.getDeclaredConstructors())
                .flatMap(constructor -> Arrays.stream(constructor.getParameterTypes()))
                .anyMatch(parts::contains);
    }
}
