package berth.experiment.flexible;

import berth.experiment.Sample;
import java.util.Optional;
import java.util.function.Function;

/**
 * What the claims are judged by.
 *
 * @param utilisation in percent, a value for each window: PE-seconds that the accepted runs took / (PEs · the time in
 *     which requests came), unless it is read otherwise
 * @param phi mean |φ| in percent of those who took an alternative, a value for each window that had some; empty: none
 * @param windows how many there are
 */
record Evidence(Function<Scenario, Sample> utilisation, Function<Scenario, Optional<Sample>> phi, int windows) {

    /** Whether there are intervals to judge by. */
    boolean isRepeated() {
        return windows > 1;
    }

    /** Utilisation by runs of a scenario. */
    Sample used(Scenario scenario) {
        return utilisation.apply(scenario);
    }

    /** The same under EDF. */
    Sample edf(Interval interval, double load) {
        return used(Scenario.of(interval, load));
    }

    /** By how much its mean is above that of fixed requests. */
    double gain(Interval interval, double load) {
        return edf(interval, load).mean() - edf(Interval.FIXED, load).mean();
    }
}
