package berth.slurm;

import java.util.List;
import java.util.Set;
import java.util.UUID;

/**
 * What Berth has promised on the cluster.
 *
 * @param sequence of the last event that it knows at least
 * @param wanted what Slurm is to have
 * @param running the reservations that have begun
 */
record Plan(long sequence, List<SlurmReservation> wanted, Set<UUID> running) {}
