package berth.rest.document;

import berth.broker.Coallocations;
import berth.broker.Renegotiations;
import berth.broker.Reservations;
import berth.desk.Backups;
import berth.desk.Instances;
import berth.desk.ProjectLedger;
import berth.desk.Records;
import berth.series.Maintenances;
import berth.series.SeriesBookings;
import io.swagger.v3.oas.models.PathItem.HttpMethod;
import java.util.Arrays;
import java.util.Optional;
import java.util.Set;

/** What a call that only reads promises of what was acknowledged before it was made: that depends on who answers it. */
final class Freshness {

    /** What knows the tables for reading. */
    private static final Set<Class<?>> TABLES = Set.of(
            Records.class,
            Reservations.class,
            Renegotiations.class,
            Coallocations.class,
            SeriesBookings.class,
            ProjectLedger.class,
            Maintenances.class);

    /** Calls that try something on the schedules, and change nothing. */
    private static final Set<String> TRIALS = Set.of("probe", "map", "findOutageSlots");

    private Freshness() {}

    /**
     * The sentences about it.
     *
     * @param name of the controller's method
     * @param controller which is made of those who answer
     */
    static Optional<String> of(HttpMethod method, String path, String name, Class<?> controller) {
        if (TRIALS.contains(name)) {
            return Optional.of(
                    "It is tried in memory, on schedules that have all that was acknowledged before the call was made.");
        }
        if (method != HttpMethod.GET) {
            return Optional.empty();
        }
        if (path.endsWith("/stream")) {
            return Optional.of(
                    "An event is told once it is recorded and in the tables for reading, each cluster's in order, and none"
                            + " is left out.");
        }
        if (name.equals("readReservation")) {
            return Optional.of(
                    "A live reservation is told from memory, with all that was acknowledged before the call was made. Any"
                            + " other is read from the tables, which have all of that, too; where they do not within five seconds the answer"
                            + " is 503.");
        }
        if (isMadeOf(controller, Set.of(Instances.class))) {
            return Optional.of("It tells what was heard of each within the last second or two.");
        }
        if (isMadeOf(controller, Set.of(Backups.class))) {
            return Optional.of("It tells which files there are when the call is made.");
        }
        return Optional.of(
                isMadeOf(controller, TABLES)
                        ? "It tells all that was acknowledged before the call was made; where the tables for reading do not have that"
                                + " within five seconds the answer is 503."
                        : "It is told from memory, with all that was acknowledged before the call was made.");
    }

    private static boolean isMadeOf(Class<?> controller, Set<Class<?>> parts) {
        return Arrays.stream(controller.getDeclaredConstructors())
                .flatMap(constructor -> Arrays.stream(constructor.getParameterTypes()))
                .anyMatch(parts::contains);
    }
}
