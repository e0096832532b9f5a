package berth.pricing;

/** The function that calculates a price. */
public enum PriceFunction {
    /** Berth's own function: discounts for flexibility, for a late start and for a run that can be split. */
    BERTH,
    /** Paper 003's Algorithm 2, for experiments. For advance bookings it rewards rigid requests. */
    NETTO_BUYYA_2007
}
