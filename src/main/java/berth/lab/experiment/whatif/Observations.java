package berth.lab.experiment.whatif;

import java.util.List;

/**
 * The requests of a run that were offered slots.
 *
 * @param requests the requests in order
 */
record Observations(List<Observation> requests) {
    Observations {
        requests = List.copyOf(requests);
    }
}
