package berth.pricing;

import java.math.BigDecimal;

/**
 * What a run costs more where much is booked (paper 003, section 3.2: prices may depend on the present load).
 *
 * @param above the share of the cluster's PE-seconds booked by others in the time of the run, in [0, 1]: the step holds
 *     where more than this is
 * @param factor on the price, at least 1
 */
public record LoadStep(BigDecimal above, BigDecimal factor) {}
