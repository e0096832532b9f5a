package berth.sla;

import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * When the owner wants its place to become final, where that is earlier than the cluster's notice makes it: paper
 * 000 fixes jobs after a share of their waiting time (figure 4).
 *
 * @param after the share of the waiting time after which it is, in {@code [0, 1]}; 0 pins the place at once
 * @param before the seconds before the start from which it is, not negative
 */
public record Fixing(Optional<BigDecimal> after, OptionalLong before) {

    /** As the cluster's notice has it. */
    public static final Fixing BY_NOTICE = new Fixing(Optional.empty(), OptionalLong.empty());

    private static final int MAX_DECIMALS = 6;

    /** @throws InvalidFigure if a figure is out of range */
    public Fixing {
        if (after.isPresent()
                && (after.get().signum() < 0
                        || after.get().compareTo(BigDecimal.ONE) > 0
                        || after.get().stripTrailingZeros().scale() > MAX_DECIMALS)) {
            throw new InvalidFigure("fixAfter", after.get(), "must lie between 0 and 1, with at most 6 decimals");
        }
        if (before.isPresent() && before.getAsLong() < 0) {
            throw new InvalidFigure("fixBefore", before.getAsLong(), "must not be negative");
        }
        after = after.map(BigDecimal::stripTrailingZeros).map(share -> share.setScale(Math.max(0, share.scale())));
    }

    /**
     * The instant from which a place is final, in seconds since the epoch.
     *
     * @param placed when it was placed
     * @param start where it was placed, not before {@code placed}
     * @param notice the cluster's, in seconds
     * @return in {@code [placed, start]}
     */
    public long fixesAt(long placed, long start, long notice) {
        long last = start - Math.max(notice, before.orElse(0));
        long shared = after.map(share -> placed
                        + share.multiply(BigDecimal.valueOf(start - placed))
                                .setScale(0, RoundingMode.DOWN)
                                .longValueExact())
                .orElse(last);
        return Math.max(placed, Math.min(last, shared));
    }

    /**
     * How far a run may be moved that is placed anew: exactly what {@link #fixesAt} rounds to seconds, so that a later start never
     * leaves less.
     *
     * @param placed when it is placed, seconds since the epoch, like the others
     * @param from since when it may be moved, not before {@code placed}: a hold may not
     * @param start where it is placed, not before {@code placed}
     * @param notice the cluster's, in seconds
     */
    public Mobility mobility(long placed, long from, long start, long notice) {
        var wait = BigDecimal.valueOf(start - placed);
        var last = wait.subtract(BigDecimal.valueOf(Math.max(notice, before.orElse(0))));
        var fixes = after.map(wait::multiply).map(last::min).orElse(last);
        var movable = fixes.subtract(BigDecimal.valueOf(from - placed));
        return movable.signum() <= 0 ? Mobility.NONE : new Mobility(movable, wait);
    }

    /** The same, but that where the run is placed it stays. */
    public Fixing atOnce() {
        return new Fixing(Optional.of(BigDecimal.ZERO), before);
    }

    /** The same said in so many words, for somebody who takes silence for something else: movable as long as there is no other reason. */
    public Fixing spelt() {
        return new Fixing(Optional.of(after.orElse(BigDecimal.ONE)), before);
    }

    /** Whether no place becomes final earlier by this than by {@code other}, whatever the notice. */
    boolean isNoEarlierThan(Fixing other) {
        boolean afterNoLess =
                after.isEmpty() || other.after.isPresent() && after.get().compareTo(other.after.get()) >= 0;
        return afterNoLess && before.orElse(0) <= other.before.orElse(0);
    }

    /**
     * The instant from which a place is final that the run is moved to. A share of the waiting time counts from where the
     * run was placed first: no move puts that instant off.
     *
     * @param fixesAt when the place so far was to become final, not before {@code now}
     * @param start where the run is moved to
     * @param notice the cluster's, in seconds
     */
    public long movedTo(long now, long fixesAt, long start, long notice) {
        long last = start - Math.max(notice, before.orElse(0));
        return Math.max(now, after.isPresent() ? Math.min(last, fixesAt) : last);
    }

    /**
     * The instant from which the part of a run is final that follows the one that begins. What the owner has fixed, or wants
     * fixed after a share of the wait for the run, stays final; else each part becomes final by itself.
     *
     * @param fixesAt when the part that begins became final
     * @param begins its start
     * @param next the start of the part that follows
     * @param notice the cluster's, in seconds
     */
    public long nextFixesAt(long fixesAt, long begins, long next, long notice) {
        long ahead = Math.max(notice, before.orElse(0));
        boolean byItsOwner = after.isPresent() || fixesAt < begins - ahead;
        return byItsOwner ? fixesAt : Math.max(begins, next - ahead);
    }
}
