package berth.lab.experiment.flexible;

import berth.lab.experiment.Sample;
import java.util.Optional;
import java.util.function.Function;

/**
 * The evidence by which claims are judged.
 *
 * @param utilisation in percent, a value for each window: PE-seconds of the accepted runs / (PEs · time in which requests arrived), unless
 *     a reading differs
 * @param phi the mean |φ| of accepted alternatives in percent, a value for each window with some; empty if there are none
 * @param windows the number of windows
 */
record FlexibleEvidence(Function<Scenario, Sample> utilisation, Function<Scenario, Optional<Sample>> phi, int windows) {

    /** Whether there are intervals by which to judge. */
    boolean isRepeated() {
        return windows > 1;
    }

    /** Returns the utilisation of a scenario. */
    Sample used(Scenario scenario) {
        return utilisation.apply(scenario);
    }

    /** Returns the utilisation under EDF. */
    Sample edf(Interval interval, double load) {
        return used(Scenario.of(interval, load));
    }

    /** Returns how far the mean utilisation under EDF is above that of fixed requests, in points. */
    double gain(Interval interval, double load) {
        return edf(interval, load).mean() - edf(Interval.FIXED, load).mean();
    }
}
