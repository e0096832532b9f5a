package berth.cluster;

import static berth.sla.Components.checked;

import berth.sla.Configuration;
import berth.sla.InvalidFigure;
import berth.sla.Settable;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.OptionalLong;

/**
 * Bounds for every reservation and job. Without {@code maxDuration}, a run can be as long as the horizon; without {@code maxHold}, a hold
 * lasts until the start; without {@code maxJobDuration}, the bound for reservations applies to batch jobs too.
 *
 * @param leadTime the least time between a request and the start of its run
 * @param maxDuration the longest run, in this cluster's time
 * @param reservableShare the largest share of the PEs that reservations may take at one time
 * @param advanceShare the largest share of the runs on the cluster, batch jobs included, that may be booked ahead
 * @param maxHold the longest time that a slot may be held without being confirmed; 15 minutes if left out
 * @param maxJobDuration the longest estimate of a batch job that Berth starts; a day if left out
 */
public record Limits(
        @Settable(min = "0", max = Policy.MAX_TIME, example = "PT1H")
        long leadTime,

        @Settable(min = "1", example = "P7D") OptionalLong maxDuration,

        @Settable(min = "0.000001", max = "1", example = "0.8")
        BigDecimal reservableShare,

        @Settable(min = "0", max = "1", example = "0.3") BigDecimal advanceShare,
        @Settable(min = "1", example = "PT15M") OptionalLong maxHold,
        @Settable(min = "1", example = "P1D") OptionalLong maxJobDuration)
        implements Configuration<Limits> {

    /** No limits. */
    public static final Limits NONE = new Limits(
            0, OptionalLong.empty(), BigDecimal.ONE, BigDecimal.ONE, OptionalLong.empty(), OptionalLong.empty());

    /** The limits of a cluster that sets none itself: a hold lasts at most 15 minutes, and the estimate of a batch job is at most a day. */
    public static final Limits STANDARD = NONE.limiting(OptionalLong.of(15 * 60), OptionalLong.of(24 * 3600));

    /** @throws InvalidFigure if a figure is out of range */
    public Limits {
        checked(Limits.class, "leadTime", leadTime);
        checked(Limits.class, "maxDuration", maxDuration);
        reservableShare = checked(Limits.class, "reservableShare", reservableShare);
        advanceShare = checked(Limits.class, "advanceShare", advanceShare);
        checked(Limits.class, "maxHold", maxHold);
        checked(Limits.class, "maxJobDuration", maxJobDuration);
    }

    /** Returns the same limits with other limits for holds and jobs. */
    public Limits limiting(OptionalLong holds, OptionalLong jobs) {
        return with("maxHold", holds).with("maxJobDuration", jobs);
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
