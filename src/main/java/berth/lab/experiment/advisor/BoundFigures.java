package berth.lab.experiment.advisor;

import berth.lab.experiment.advisor.MostAccepted.Proof;
import java.util.List;

/**
 * The number of some requests that can be accepted, and the numbers that the settings accept.
 *
 * @param requests the number of requests
 * @param most see {@link MostAccepted#requests}
 * @param accepted how many each setting accepts, in the order of settings
 */
record BoundFigures(int requests, int most, Proof proof, List<Integer> accepted) {}
