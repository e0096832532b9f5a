package berth.sla;

import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * When a place becomes final at the owner's wish, if that is earlier than the cluster's notice makes it final. Paper 000 fixes jobs after a
 * share of their waiting time (figure 4).
 *
 * @param after the share of the waiting time after which the place is final, in {@code [0, 1]}; 0 makes it final at once
 * @param before how long before the start the place is final, in seconds, not negative
 */
public record Fixing(Optional<BigDecimal> after, OptionalLong before) {

    /** No wish: the cluster's notice decides. */
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
     * Returns when a place becomes final, in seconds since the epoch.
     *
     * @param placed when the run got the place
     * @param start the start of the run, not before {@code placed}
     * @param notice the cluster's notice, in seconds
     * @return a time in {@code [placed, start]}
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
     * Returns the mobility of a run that gets a new place. It is exact, whereas {@link #fixesAt} rounds to seconds, so a later start never
     * reduces it.
     *
     * @param placed when the run gets the place, in seconds since the epoch
     * @param from when the run can first move, not before {@code placed}; a hold cannot move
     * @param start the start of the run, not before {@code placed}
     * @param notice the cluster's notice, in seconds
     */
    public Mobility mobility(long placed, long from, long start, long notice) {
        var wait = BigDecimal.valueOf(start - placed);
        var last = wait.subtract(BigDecimal.valueOf(Math.max(notice, before.orElse(0))));
        var fixes = after.map(wait::multiply).map(last::min).orElse(last);
        var movable = fixes.subtract(BigDecimal.valueOf(from - placed));
        return movable.signum() <= 0 ? Mobility.NONE : new Mobility(movable, wait);
    }

    /** Whether a place is final as soon as the run gets it. */
    public boolean isAtOnce() {
        return after.filter(share -> share.signum() == 0).isPresent();
    }

    /** Returns the same wish, but the place is final at once. */
    public Fixing atOnce() {
        return new Fixing(Optional.of(BigDecimal.ZERO), before);
    }

    /** Returns the same wish, but the notice decides if the place was to be final at once. */
    public Fixing unlessAtOnce() {
        return isAtOnce() ? new Fixing(Optional.empty(), before) : this;
    }

    /** Returns the same wish, stated explicitly even if it is the default, for a peer that has another default. */
    public Fixing spelt() {
        return new Fixing(Optional.of(after.orElse(BigDecimal.ONE)), before);
    }

    /** Whether, with any notice, no place becomes final earlier than with {@code other}. */
    boolean isNoEarlierThan(Fixing other) {
        boolean afterNoLess =
                after.isEmpty() || other.after.isPresent() && after.get().compareTo(other.after.get()) >= 0;
        return afterNoLess && before.orElse(0) <= other.before.orElse(0);
    }

    /**
     * Returns when the place becomes final to which a run moves. A share of the waiting time counts from the first place, so a move never
     * postpones that time.
     *
     * @param fixesAt when the old place was to become final, not before {@code now}
     * @param start the start of the run in the new place
     * @param notice the cluster's notice, in seconds
     */
    public long movedTo(long now, long fixesAt, long start, long notice) {
        long last = start - Math.max(notice, before.orElse(0));
        return Math.max(now, after.isPresent() ? Math.min(last, fixesAt) : last);
    }

    /**
     * Returns when the next part of a run becomes final, once a part begins. The part stays final if the owner fixed it or if a share of
     * the waiting time fixed it; otherwise each part becomes final on its own.
     *
     * @param fixesAt when the part that begins became final
     * @param begins the start of that part
     * @param next the start of the next part
     * @param notice the cluster's notice, in seconds
     */
    public long nextFixesAt(long fixesAt, long begins, long next, long notice) {
        long ahead = Math.max(notice, before.orElse(0));
        boolean byItsOwner = after.isPresent() || fixesAt < begins - ahead;
        return byItsOwner ? fixesAt : Math.max(begins, next - ahead);
    }
}
