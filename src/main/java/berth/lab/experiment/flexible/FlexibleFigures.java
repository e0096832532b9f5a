package berth.lab.experiment.flexible;

import berth.lab.simulation.Figures;
import berth.lab.simulation.History;
import berth.lab.simulation.JobOutcome.Accepted;
import berth.sla.Part;
import java.util.List;

/**
 * The figures of a run.
 *
 * @param all the figures of every simulation
 * @param reserved the PE-seconds that accepted requests asked for; with overestimated run times the runs took fewer
 * @param weighedPhi the mean |φ| of accepted alternatives, weighted by the PE-seconds of their runs; NaN if there are none
 * @param phiDeviation the standard deviation of |φ| among them; NaN if there are fewer than two
 */
record FlexibleFigures(Figures all, double reserved, double weighedPhi, double phiDeviation) {

    /** A |φ| and the PE-seconds of its run. */
    private record Distance(double phi, double area) {
        static Distance of(Accepted one) {
            double phi = one.alternative().orElseThrow().phi().abs().doubleValue();
            return new Distance(
                    phi, one.occupied().stream().mapToDouble(Part::work).sum());
        }
    }

    static FlexibleFigures of(History history) {
        List<Accepted> accepted = history.accepted();
        List<Distance> distances = accepted.stream()
                .filter(one -> one.alternative().isPresent())
                .map(Distance::of)
                .toList();
        return new FlexibleFigures(
                Figures.of(history),
                accepted.stream().mapToDouble(one -> one.job().request().area()).sum(),
                weighed(distances),
                deviation(distances));
    }

    private static double weighed(List<Distance> distances) {
        return distances.stream().mapToDouble(one -> one.phi * one.area).sum()
                / distances.stream().mapToDouble(Distance::area).sum();
    }

    private static double deviation(List<Distance> distances) {
        if (distances.size() < 2) {
            return Double.NaN;
        }
        double mean = distances.stream().mapToDouble(Distance::phi).average().orElse(Double.NaN);
        double squares = distances.stream()
                .mapToDouble(one -> (one.phi - mean) * (one.phi - mean))
                .sum();
        return Math.sqrt(squares / (distances.size() - 1));
    }
}
