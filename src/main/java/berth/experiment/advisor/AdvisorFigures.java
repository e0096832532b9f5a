package berth.experiment.advisor;

import berth.simulation.Figures;
import berth.simulation.History;

/**
 * What came out of a run.
 *
 * @param all those that every simulation has
 * @param revenue the prices of the accepted as they were agreed at last, added up
 */
record AdvisorFigures(Figures all, double revenue) {

    static AdvisorFigures of(History history) {
        return new AdvisorFigures(
                Figures.of(history),
                history.accepted().stream()
                        .mapToDouble(one -> one.reservation().price().amount().doubleValue())
                        .sum());
    }

    /** How often one of the accepted was moved; NaN if there are none. */
    double movesEach() {
        return (double) all.moves() / all.accepted();
    }
}
