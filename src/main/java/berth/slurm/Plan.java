package berth.slurm;

import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;

/**
 * What Berth has promised on the cluster.
 *
 * @param sequence of the last event of the cluster that it has at least
 * @param wanted what Slurm is to have
 * @param running the reservations that have begun
 * @param impossible why what is promised cannot be in Slurm, by the name that it would have
 */
record Plan(long sequence, List<SlurmReservation> wanted, Set<UUID> running, Map<String, String> impossible) {}
