package berth.pricing;

import static berth.sla.Components.checked;

import berth.sla.InvalidFigure;
import berth.sla.Settable;
import java.math.BigDecimal;

/**
 * A factor on the price that applies when much of the cluster is booked. Paper 003 (section 3.2) asks that prices may depend on the present
 * load.
 *
 * @param above the step applies if the reservations of other accounts take more than this share of the cluster during the run
 * @param factor factor on the price
 */
public record LoadStep(
        @Settable(min = "0", max = "1", example = "0.8", isRequired = true)
        BigDecimal above,

        @Settable(min = "1", max = "1000", example = "1.5", isRequired = true)
        BigDecimal factor) {

    /** @throws InvalidFigure if a figure is out of range or has too many decimals */
    public LoadStep {
        above = checked(LoadStep.class, "above", above);
        factor = checked(LoadStep.class, "factor", factor);
    }
}
