package berth.reservation;

import berth.sla.Money;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.RoundingMode;

/**
 * An amount in money and in PE-seconds. A budget decides which of the two counts.
 *
 * @param peSeconds not negative
 */
public record Quantity(Money money, long peSeconds) {

    /** Whether both amounts are zero. */
    public boolean isNothing() {
        return money.amount().signum() == 0 && peSeconds == 0;
    }

    /** Returns nothing, in the same currency. */
    public Quantity none() {
        return new Quantity(money.none(), 0);
    }

    /** Returns the sum of both, which must be in one currency. */
    public Quantity plus(Quantity other) {
        return new Quantity(money.plus(other.money), Math.addExact(peSeconds, other.peSeconds));
    }

    /** Returns the greater money and the greater number of PE-seconds of both, which must be in one currency. */
    public Quantity orMore(Quantity other) {
        return new Quantity(other.money.exceeds(money) ? other.money : money, Math.max(peSeconds, other.peSeconds));
    }

    /** Returns {@code some} of {@code all} equal pieces of both, rounded up; {@code some} is at most {@code all}, which is positive. */
    public Quantity share(long some, long all) {
        var exact = BigInteger.valueOf(peSeconds).multiply(BigInteger.valueOf(some));
        return new Quantity(
                Money.roundedUp(
                        money.amount().multiply(BigDecimal.valueOf(some)), BigDecimal.valueOf(all), money.currency()),
                exact.add(BigInteger.valueOf(all - 1))
                        .divide(BigInteger.valueOf(all))
                        .longValueExact());
    }

    /** Returns {@code some} of {@code all} equal pieces of both, rounded down; {@code some} is at most {@code all}, which is positive. */
    public Quantity shareDown(long some, long all) {
        return new Quantity(
                new Money(
                        money.amount()
                                .multiply(BigDecimal.valueOf(some))
                                .divide(
                                        BigDecimal.valueOf(all),
                                        money.currency().getDefaultFractionDigits(),
                                        RoundingMode.FLOOR),
                        money.currency()),
                BigInteger.valueOf(peSeconds)
                        .multiply(BigInteger.valueOf(some))
                        .divide(BigInteger.valueOf(all))
                        .longValueExact());
    }

    /** Returns the difference, but at least zero. Both must be in one currency. */
    public Quantity less(Quantity other) {
        return new Quantity(money.less(other.money), Math.max(0, peSeconds - other.peSeconds));
    }

    /** Returns the same PE-seconds with no more money than that, which must be in the same currency. */
    public Quantity atMost(Money most) {
        return money.exceeds(most) ? new Quantity(most, peSeconds) : this;
    }

    /**
     * Returns a share of both, rounded up.
     *
     * @param share in [0, 1]
     */
    public Quantity share(BigDecimal share) {
        return new Quantity(
                Money.roundedUp(money.amount().multiply(share), BigDecimal.ONE, money.currency()),
                share.multiply(BigDecimal.valueOf(peSeconds))
                        .setScale(0, RoundingMode.CEILING)
                        .longValueExact());
    }
}
