package berth.lab.experiment.advisor;

import berth.lab.experiment.StudyOptions;
import java.util.List;
import java.util.Optional;
import picocli.CommandLine.Option;

/** The options of the comparison with the upper bound. */
final class BoundOptions {
    private static final int MAX_REQUESTS = 200;
    private static final int MAX_WINDOWS = 1000;

    @Option(
            names = "--bound-requests",
            paramLabel = "N",
            defaultValue = "60",
            description =
                    "How many requests of a window to compare with the largest number that could be accepted, found by"
                            + " an exact solver that knows them all in advance: 0 (none) to " + MAX_REQUESTS
                            + "; default ${DEFAULT-VALUE}.")
    private int requests;

    @Option(
            names = "--bound-windows",
            paramLabel = "N",
            description = "In how many of the windows to do so, 0 to " + MAX_WINDOWS + "; by default in all.")
    private Optional<Integer> windows = Optional.empty();

    /** Returns the study, unless it is switched off. */
    Optional<BoundStudy> of(StudyOptions study, Workload workload, List<Setting> settings) {
        int compared = study.within("--bound-requests", requests, 0, MAX_REQUESTS);
        int wanted = study.within("--bound-windows", windows.orElse(MAX_WINDOWS), 0, MAX_WINDOWS);
        return compared == 0 || wanted == 0
                ? Optional.empty()
                : Optional.of(new BoundStudy(workload, settings, compared, wanted, study.seed()));
    }
}
