package berth.experiment.advisor;

import berth.experiment.advisor.MostAccepted.Proof;
import java.util.List;

/**
 * What can be accepted of some requests, and what is.
 *
 * @param requests how many were made
 * @param most see {@link MostAccepted#requests}
 * @param accepted by each of the settings, in their order
 */
record BoundFigures(int requests, int most, Proof proof, List<Integer> accepted) {}
