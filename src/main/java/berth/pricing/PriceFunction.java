package berth.pricing;

/** How a price is made. */
public enum PriceFunction {
    /** Berth's own: less for flexibility, a late start and a run that may be split. */
    BERTH,
    /** Paper 003's Algorithm 2, for the laboratory: with advance bookings it rewards rigidity. */
    NETTO_BUYYA_2007
}
