package berth.sla;

import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.Currency;

/**
 * An amount in a currency. The scale is always that of the currency's minor unit, so amounts of equal value are equal.
 *
 * @param amount not negative, with at most {@link #MAX_DIGITS} digits before the decimal point
 * @param currency an ISO 4217 currency with a minor unit
 */
public record Money(BigDecimal amount, Currency currency) {

    /** The most digits before the decimal point, which is more than any price has. */
    public static final int MAX_DIGITS = 34;

    private static final BigDecimal MAX = BigDecimal.TEN.pow(MAX_DIGITS).subtract(BigDecimal.ONE);

    /**
     * Sets the scale to the currency's minor unit.
     *
     * @throws IllegalArgumentException if the amount is negative, too large, or finer than the minor unit
     */
    public Money {
        int digits = currency.getDefaultFractionDigits();
        if (digits < 0) {
            throw new IllegalArgumentException("The currency %s has no minor unit.".formatted(currency));
        }
        if (amount.signum() < 0) {
            throw new IllegalArgumentException("An amount must not be negative.");
        }
        if ((long) amount.precision() - amount.scale() > MAX_DIGITS) {
            throw new IllegalArgumentException(
                    "An amount has at most %d digits before the point.".formatted(MAX_DIGITS));
        }
        if (amount.signum() != 0 && amount.stripTrailingZeros().scale() > digits) {
            throw new IllegalArgumentException("An amount in %s has at most %d decimals.".formatted(currency, digits));
        }
        amount = amount.signum() == 0 ? BigDecimal.ZERO.setScale(digits) : amount.setScale(digits);
    }

    /**
     * Returns the quotient, rounded up to the currency's minor unit, or the largest possible amount if it is too large. What is charged is
     * rounded up, so that nothing of value is free, however it is cut into pieces.
     */
    public static Money roundedUp(BigDecimal dividend, BigDecimal divisor, Currency currency) {
        var quotient = dividend.divide(divisor, currency.getDefaultFractionDigits(), RoundingMode.CEILING);
        return new Money(quotient.min(MAX), currency);
    }

    /** Returns zero in the same currency. */
    public Money none() {
        return new Money(BigDecimal.ZERO, currency);
    }

    /**
     * Returns the sum, or the largest possible amount if it is too large.
     *
     * @throws IllegalArgumentException if the currencies differ
     */
    public Money plus(Money other) {
        if (!currency.equals(other.currency)) {
            throw new IllegalArgumentException("%s and %s cannot be added.".formatted(currency, other.currency));
        }
        return roundedUp(amount.add(other.amount), BigDecimal.ONE, currency);
    }

    /** Returns the difference, but at least zero. Both amounts must be in one currency. */
    public Money less(Money other) {
        return exceeds(other) ? new Money(amount.subtract(other.amount), currency) : none();
    }

    /**
     * Whether this is more than {@code other}.
     *
     * @throws IllegalArgumentException if the currencies differ
     */
    public boolean exceeds(Money other) {
        if (!currency.equals(other.currency)) {
            throw new IllegalArgumentException("%s and %s cannot be compared.".formatted(currency, other.currency));
        }
        return amount.compareTo(other.amount) > 0;
    }

    @Override
    public String toString() {
        return amount.toPlainString() + " " + currency;
    }
}
