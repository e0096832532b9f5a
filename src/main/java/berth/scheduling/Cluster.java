package berth.scheduling;

import berth.pricing.Tariff;

/**
 * What is fixed about a cluster: its size and its rules.
 *
 * @param id its name, in URLs too
 * @param pes processing elements in service, at least 1
 * @param horizon seconds from now up to which it takes reservations, at least 1
 * @param tariff what its PEs cost
 */
public record Cluster(String id, int pes, long horizon, Tariff tariff) {

    /** The most PEs a cluster may have. */
    public static final int MAX_PES = 10_000_000;

    /** How far ahead clusters take reservations unless told otherwise: 90 days. */
    public static final long STANDARD_HORIZON = 90L * 24 * 3600;

    /** The longest horizon: ten years of 365 days. */
    public static final long MAX_HORIZON = 3650L * 24 * 3600;

    /** @throws IllegalArgumentException naming the figure that is out of range */
    public Cluster {
        if (pes < 1 || pes > MAX_PES) {
            throw new IllegalArgumentException("The pes (%d) must lie between 1 and %d.".formatted(pes, MAX_PES));
        }
        if (horizon < 1 || horizon > MAX_HORIZON) {
            throw new IllegalArgumentException(
                    "The horizon (%d s) must lie between 1 s and %d s.".formatted(horizon, MAX_HORIZON));
        }
    }
}
