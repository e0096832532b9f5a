package berth.experiment.whatif;

import java.util.List;

/**
 * The requests of a run that were offered slots.
 *
 * @param requests in the order in which they were made
 */
record Observations(List<Observation> requests) {
    Observations {
        requests = List.copyOf(requests);
    }
}
