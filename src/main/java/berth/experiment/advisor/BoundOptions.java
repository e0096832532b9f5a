package berth.experiment.advisor;

import berth.experiment.StudyOptions;
import java.util.List;
import java.util.Optional;
import picocli.CommandLine.Option;

/** How much is compared with the upper bound. */
final class BoundOptions {
    private static final int MOST_REQUESTS = 200;
    private static final int MOST_WINDOWS = 1000;

    @Option(
            names = "--bound-requests",
            paramLabel = "N",
            defaultValue = "60",
            description =
                    "How many requests of a window are compared with the most that can be accepted of them, found by"
                            + " an exact solver that knows them all ahead: 0, for none, to " + MOST_REQUESTS
                            + "; ${DEFAULT-VALUE} unless given.")
    private int requests;

    @Option(
            names = "--bound-windows",
            paramLabel = "N",
            description = "In how many of the windows, 0 to " + MOST_WINDOWS + "; in all unless given.")
    private Optional<Integer> windows = Optional.empty();

    /** The study, unless none is wanted. */
    Optional<BoundStudy> of(StudyOptions study, Workload workload, List<Setting> settings) {
        int wanted = windows.orElse(MOST_WINDOWS);
        if (requests == 0 || wanted == 0) {
            return Optional.empty();
        }
        return Optional.of(new BoundStudy(
                workload,
                settings,
                study.within("--bound-requests", requests, MOST_REQUESTS),
                study.within("--bound-windows", wanted, MOST_WINDOWS),
                study.seed()));
    }
}
