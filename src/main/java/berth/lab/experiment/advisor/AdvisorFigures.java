package berth.lab.experiment.advisor;

import berth.lab.simulation.Figures;
import berth.lab.simulation.History;

/**
 * The figures of a run.
 *
 * @param all the figures of every simulation
 * @param revenue the sum of the final prices of accepted requests
 */
record AdvisorFigures(Figures all, double revenue) {

    static AdvisorFigures of(History history) {
        return new AdvisorFigures(
                Figures.of(history),
                history.accepted().stream()
                        .mapToDouble(one -> one.reservation().price().amount().doubleValue())
                        .sum());
    }

    /** Returns how often an accepted request moved, on average; NaN if there are none. */
    double movesEach() {
        return (double) all.moves() / all.accepted();
    }
}
