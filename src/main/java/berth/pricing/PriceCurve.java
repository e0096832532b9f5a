package berth.pricing;

import berth.sla.Fixing;
import berth.sla.Mobility;
import berth.sla.Money;
import berth.sla.Part;
import berth.sla.QosScenario;
import berth.sla.ServiceClass;
import berth.sla.Shape;
import berth.sla.Terms;
import berth.time.Slot;
import berth.time.Window;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The price of a rigid run by its slack, on a cluster that others have not booked. The run begins at its ready time and can move until then,
 * so the price is the lowest that this slack can have without a later start.
 *
 * @param runTime the run time on the cluster, in seconds, at least 1
 * @param pes the number of PEs, at least 1
 */
public record PriceCurve(Tariff tariff, long runTime, int pes, ServiceClass serviceClass) {

    /** Returns the price with that slack, in seconds, at least 0. More slack never costs more. */
    public Money at(long slack) {
        var terms = new Terms(
                new Window(0, runTime + slack),
                runTime,
                List.of(new Shape(pes, runTime)),
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                Map.of(),
                Fixing.BY_NOTICE,
                QosScenario.STRICT);
        return tariff.price(new PricedRun(
                terms, List.of(Part.whole(Slot.of(0, runTime), pes)), Mobility.ALL, BigDecimal.ZERO, serviceClass));
    }

    /** Returns the slack that earns half of the flexibility discount, in seconds. */
    public long scale() {
        return tariff.flexibilityScale().orElse(runTime);
    }

    /**
     * Returns some slacks up to {@code most} that show the curve: none, a quarter, half, once, twice the scale and so on, and {@code most};
     * at most 34.
     */
    public List<Long> slacks(long most) {
        var slacks = new ArrayList<Long>();
        slacks.add(0L);
        for (long slack = Math.max(1, scale() / 4); slack < most; slack *= 2) {
            slacks.add(slack);
        }
        if (most > 0) {
            slacks.add(most);
        }
        return slacks;
    }
}
