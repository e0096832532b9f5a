package berth.cluster;

import berth.sla.InvalidFigure;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.OptionalLong;

/**
 * The limits of a cluster that apply to every reservation and job.
 *
 * @param leadTime the shortest time between a request and the start of its run, in seconds, in {@code [0, }{@link Policy#MAX_HORIZON}{@code
 *     ]}
 * @param maxDuration the longest run, in seconds on this cluster, at least 1; empty means the horizon
 * @param reservableShare the share of the PEs that reservations may take at one time, in {@code (0, 1]}, with at most six decimals
 * @param advanceShare the share of runs that may be booked ahead, in {@code [0, 1]}, with at most six decimals (in paper 002, the
 *     percentage of jobs that the ARM reserves in advance)
 * @param maxHold the longest hold without a confirmation, in seconds, at least 1; empty means until the start
 * @param maxJobDuration the longest estimate of a batch job that Berth starts, in seconds on this cluster, at least 1; empty means the
 *     limit for reservations
 */
public record Limits(
        long leadTime,
        OptionalLong maxDuration,
        BigDecimal reservableShare,
        BigDecimal advanceShare,
        OptionalLong maxHold,
        OptionalLong maxJobDuration) {

    /** No limits. */
    public static final Limits NONE = new Limits(0, OptionalLong.empty(), BigDecimal.ONE, BigDecimal.ONE);

    /** The limits of a cluster that sets none itself: a hold lasts at most 15 minutes, and the estimate of a batch job is at most a day. */
    public static final Limits STANDARD = NONE.limiting(OptionalLong.of(15 * 60), OptionalLong.of(24 * 3600));

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
        requirePositive("maxHold", maxHold);
        requirePositive("maxJobDuration", maxJobDuration);
        reservableShare = share("reservableShare", reservableShare);
        advanceShare = share("advanceShare", advanceShare);
    }

    /** Creates limits that do not restrict holds and jobs. */
    public Limits(long leadTime, OptionalLong maxDuration, BigDecimal reservableShare, BigDecimal advanceShare) {
        this(leadTime, maxDuration, reservableShare, advanceShare, OptionalLong.empty(), OptionalLong.empty());
    }

    /** Returns the same limits with other limits for holds and jobs. */
    public Limits limiting(OptionalLong holds, OptionalLong jobs) {
        return new Limits(leadTime, maxDuration, reservableShare, advanceShare, holds, jobs);
    }

    private static void requirePositive(String field, OptionalLong value) {
        if (value.isPresent() && value.getAsLong() < 1) {
            throw new InvalidFigure(field, value.getAsLong(), "must be longer than zero");
        }
    }

    private static BigDecimal share(String field, BigDecimal value) {
        var stripped = value.stripTrailingZeros();
        if (value.signum() < 0 || value.compareTo(BigDecimal.ONE) > 0 || stripped.scale() > MAX_DECIMALS) {
            throw new InvalidFigure(field, value, "must lie between 0 and 1, with at most 6 decimals");
        }
        return stripped.setScale(Math.max(0, stripped.scale()));
    }

    /** Whether only a share of the runs may be booked ahead. */
    public boolean boundsAdvance() {
        return advanceShare.compareTo(BigDecimal.ONE) < 0;
    }

    /** Returns how many of {@code pes} PEs reservations may take at one time, rounded down. */
    int reservable(int pes) {
        return BigDecimal.valueOf(pes)
                .multiply(reservableShare)
                .setScale(0, RoundingMode.DOWN)
                .intValueExact();
    }
}
