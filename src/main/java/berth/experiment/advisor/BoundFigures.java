package berth.experiment.advisor;

import berth.experiment.advisor.MostAccepted.Proof;
import java.util.List;

/**
 * How many of some requests can be accepted and how many are.
 *
 * @param requests the number of requests
 * @param most see {@link MostAccepted#requests}
 * @param accepted how many each setting accepts, in the order of settings
 */
record BoundFigures(int requests, int most, Proof proof, List<Integer> accepted) {}
