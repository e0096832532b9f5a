package berth.scheduling;

import berth.sla.Configuration;
import java.util.OptionalLong;
import java.util.function.Supplier;

/** Asks for a run that is shorter than a rule allows which only the changed program has; returns the field that is refused. */
public final class ShortRun implements Supplier<String> {

    @Override
    public String get() {
        var sample = SampleCluster.of(8).cluster();
        var limits = ((Configuration<?>) sample.policy().limits()).with("minDuration", OptionalLong.of(60));
        var cluster =
                LiveCluster.of(SampleCluster.like(sample.under(sample.policy().with("limits", limits))));
        cluster.grant(Request.of(1, 1, 60));
        return cluster.refusedField(Request.of(2, 1, 59));
    }
}
