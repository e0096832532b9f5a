package berth.pricing;

import java.math.BigDecimal;

/**
 * A step of a load profile: the price rises if much of the cluster is booked (paper 003, section 3.2: prices may depend on the present
 * load).
 *
 * @param above the load above which the step applies, in [0, 1]: the share of the cluster's PE-seconds that others have booked during the
 *     run
 * @param factor the factor on the price, at least 1
 */
public record LoadStep(BigDecimal above, BigDecimal factor) {}
