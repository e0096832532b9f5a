package berth.cluster;

import berth.sla.InvalidFigure;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.OptionalLong;

/**
 * What a cluster allows any reservation.
 *
 * @param leadTime seconds that must pass between a request and the start of its run, in {@code [0, }{@link
 *     Policy#MAX_HORIZON}{@code ]}
 * @param maxDuration the longest run in seconds of this cluster's time, at least 1; empty: as long as the horizon
 * @param reservableShare the share of the PEs that reservations may take at one time, in {@code (0, 1]}, with at most
 *     six decimals
 * @param advanceShare the share of the runs on the cluster that may be booked ahead, in {@code [0, 1]}, with at most six
 *     decimals: the percentage of jobs that paper 002's ARM reserves in advance
 */
public record Limits(long leadTime, OptionalLong maxDuration, BigDecimal reservableShare, BigDecimal advanceShare) {

    /** No limits. */
    public static final Limits NONE = new Limits(0, OptionalLong.empty(), BigDecimal.ONE, BigDecimal.ONE);

    private static final int MAX_DECIMALS = 6;

    /** @throws InvalidFigure if a figure is out of range */
    public Limits {
        if (leadTime < 0 || leadTime > Policy.MAX_HORIZON) {
            throw new InvalidFigure("leadTime", leadTime, "must not be negative, nor exceed ten years");
        }
        if (maxDuration.isPresent() && maxDuration.getAsLong() < 1) {
            throw new InvalidFigure("maxDuration", maxDuration.getAsLong(), "must be longer than zero");
        }
        if (reservableShare.signum() <= 0) {
            throw new InvalidFigure("reservableShare", reservableShare, "must be more than 0 and at most 1");
        }
        reservableShare = share("reservableShare", reservableShare);
        advanceShare = share("advanceShare", advanceShare);
    }

    private static BigDecimal share(String field, BigDecimal value) {
        var stripped = value.stripTrailingZeros();
        if (value.signum() < 0 || value.compareTo(BigDecimal.ONE) > 0 || stripped.scale() > MAX_DECIMALS) {
            throw new InvalidFigure(field, value, "must lie between 0 and 1, with at most 6 decimals");
        }
        return stripped.setScale(Math.max(0, stripped.scale()));
    }

    /** Whether not every run may be booked ahead. */
    public boolean boundsAdvance() {
        return advanceShare.compareTo(BigDecimal.ONE) < 0;
    }

    /** The PEs of a cluster of {@code pes} that reservations may take at one time, rounded down. */
    int reservable(int pes) {
        return BigDecimal.valueOf(pes)
                .multiply(reservableShare)
                .setScale(0, RoundingMode.DOWN)
                .intValueExact();
    }
}
