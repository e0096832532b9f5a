package berth.lab.experiment.adaptive;

import berth.lab.simulation.Figures;
import berth.lab.simulation.History;
import berth.lab.simulation.JobOutcome.Accepted;
import berth.pricing.PricedRun;
import berth.pricing.Tariff;
import berth.reservation.Reservation;
import berth.sla.Mobility;
import berth.sla.Part;
import berth.sla.Shape;
import java.math.BigDecimal;
import java.util.List;

/**
 * The figures of a run.
 *
 * @param all the figures of every simulation
 * @param profits what accepted requests pay by the price function for the place where they ran, for each incentive
 * @param agreed what they pay as agreed, which is less if they moved to an earlier and more expensive place
 * @param completions when requests were completed
 * @param modified the share of accepted moldable requests that ran on fewer than R^max PEs at some time; 0 if there are none
 * @param modification the mean over all accepted moldable requests of (R^max - R) / (R^max - R^min); 0 if there are none
 */
record AdaptiveFigures(
        Figures all,
        List<Double> profits,
        double agreed,
        Completions completions,
        double modified,
        double modification) {

    /** Returns the figures of a run, with a profit for each tariff. */
    static AdaptiveFigures of(History history, List<Tariff> tariffs) {
        var accepted = history.accepted();
        var moldable = accepted.stream()
                .map(Accepted::reservation)
                .filter(reservation -> reservation.terms().shapes().size() > 1)
                .toList();
        return new AdaptiveFigures(
                Figures.of(history),
                tariffs.stream().map(tariff -> profit(accepted, tariff)).toList(),
                accepted.stream()
                        .mapToDouble(one -> one.reservation().price().amount().doubleValue())
                        .sum(),
                Completions.of(history),
                moldable.stream()
                        .mapToDouble(one -> modification(one) > 0 ? 1 : 0)
                        .average()
                        .orElse(0),
                moldable.stream()
                        .mapToDouble(AdaptiveFigures::modification)
                        .average()
                        .orElse(0));
    }

    private static double profit(List<Accepted> accepted, Tariff tariff) {
        return accepted.stream()
                .map(Accepted::reservation)
                .mapToDouble(one -> tariff.price(new PricedRun(
                                one.terms(),
                                one.parts(),
                                Mobility.NONE,
                                BigDecimal.ZERO,
                                one.origin().serviceClass()))
                        .amount()
                        .doubleValue())
                .sum();
    }

    /** Returns how far a request was modified, from 0 (all of it ran on R^max PEs) to 1 (all of it on R^min). */
    private static double modification(Reservation moldable) {
        var shapes = moldable.terms().shapes();
        int most = shapes.getFirst().pes();
        int least = shapes.stream().mapToInt(Shape::pes).min().orElseThrow();
        double steps = moldable.parts().stream().mapToInt(Part::steps).sum();
        return moldable.parts().stream()
                .mapToDouble(part -> part.steps() / steps * (most - part.pes()) / (most - least))
                .sum();
    }
}
